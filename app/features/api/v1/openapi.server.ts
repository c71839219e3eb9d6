import { toJsonSchema } from "@valibot/to-json-schema";
import type { GenericSchema } from "valibot";
import { type ApiProblemCode, problems } from "#app/features/api/v1/problem.server.ts";
import type { ApiRoute } from "#app/features/api/v1/route.server.ts";
import { type SchemaName, schemas } from "#app/features/api/v1/schemas/index.server.ts";
import type { Config } from "#app/server/config/config.server.ts";
import { perSettings } from "#app/server/config/settings.server.ts";
import { perEnv } from "#app/server/per-env.ts";
import { site } from "#app/site.ts";

/**
 * The OpenAPI 3.1 document of some routes, as text. Made once in an isolate, until its settings change: anyone may ask for it
 * without limit.
 */
export const openApi = perEnv((routes: readonly ApiRoute[]) =>
  perEnv(({ SITE_URL }: Pick<Config, "SITE_URL">) => perSettings(() => JSON.stringify(documentOf(routes, SITE_URL)))),
);

function documentOf(routes: readonly ApiRoute[], siteUrl: string) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) paths[route.path] = { ...paths[route.path], [route.method]: operation(route) };
  return {
    openapi: "3.1.0",
    info: {
      title: `${site.name} API`,
      version: "1",
      description: `Lets other programs read or change the list. Readable version: ${siteUrl}/api/v1`,
    },
    servers: [{ url: `${siteUrl}/api/v1` }],
    security: [{ key: [] }],
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(schemas()).map(([name, schema]) => [name, toSchema(schema, name)])),
      securitySchemes: { key: { type: "http", scheme: "bearer", description: "A key from the owner’s page “API”." } },
    },
  };
}

/** The problems of a route: those that follow from what it needs, and its own. */
export function problemsOf({ scope, path, body, problems: own = [] }: ApiRoute): ApiProblemCode[] {
  const needsKey = scope !== "public";
  return [
    "not-https",
    "key-in-url",
    "invalid-query",
    ...(body === undefined ? [] : (["malformed-json"] as const)),
    ...(needsKey ? (["no-key", "invalid-key"] as const) : []),
    ...(needsKey && scope !== null ? (["wrong-scope"] as const) : []),
    ...(path.includes("{id}") ? (["not-found"] as const) : []),
    ...own,
    ...(body === undefined ? [] : (["too-large", "not-json", "invalid-body"] as const)),
    ...(needsKey ? (["too-many-requests", "unavailable"] as const) : []),
  ];
}

function operation(route: ApiRoute) {
  const { id, summary, description, scope, query = {}, path, body, responses } = route;
  const idParameter = { name: "id", in: "path", required: true, schema: { type: "integer", minimum: 1 } };
  const parameters = Object.entries(query).map(([name, { schema, isList }]) => {
    const { description, ...value } = toSchema(schema);
    return { name, in: "query", description, schema: isList ? { type: "array", items: value } : value };
  });
  return {
    operationId: id,
    summary,
    description,
    tags: [path.split("/")[1]],
    security: scope === "public" ? [] : [{ key: scope === null ? [] : [scope] }],
    parameters: [...(path.includes("{id}") ? [idParameter] : []), ...parameters],
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: { "application/json": { schema: refTo(body.name), example: body.example } },
          },
        }),
    responses: { ...Object.fromEntries(Object.entries(responses).map(success)), ...failures(problemsOf(route)) },
  };
}

function success([status, { description, schema, headers = {} }]: [string, ApiRoute["responses"][number]]) {
  const described = Object.entries(headers).map(([name, text]) => [
    name,
    { description: text, required: true, schema: { type: "string" } },
  ]);
  const content = schema && { "application/json": { schema: refTo(schema) } };
  return [status, { description, headers: Object.fromEntries(described), content }];
}

function failures(codes: ApiProblemCode[]) {
  const byStatus = Map.groupBy(codes, (code) => problems[code][0]);
  const responses = Array.from(byStatus, ([status, same]) => {
    const description = same.map((code) => `\`${code}\`: ${problems[code][1]}.`).join(" ");
    const content = { "application/problem+json": { schema: refTo("Problem") } };
    return [status, { description, headers: headersOf(status), content }];
  });
  return Object.fromEntries(responses);
}

function headersOf(status: number) {
  const text = { schema: { type: "string" }, required: true };
  if (status === 401 || status === 403) return { "WWW-Authenticate": { description: "RFC 6750.", ...text } };
  const description = "Seconds until the next try.";
  if (status === 429) return { "Retry-After": { description, ...text } };
  return status === 503 ? { "Retry-After": { description, ...text, required: false } } : {};
}

function refTo(name: SchemaName) {
  return { $ref: `#/components/schemas/${name}` };
}

/** A schema as JSON Schema. Other schemas of the document are referred to. @param own its name, if it is one of them */
export function toSchema(schema: GenericSchema, own?: string) {
  const {
    $schema: _,
    $defs: __,
    ...converted
  } = toJsonSchema(schema, {
    target: "draft-2020-12",
    errorMode: "ignore",
    definitions: Object.fromEntries(Object.entries(schemas()).filter(([name]) => name !== own)),
    overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
  });
  return converted;
}
