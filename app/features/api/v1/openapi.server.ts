import { toJsonSchema } from "@valibot/to-json-schema";
import type { GenericSchema } from "valibot";
import { apiScopes } from "#app/features/api/keys/scopes.ts";
import { type ApiProblemCode, problems } from "#app/features/api/v1/problem.server.ts";
import type { ApiRoute } from "#app/features/api/v1/route.server.ts";
import { schemas } from "#app/features/api/v1/schemas/index.server.ts";
import type { Config } from "#app/server/config/config.server.ts";
import { perSettings } from "#app/server/config/settings.server.ts";
import {
  type JsonSchema,
  type OpenApiDocument,
  type OpenApiPart,
  type OpenApiResponse,
  type Operation,
  openApiOf,
  type PathItem,
  refTo,
} from "#app/server/http/openapi.ts";
import { perEnv } from "#app/server/per-env.ts";
import { site } from "#app/site.ts";
import { signUpPart } from "#app/waitlist/sign-up/openapi.server.ts";

/** Parts of features that can be deleted: a file each, which is found by its folder. */
const ofFeatures = import.meta.glob<(() => OpenApiPart)[]>("./parts/*.ts", { eager: true, import: "parts" });

/**
 * The OpenAPI 3.1 document of some routes, with that of sign-ups and webhooks. Made once in an isolate, until its settings
 * change: anyone may ask for it without limit.
 */
export const openApi = perEnv((routes: readonly ApiRoute[]) =>
  perEnv(({ SITE_URL }: Pick<Config, "SITE_URL">) => perSettings(() => documentOf(routes, SITE_URL))),
);

/** The same as text. */
export const openApiText = perEnv((document: OpenApiDocument) => JSON.stringify(document));

function documentOf(routes: readonly ApiRoute[], siteUrl: string): OpenApiDocument {
  const featureParts = Object.values(ofFeatures).flat();
  return openApiOf([partOf(routes), signUpPart(siteUrl), ...featureParts.map((create) => create())], {
    info: {
      title: `${site.name} API`,
      version: "1",
      description: `Lets other programs read or change the list. Readable version: ${siteUrl}/api/v1`,
      contact: { name: site.name, url: siteUrl },
      license: { name: "MIT", url: "https://opensource.org/license/mit" },
    },
    servers: [{ url: `${siteUrl}/api/v1` }],
    security: [{ key: [] }],
    securitySchemes: { key: { type: "http", scheme: "bearer", description: "A key from the owner’s page “API”." } },
  });
}

const tags: Record<string, OpenApiPart["tags"][number]> = {
  entries: { name: "Entries", description: "People on the list: an entry each, with answers and consent." },
  stats: { name: "Stats", description: "The numbers of the owner’s overview, without anyone’s address." },
  letters: { name: "Letters", description: "What the owner writes to many people, and what became of it." },
  key: { name: "Key", description: "What a key may do." },
  "openapi.json": { name: "Document", description: "This description, for tools." },
};

function tagOf({ path }: ApiRoute) {
  return tags[path.split("/")[1] ?? ""] ?? { name: "Other", description: "All else." };
}

function partOf(routes: readonly ApiRoute[]): OpenApiPart {
  const paths: Record<string, PathItem> = {};
  for (const route of routes) paths[route.path] = { ...paths[route.path], [route.method]: operation(route) };
  const converted = Object.entries(schemas()).map(([name, schema]) => [name, toSchema(schema, name)]);
  return {
    tags: [...new Set(routes.map(tagOf))],
    paths,
    components: { schemas: Object.fromEntries(converted), headers: quotaHeaders },
  };
}

/** The problems of a route: those that follow from what it needs, and its own. */
function problemsOf({ scope, path, body, problems: own = [] }: ApiRoute): ApiProblemCode[] {
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

const idParameter = {
  name: "id",
  in: "path",
  description: "The number of the entry or letter.",
  required: true,
  schema: { type: "integer", minimum: 1 },
} as const;

function operation(route: ApiRoute): Operation {
  const { id, summary, description, scope, query = {}, path, body, responses } = route;
  const parameters = Object.entries(query).map(([name, { schema, isList }]) => {
    const { description = "", ...value } = toSchema(schema);
    return {
      name,
      in: "query" as const,
      description,
      required: false,
      schema: isList ? { type: "array", items: value } : value,
    };
  });
  return {
    operationId: id,
    summary,
    description: [description ?? [], accessOf(scope)].flat().join(" "),
    tags: [tagOf(route).name],
    security: scope === "public" ? [] : [{ key: [] }],
    parameters: [...(path.includes("{id}") ? [idParameter] : []), ...parameters],
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: { "application/json": { schema: refTo("schemas", body.name), example: body.example } },
          },
        }),
    responses: Object.fromEntries(
      [...Object.entries(responses).map(success), ...failures(problemsOf(route))].map(([status, response]) => [
        status,
        scope === "public" ? response : { ...response, headers: { ...response.headers, ...quotaRefs } },
      ]),
    ),
  };
}

/** In words, because in OpenAPI only OAuth has scopes that linters know. */
function accessOf(scope: ApiRoute["scope"]): string {
  if (scope === "public") return "Needs no key.";
  return scope === null ? "Any key will do." : `Needs the scope \`${scope}\`: ${apiScopes[scope]?.toLowerCase()}.`;
}

function success([status, { description, schema, headers = {} }]: [string, ApiRoute["responses"][number]]) {
  const described = Object.entries(headers).map(([name, text]) => [name, header(text)]);
  const content = schema && { "application/json": { schema: refTo("schemas", schema) } };
  return [status, { description, headers: Object.fromEntries(described), content }] as const;
}

function failures(codes: ApiProblemCode[]) {
  const byStatus = Map.groupBy(codes, (code) => problems[code][0]);
  return Array.from(byStatus, ([status, same]) => {
    const description = same.map((code) => `\`${code}\`: ${problems[code][1]}.`).join(" ");
    const content = { "application/problem+json": { schema: refTo("schemas", "Problem") } };
    return [String(status), { description, headers: headersOf(status), content }] as const;
  });
}

function headersOf(status: number): NonNullable<OpenApiResponse["headers"]> {
  if (status === 401 || status === 403) return { "WWW-Authenticate": header("What the key lacks (RFC 6750).") };
  if (status === 429 || status === 503) return { "Retry-After": header("Seconds until the next try.", status === 429) };
  return {};
}

function header(description: string, required = true) {
  return { description, required, schema: { type: "string" } };
}

/** In responses to requests that count against their key. */
const quotaHeaders = {
  "RateLimit-Policy": header("The key may make `q` requests in `w` seconds at each of Cloudflare’s locations.", false),
  RateLimit: header("At most `r` requests are left for `t` seconds: an estimate, which may be too high.", false),
};

const quotaRefs = Object.fromEntries(Object.keys(quotaHeaders).map((name) => [name, refTo("headers", name)]));

/** A schema as JSON Schema. Other schemas of the document are referred to. @param own its name, if it is one of them */
function toSchema(schema: GenericSchema, own?: string): JsonSchema {
  const {
    $schema: _,
    $defs: __,
    ...converted
  } = toJsonSchema(schema, {
    target: "draft-2020-12",
    errorMode: "ignore",
    definitions: Object.fromEntries(Object.entries(schemas()).filter(([name]) => name !== own)),
    overrideRef: ({ referenceId }) => refTo("schemas", referenceId).$ref,
  });
  return converted as JsonSchema;
}
