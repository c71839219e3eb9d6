import { Fragment } from "react";
import { apiScopes } from "#app/features/api/keys/scopes.ts";
import { problemsOf, toSchema } from "#app/features/api/v1/openapi.server.ts";
import styles from "#app/features/api/v1/page/api-page.css?url";
import { type ApiProblemCode, problems } from "#app/features/api/v1/problem.server.ts";
import type { ApiRoute } from "#app/features/api/v1/route.server.ts";
import { type SchemaName, schemas } from "#app/features/api/v1/schemas/index.server.ts";
import { Table } from "#app/owner/ui/data.server.tsx";
import { Page, Section } from "#app/owner/ui/page.server.tsx";
import { renderDocument } from "#app/owner/ui/renderer.server.tsx";
import type { Config } from "#app/server/config/config.server.ts";
import { perSettings } from "#app/server/config/settings.server.ts";
import { perEnv } from "#app/server/per-env.ts";
import { site } from "#app/site.ts";

/**
 * The readable page of the API: everything that the OpenAPI document has, without a script. Made once in an isolate,
 * until its settings change: anyone may ask for it without limit.
 */
export const apiPage = perEnv((routes: readonly ApiRoute[]) =>
  perEnv(({ SITE_URL }: Pick<Config, "SITE_URL">) => perSettings(() => render(routes, SITE_URL))),
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

function RouteSection({ route, siteUrl }: { route: ApiRoute; siteUrl: string }) {
  const { id, summary, description, scope, body } = route;
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{summary}</h2>
      <p>
        <MethodAndPath {...route} />
      </p>
      {description === undefined ? null : (
        <p>
          <WithCode text={description} />
        </p>
      )}
      <p>
        <Scope scope={scope} />
      </p>
      <pre className="code-block">{curlOf(route, siteUrl)}</pre>
      <Parameters {...route} />
      {body === undefined ? null : <Members caption="Body" schema={toSchema(body.schema) as JsonSchema} />}
      <Responses {...route} />
      <Errors codes={problemsOf(route)} />
    </section>
  );
}

function MethodAndPath({ method, path }: Pick<ApiRoute, "method" | "path">) {
  return (
    <code>
      <span className="api-method">{method.toUpperCase()}</span> {`/api/v1${path}`}
    </code>
  );
}

function Scope({ scope }: Pick<ApiRoute, "scope">) {
  if (scope === "public") return "Needs no key.";
  if (scope === null) return "Any key will do.";
  return (
    <>
      Needs the scope <code>{scope}</code>: {apiScopes[scope].toLowerCase()}.
    </>
  );
}

/** A request of a route as a command, with the key in a variable. */
function curlOf({ method, path, scope, body }: ApiRoute, siteUrl: string): string {
  const url = `${siteUrl}/api/v1${path.replace("{id}", "12")}`;
  const lines = [
    method === "get" ? `curl ${url}` : `curl -X ${method.toUpperCase()} ${url}`,
    ...(scope === "public" ? [] : ['-H "Authorization: Bearer $KEY"']),
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(body.example, null, 2)}'`]),
  ];
  return lines.join(" \\\n  ");
}

function Parameters({ query = {} }: Pick<ApiRoute, "query">) {
  const rows = Object.entries(query).map(([name, { schema }]) => ({ name, schema: toSchema(schema) as JsonSchema }));
  return (
    <Table
      className="cards"
      caption="Query parameters"
      columns={[
        { name: "Name", cell: ({ name }) => <code>{name}</code> },
        { name: "Value", kind: "words", cell: ({ schema }) => typeText(schema) },
        { name: "Description", cell: ({ schema }) => <WithCode text={schema.description ?? ""} /> },
      ]}
      rows={rows}
      rowKey={({ name }) => name}
    />
  );
}

function Members({ caption, schema }: { caption?: string; schema: JsonSchema }) {
  return (
    <Table
      className="cards"
      caption={caption}
      columns={[
        {
          name: "Field",
          cell: ({ name, isRequired }) => (
            <>
              <code>{name}</code>
              {caption === undefined || !isRequired ? null : <small>Required</small>}
            </>
          ),
        },
        { name: "Value", kind: "words", cell: ({ type }) => type },
        { name: "Description", cell: ({ description }) => <WithCode text={description} /> },
      ]}
      rows={membersOf(schema)}
      rowKey={({ name }) => name}
    />
  );
}

function Responses({ responses }: Pick<ApiRoute, "responses">) {
  return Object.entries(responses).map(([status, { description, schema }]) => (
    <p key={status}>
      <strong>{status}</strong> <WithCode text={description} />{" "}
      {schema === undefined ? null : <a href={`#${schema}`}>{schema}</a>}
    </p>
  ));
}

function Errors({ codes }: { codes: ApiProblemCode[] }) {
  return (
    <p>
      <strong>Errors</strong>{" "}
      {codes.map((code, index) => (
        <Fragment key={code}>
          {index === 0 ? "" : ", "}
          {problems[code][0]} <a href={`#${code}`}>{code}</a>
        </Fragment>
      ))}
    </p>
  );
}

function WithCode({ text }: { text: string }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other names
  return text.split("`").map((part, index) => (index % 2 === 0 ? part : <code key={index}>{part}</code>));
}

function responseSchemas(routes: readonly ApiRoute[]) {
  const names = routes.flatMap(({ responses }) => Object.values(responses).flatMap(({ schema }) => schema ?? []));
  return [...new Set(names)];
}

function ResponseSchema({ name }: { name: SchemaName }) {
  const schema = toSchema(schemas()[name], name) as JsonSchema;
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

/** A JSON schema, as far as the readable page shows it. */
interface JsonSchema {
  $ref?: string;
  type?: string;
  format?: string;
  description?: string;
  enum?: unknown[];
  pattern?: string;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  additionalProperties?: boolean | JsonSchema;
  anyOf?: JsonSchema[];
}

/** A member of a body, such as `consent.at`. */
interface Member {
  name: string;
  type: string;
  description: string;
  isRequired: boolean;
}

function membersOf(schema: JsonSchema, prefix = ""): Member[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, member]) => {
    const name = `${prefix}${key}`;
    const isRequired = schema.required?.includes(key) ?? false;
    const own = { name, type: typeText(member), description: member.description ?? "", isRequired };
    const inner = withoutNull(member);
    const items = inner.items ?? inner;
    return [own, ...membersOf(items, inner.items === undefined ? `${name}.` : `${name}[].`)];
  });
}

/** `text (at most 300)`, `yes or no`, `time or null` */
function typeText(schema: JsonSchema): string {
  const other = withoutNull(schema);
  if (other !== schema) return `${typeText(other)} or null`;
  const { $ref, type, format, enum: values, maxLength, minimum, maximum, items } = schema;
  if ($ref !== undefined) return $ref.split("/").at(-1) ?? "";
  if (values !== undefined) return values.join(", ");
  if (type === "array") return `list of ${items === undefined ? "anything" : typeText(items)}`;
  if (format !== undefined) return format === "date" ? "day" : "time";
  if (type === "boolean") return "true or false";
  if (type === "string") return maxLength === undefined ? "text" : `text (at most ${maxLength} characters)`;
  if (type === "integer" || type === "number") {
    return maximum === undefined ? "whole number" : `whole number (${minimum} to ${maximum})`;
  }
  return "object";
}

function withoutNull(schema: JsonSchema): JsonSchema {
  const others = schema.anyOf?.filter(({ type }) => type !== "null") ?? [];
  return others[0] ?? schema;
}
