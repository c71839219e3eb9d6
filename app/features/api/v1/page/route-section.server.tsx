import { Fragment } from "react";
import { apiScopes } from "#app/features/api/keys/scopes.ts";
import { problemsOf, toSchema } from "#app/features/api/v1/openapi.server.ts";
import { curlOf } from "#app/features/api/v1/page/curl.server.ts";
import { type JsonSchema, membersOf, typeText } from "#app/features/api/v1/page/members.server.ts";
import { problems } from "#app/features/api/v1/problem.server.ts";
import type { ApiRoute } from "#app/features/api/v1/route.server.ts";
import { Table } from "#app/owner/ui/data.server.tsx";

interface RouteProps {
  route: ApiRoute;
  siteUrl: string;
}

export function RouteSection({ route, siteUrl }: RouteProps) {
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
      <Errors route={route} />
    </section>
  );
}

export function MethodAndPath({ method, path }: Pick<ApiRoute, "method" | "path">) {
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

function Parameters({ query }: Pick<ApiRoute, "query">) {
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

export function Members({ caption, schema }: { caption?: string; schema: JsonSchema }) {
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

function Errors({ route }: Pick<RouteProps, "route">) {
  return (
    <p>
      <strong>Errors</strong>{" "}
      {problemsOf(route).map((code, index) => (
        <Fragment key={code}>
          {index === 0 ? "" : ", "}
          {problems[code][0]} <a href={`#${code}`}>{code}</a>
        </Fragment>
      ))}
    </p>
  );
}

export function WithCode({ text }: { text: string }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other names
  return text.split("`").map((part, index) => (index % 2 === 0 ? part : <code key={index}>{part}</code>));
}
