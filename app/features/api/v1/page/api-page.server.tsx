import { Fragment } from "react";
import { openApi } from "#app/features/api/v1/openapi.server.ts";
import styles from "#app/features/api/v1/page/api-page.css?url";
import { problems } from "#app/features/api/v1/problem.server.ts";
import type { ApiRoute } from "#app/features/api/v1/route.server.ts";
import { type Column, Table } from "#app/owner/ui/data.server.tsx";
import { Page, Section } from "#app/owner/ui/page.server.tsx";
import { renderDocument } from "#app/owner/ui/renderer.server.tsx";
import type { Config } from "#app/server/config/config.server.ts";
import type { Header, JsonSchema, OpenApiDocument, OpenApiResponse } from "#app/server/http/openapi.ts";
import { perEnv } from "#app/server/per-env.ts";

/** The readable page of the API: its OpenAPI document as HTML, without a script. */
export function apiPage(routes: readonly ApiRoute[], config: Pick<Config, "SITE_URL">): string {
  return pageOf(openApi(routes)(config)());
}

/** Made once for a document: anyone may ask for it without limit. */
const pageOf = perEnv((document: OpenApiDocument) => renderDocument(<ApiPage {...document} />));

function ApiPage({ info, servers, tags, components: { schemas, parameters, headers }, ...document }: OpenApiDocument) {
  const places = placesOf({ servers, ...document });
  const groups = tags.map((tag) => ({ ...tag, places: places.filter((place) => place.tags.includes(tag.name)) }));
  return (
    <Page title={info.title} className="page owner api-page">
      <link rel="stylesheet" href={styles} />
      <p className="lead">Lets other programs read or change the list, with a key from the owner of this site.</p>
      <p>
        <WithCode text="Send a key in the header `Authorization: Bearer`, never in a URL. Requests and responses are JSON, and times are ISO 8601 in UTC. Responses may gain new members, so ignore those that you do not know. In names, `[]` stands for each item of a list, and `*` for any name." />
      </p>
      <p>
        <a className="quiet-link" href={`${servers[0]?.url}/openapi.json`}>
          The OpenAPI document, for tools
        </a>
      </p>
      <nav className="api-contents" aria-label="Contents">
        {groups.map((group) => (
          <div key={group.name}>
            <strong>{group.name}</strong>
            <ul className="bare-list">
              {group.places.map(({ operationId, method, summary }) => (
                <li key={operationId}>
                  <span className="api-method">{method}</span> <a href={`#${operationId}`}>{summary}</a>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      {groups.map((group) => (
        <Section key={group.name} id={`about-${group.name}`} title={group.name}>
          <p>
            <WithCode text={group.description} />
          </p>
          {group.places.map((place) => (
            <OperationSection key={place.operationId} {...place} schemas={schemas} />
          ))}
        </Section>
      ))}
      <Section id="schemas" title="Schemas">
        {Object.entries(schemas).map(([name, schema]) => (
          <section key={name}>
            <h3 id={name}>{name}</h3>
            <p>
              <WithCode text={[schema.description ?? "", ...limitsOf(schema)].join(" ")} />
            </p>
            <Rows rows={membersOf(schema)} />
          </section>
        ))}
      </Section>
      <Section id="headers" title="Headers">
        <Rows labelledBy="headers" rows={rowsOf({ ...parameters, ...headers }, true)} />
      </Section>
      <Section id="errors" title="Errors">
        <p>
          <WithCode text="Errors have the type `application/problem+json` (RFC 9457), but for those of sign-ups. Their `code` is one of these, and their `type` leads here." />
        </p>
        <Rows
          labelledBy="errors"
          rows={Object.entries(problems).map(([name, [status, description]]) => {
            return { name, id: name, schema: { const: status }, description };
          })}
        />
      </Section>
    </Page>
  );
}

type Place = ReturnType<typeof placesOf>[number];

/** Every operation with where it is. Those of webhooks are at URLs of others, and have none. */
function placesOf({ servers: common, paths, webhooks }: Pick<OpenApiDocument, "servers" | "paths" | "webhooks">) {
  return Object.entries({ ...paths, ...webhooks }).flatMap(([name, { servers = common, ...operations }]) => {
    const url = name in paths ? `${servers[0]?.url}${name}` : null;
    return Object.entries(operations).map(([method, operation]) => {
      const body = operation.requestBody?.content["application/json"];
      const path = url?.replace(/^\w+:\/\/[^/]+/, "") ?? name;
      return { ...operation, method: method.toUpperCase(), url, path, body };
    });
  });
}

function OperationSection({ schemas, ...place }: Place & { schemas: Record<string, JsonSchema> }) {
  const { operationId: id, summary, description, method, path, url, parameters = [], body, responses } = place;
  const schema = schemas[nameIn(body?.schema.$ref)] ?? body?.schema;
  const own = parameters.flatMap((parameter) => ("name" in parameter ? [[parameter.name, parameter] as const] : []));
  const shared = parameters.flatMap((parameter) => ("$ref" in parameter ? textOf(parameter) : []));
  const { fine = [], failed = [] } = Object.groupBy(Object.entries(responses), ([status]) =>
    /^[45]/.test(status) ? "failed" : "fine",
  );
  return (
    <section>
      <h3 id={id}>{summary}</h3>
      <p>
        <code>
          <span className="api-method">{method}</span> {path}
        </code>
      </p>
      <p>
        <WithCode text={description} />
      </p>
      <pre className="code-block">{url === null ? JSON.stringify(body?.example, null, 2) : curlOf(place)}</pre>
      {shared.length === 0 ? null : (
        <p>
          <strong>Headers</strong> <WithCode text={shared.join(", ")} />
        </p>
      )}
      <Rows caption="Parameters" rows={rowsOf(Object.fromEntries(own))} />
      {schema && <Rows caption={["Body", ...limitsOf(schema)].join(", ")} rows={membersOf(schema)} />}
      <Responses responses={fine} />
      <details>
        <summary>Errors: {failed.map(([status]) => status).join(", ")}</summary>
        <Responses responses={failed} />
      </details>
    </section>
  );
}

/** A request as a command, with the key in a variable. */
function curlOf({ method, url, security, body }: Place): string {
  const address = url?.replace("{id}", "12");
  const data = JSON.stringify(body?.example, null, 2);
  const lines = [
    method === "GET" ? `curl ${address}` : `curl -X ${method} ${address}`,
    ...(security.length === 0 ? [] : ['-H "Authorization: Bearer $KEY"']),
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d '${data}'`]),
  ];
  return lines.join(" \\\n  ");
}

function Responses({ responses }: { responses: [status: string, OpenApiResponse][] }) {
  return responses.map(([status, { description, content = {}, headers = {} }]) => {
    const body = Object.values(content).map(({ schema }) => textOf(schema));
    const own = Object.entries(headers).map(([name, one]) => ("$ref" in one ? "" : ` \`${name}\`: ${one.description}`));
    return (
      <p key={status}>
        <strong>{status}</strong> <WithCode text={`${description} ${body.join()}${own.join("")}`} />
      </p>
    );
  });
}

interface Row {
  name: string;
  /** Leads to it. */
  id?: string | undefined;
  isOptional?: boolean;
  schema: JsonSchema;
  description: string;
}

const columns: Column<Row>[] = [
  {
    name: "Name",
    cell: ({ name, id, isOptional }) => (
      <>
        <code id={id}>{name}</code>
        {isOptional && <small>Optional</small>}
      </>
    ),
  },
  { name: "Value", kind: "words", cell: ({ schema }) => <WithCode text={textOf(schema)} /> },
  { name: "Description", cell: ({ description }) => <WithCode text={description} /> },
];

function Rows(props: { caption?: string; labelledBy?: string; rows: Row[] }) {
  return <Table className="cards" columns={columns} rowKey={({ name }) => name} {...props} />;
}

/** Of parameters or headers. */
function rowsOf(headers: Record<string, Header>, isTarget = false): Row[] {
  return Object.entries(headers).map(([name, header]) => ({ name, id: isTarget ? name : undefined, ...header }));
}

/** Of an object's members and of theirs: `consent.at`, `entries[].id`, `groups.*[].name`. */
function membersOf(schema: JsonSchema, path = ""): Row[] {
  const { properties = {}, required = [], anyOf = [], items, additionalProperties: others } = schema;
  const own = Object.entries(properties).flatMap(([key, member]) => {
    const name = path === "" ? key : `${path}.${key}`;
    const row = { name, isOptional: !required.includes(key), schema: member, description: member.description ?? "" };
    return [row, ...membersOf(member, name)];
  });
  return [
    ...own,
    ...anyOf.flatMap((one) => membersOf(one, path)),
    ...(items === undefined ? [] : membersOf(items, `${path}[]`)),
    ...(typeof others === "object" ? membersOf(others, `${path}.*`) : []),
  ];
}

/** `text, max length 300`; code is between backticks. */
function textOf(schema: JsonSchema): string {
  const { $ref, anyOf, items, additionalProperties: others, type = "anything", format = type } = schema;
  const values = "const" in schema ? [schema.const] : schema.enum;
  if ($ref !== undefined) return `\`#${nameIn($ref)}\``;
  if (anyOf !== undefined) return anyOf.map(textOf).join(" or ");
  if (items !== undefined) return [`list of ${textOf(items)}`, ...limitsOf(schema)].join(", ");
  if (typeof others === "object") return `by name: ${textOf(others)}`;
  return [values?.map((value) => `\`${value}\``).join(", ") ?? words[format] ?? format, ...limitsOf(schema)].join(", ");
}

/** For types and formats. */
const words: Record<string, string> = {
  string: "text",
  integer: "whole number",
  boolean: "true or false",
  "date-time": "time",
  date: "day",
};

/** What a schema says besides: `#` is the value. */
const limits: Record<string, string> = {
  minLength: "min length #",
  maxLength: "max length #",
  minimum: "min #",
  maximum: "max #",
  minItems: "min items #",
  maxItems: "max items #",
  minProperties: "min fields #",
  pattern: "pattern `#`",
  default: "default `#`",
};

function limitsOf(schema: JsonSchema): string[] {
  const texts = Object.entries(schema).flatMap(
    ([name, value]) => limits[name]?.replace("#", () => String(value)) ?? [],
  );
  return schema.additionalProperties === false ? [...texts, "no other fields"] : texts;
}

/** The name of a component in a reference to it. */
function nameIn(ref = ""): string {
  return ref.slice(ref.lastIndexOf("/") + 1);
}

/** A text with code between backticks, which a backslash escapes. `#Entry` there leads to that part of the page. */
function WithCode({ text }: { text: string }) {
  return Array.from(text.matchAll(/`(#?)([^`]+)`|(?:\\[\\`]|[^`])+/g), ({ 0: all, 1: mark, 2: part, index }) => {
    if (part === undefined) return all.replaceAll(/\\([\\`])/g, "$1");
    const link = <a href={`#${part}`}>{part}</a>;
    return <Fragment key={index}>{mark === "#" ? link : <code>{part}</code>}</Fragment>;
  });
}
