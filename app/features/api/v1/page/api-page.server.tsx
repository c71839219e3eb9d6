import { toSchema } from "#app/features/api/v1/openapi.server.ts";
import styles from "#app/features/api/v1/page/api-page.css?url";
import type { JsonSchema } from "#app/features/api/v1/page/members.server.ts";
import { Members, MethodAndPath, RouteSection, WithCode } from "#app/features/api/v1/page/route-section.server.tsx";
import { problems } from "#app/features/api/v1/problem.server.ts";
import type { ApiRoute } from "#app/features/api/v1/route.server.ts";
import { type SchemaName, schemas } from "#app/features/api/v1/schemas/index.server.ts";
import { Table } from "#app/owner/ui/data.server.tsx";
import { Page, Section } from "#app/owner/ui/page.server.tsx";
import { renderDocument } from "#app/owner/ui/renderer.server.tsx";
import type { Config } from "#app/server/config/config.server.ts";
import { perEnv } from "#app/server/per-env.ts";
import { site } from "#app/site.ts";

/**
 * The readable page of the API: everything that the OpenAPI document has, without a script. Made once in an isolate: anyone may
 * ask for it without limit.
 */
export const apiPage = perEnv((routes: readonly ApiRoute[]) =>
  perEnv(({ SITE_URL }: Pick<Config, "SITE_URL">) => render(routes, SITE_URL)),
);

function render(routes: readonly ApiRoute[], siteUrl: string): string {
  return renderDocument(
    <Page title={`${site.name} API`} className="page owner api-page">
      <link rel="stylesheet" href={styles} />
      <p className="lead">Lets other programs read or change the list, with a key from the owner of this site.</p>
      <p>
        Send a key in the header <code>Authorization: Bearer</code>, never in a URL. Requests and responses are JSON,
        and times are ISO 8601 in UTC. Responses may gain new members, so ignore those that you do not know.
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
      {responseSchemas(routes).map((name) => (
        <ResponseSchema key={name} name={name} />
      ))}
      <Problems />
    </Page>,
  );
}

function responseSchemas(routes: readonly ApiRoute[]) {
  const names = routes.flatMap(({ responses }) => Object.values(responses).flatMap(({ schema }) => schema ?? []));
  return [...new Set(names)];
}

function ResponseSchema({ name }: { name: SchemaName }) {
  const schema = toSchema(schemas[name], name) as JsonSchema;
  return (
    <Section id={name} title={name}>
      {schema.description === undefined ? null : (
        <p>
          <WithCode text={schema.description} />
        </p>
      )}
      <Members schema={schema} />
    </Section>
  );
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
          { name: "Description", cell: ({ title }) => title },
        ]}
        rows={Object.entries(problems).map(([code, [status, title]]) => ({ code, status, title }))}
        rowKey={({ code }) => code}
      />
    </Section>
  );
}
