import { Table } from "#app/owner/ui/data.server.tsx";
import { Page, Section } from "#app/owner/ui/page.server.tsx";
import { renderPage } from "#app/owner/ui/renderer.server.tsx";
import { site } from "#app/site.ts";
import { toSchema } from "#worker/api/v1/openapi.ts";
import styles from "#worker/api/v1/page/api-page.css?url";
import type { JsonSchema } from "#worker/api/v1/page/members.ts";
import { Members, MethodAndPath, RouteSection } from "#worker/api/v1/page/route-section.tsx";
import { problems } from "#worker/api/v1/problem.ts";
import type { ApiRoute } from "#worker/api/v1/route.ts";
import { schemas } from "#worker/api/v1/schemas/index.ts";

/** The readable page of the API: everything that the OpenAPI document has, without a script. */
export function apiPage(routes: readonly ApiRoute[], siteUrl: string): string {
  return renderPage(
    <Page title={`${site.name} API`} className="page owner api-page">
      <link rel="stylesheet" href={styles} />
      <p className="lead">For programs that the owner of this site lets read or change the list.</p>
      <p>
        Send a key in the header <code>Authorization: Bearer</code>, never in an address. Bodies and answers are JSON,
        and times are ISO 8601 in UTC. New members may be added to answers, so ignore those that you do not know.
      </p>
      <p>
        <a className="quiet-link" href={`${siteUrl}/api/v1/openapi.json`}>
          The OpenAPI document, for tools
        </a>
      </p>
      <Section id="routes" title="Routes">
        <ul className="bare-list api-routes">
          {routes.map(({ id, summary, ...route }) => (
            <li key={id}>
              <a href={`#${id}`}>{summary}</a> <MethodAndPath {...route} />
            </li>
          ))}
        </ul>
      </Section>
      {routes.map((route) => (
        <RouteSection key={route.id} route={route} siteUrl={siteUrl} />
      ))}
      {answerSchemas(routes).map((name) => (
        <Section key={name} id={name} title={name}>
          <Members schema={toSchema(schemas[name], name) as JsonSchema} />
        </Section>
      ))}
      <Problems />
    </Page>,
  );
}

/** The names of what routes answer with. */
function answerSchemas(routes: readonly ApiRoute[]) {
  const names = routes.flatMap(({ answers }) => Object.values(answers).flatMap(({ schema }) => schema ?? []));
  return [...new Set(names)];
}

function Problems() {
  return (
    <Section id="errors" title="Errors">
      <p>
        Every error has the type <code>application/problem+json</code> (RFC 9457). Its <code>code</code> is one of
        these, and its <code>type</code> leads here.
      </p>
      <Table
        className="narrow"
        labelledBy="errors"
        columns={[
          { name: "Code", cell: ({ code }) => <code id={code}>{code}</code> },
          { name: "Status", cell: ({ status }) => status },
          { name: "What", cell: ({ title }) => title },
        ]}
        rows={Object.entries(problems).map(([code, [status, title]]) => ({ code, status, title }))}
        rowKey={({ code }) => code}
      />
    </Section>
  );
}
