import { toJsonSchema } from "@valibot/to-json-schema";
import type { GenericSchema } from "valibot";
import { apiScopes } from "#app/features/api/keys/scopes.ts";
import { type ApiProblemCode, problems } from "#app/features/api/v1/problem.server.ts";
import type { ApiRoute, QueryParameter } from "#app/features/api/v1/route.server.ts";
import { schemas } from "#app/features/api/v1/schemas/index.server.ts";
import type { Config } from "#app/server/config/config.server.ts";
import { perSettings } from "#app/server/config/settings.server.ts";
import {
  errorResponses,
  headerOf,
  type JsonSchema,
  type OpenApiDocument,
  type OpenApiPart,
  type Operation,
  openApiOf,
  type Parameter,
  type PathItem,
  refTo,
  requestBodyOf,
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
  const components = { schemas: Object.fromEntries(converted), headers: quotaHeaders };
  return { tags: [...new Set(routes.map(tagOf))], paths, components };
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

function operation(route: ApiRoute): Operation {
  const { id, summary, description, scope, query = {}, path, body, responses } = route;
  const quota = scope === "public" ? {} : quotaRefs;
  const successes = Object.entries(responses).map(([status, { description, schema, headers = {} }]) => {
    const described = Object.entries(headers).map(([name, text]) => [name, headerOf(text)]);
    const content = schema && { "application/json": { schema: refTo("schemas", schema) } };
    return [status, { description, headers: { ...Object.fromEntries(described), ...quota }, content }];
  });
  const failures = problemsOf(route).map((code) => [code, problems[code][0], `${problems[code][1]}.`] as const);
  return {
    operationId: id,
    summary,
    description: [description ?? [], accessOf(scope)].flat().join(" "),
    tags: [tagOf(route).name],
    security: scope === "public" ? [] : [{ key: [] }],
    parameters: [...(path.includes("{id}") ? [idParameter] : []), ...Object.entries(query).map(queryParameter)],
    ...(body === undefined ? {} : { requestBody: requestBodyOf(body.name, body.example) }),
    responses: {
      ...Object.fromEntries(successes),
      ...errorResponses(failures, {
        type: "application/problem+json",
        schema: "Problem",
        headers: (status) => ({ ...(status === 401 || status === 403 ? challenge : {}), ...quota }),
      }),
    },
  };
}

const idParameter: Parameter = {
  name: "id",
  in: "path",
  description: "The `id` that lists return.",
  required: true,
  schema: { type: "integer", minimum: 1 },
};

function queryParameter([name, { schema, isList }]: [string, QueryParameter]): Parameter {
  const { description = "", ...value } = toSchema(schema);
  return { name, in: "query", description, required: false, schema: isList ? { type: "array", items: value } : value };
}

/** In words, because in OpenAPI only OAuth has scopes that linters know. */
function accessOf(scope: ApiRoute["scope"]): string {
  if (scope === "public") return "Needs no key.";
  return scope === null ? "Any key will do." : `Needs the scope \`${scope}\`: ${apiScopes[scope]?.toLowerCase()}.`;
}

const challenge = { "WWW-Authenticate": headerOf("What the key lacks (RFC 6750).") };

/** In responses to requests that count against their key. */
const quotaHeaders = {
  "RateLimit-Policy": headerOf("A key may make `q` requests in `w` seconds at each Cloudflare location.", false),
  RateLimit: headerOf("At most `r` requests are left for `t` seconds: an estimate, which may be too high.", false),
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
