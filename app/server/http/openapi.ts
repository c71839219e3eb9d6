/** A schema of an OpenAPI 3.1 document (JSON Schema 2020-12), as far as this site uses it. */
export interface JsonSchema {
  $ref?: string;
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  description?: string;
  default?: unknown;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  minProperties?: number;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  additionalProperties?: boolean | JsonSchema;
}

interface Reference {
  $ref: string;
}

export interface Header {
  description: string;
  required: boolean;
  schema: JsonSchema;
}

export interface Parameter extends Header {
  name: string;
  in: "query" | "path" | "header";
}

interface JsonContent {
  schema: JsonSchema;
  example?: unknown;
}

export interface OpenApiResponse {
  description: string;
  headers?: Record<string, Header | Reference>;
  /** By its type. */
  content?: Record<string, JsonContent> | undefined;
}

export interface Operation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  /** Empty if no key is needed. */
  security: { key: [] }[];
  parameters?: (Parameter | Reference)[];
  requestBody?: { required: true; content: { "application/json": JsonContent } };
  responses: Record<string, OpenApiResponse>;
}

/** Operations by method. */
export type PathItem = { servers?: { url: string }[] } & Partial<
  Record<"get" | "post" | "patch" | "delete", Operation>
>;

/** What one part of the site adds to the document. Only what an operation refers to gets into it. */
export interface OpenApiPart {
  tags: { name: string; description: string }[];
  paths?: Record<string, PathItem>;
  webhooks?: Record<string, PathItem>;
  components: {
    schemas: Record<string, JsonSchema>;
    parameters?: Record<string, Parameter>;
    headers?: Record<string, Header>;
  };
}

interface Head {
  info: { title: string; version: string; description: string; contact: object; license: object };
  servers: { url: string }[];
  security: object[];
  securitySchemes: object;
}

export interface OpenApiDocument extends Required<Omit<OpenApiPart, "components">>, Omit<Head, "securitySchemes"> {
  openapi: string;
  components: Required<OpenApiPart["components"]> & Pick<Head, "securitySchemes">;
}

/** The document of several parts. It has only those of their components that an operation needs. */
export function openApiOf(parts: OpenApiPart[], { securitySchemes, ...head }: Head): OpenApiDocument {
  const paths = Object.assign({}, ...parts.map((part) => part.paths));
  const webhooks = Object.assign({}, ...parts.map((part) => part.webhooks));
  const used = { schemas: {}, parameters: {}, headers: {} };
  for (const { components } of parts) addUsed(used, { paths, webhooks }, components);
  const tags = parts.flatMap((part) => part.tags);
  return { openapi: "3.1.0", ...head, tags, paths, webhooks, components: { ...used, securitySchemes } };
}

/** Adds the components that a part of the document refers to, and those that they refer to. */
function addUsed(used: OpenApiPart["components"], by: object, all: OpenApiPart["components"]): void {
  for (const [, kind = "", name = ""] of JSON.stringify(by).matchAll(/"#\/components\/(\w+)\/([\w-]+)"/g)) {
    const found = all[kind as "schemas"]?.[name];
    const known = used[kind as "schemas"];
    if (found === undefined || name in known) continue;
    known[name] = found;
    addUsed(used, found, all);
  }
}

interface ErrorBody {
  type: string;
  /** The name of its schema. */
  schema: string;
  /** Further headers of all errors, or of those with a status. */
  headers?: (status: number) => OpenApiResponse["headers"];
}

/** Responses with errors: the code of each, its status, and when there is such an error. */
export function errorResponses(
  errors: (readonly [code: string, status: number, when: string])[],
  { type, schema, headers }: ErrorBody,
): Record<string, OpenApiResponse> {
  const byStatus = Map.groupBy(errors, ([, status]) => status);
  const responses = Array.from(byStatus, ([status, same]) => {
    const description = same.map(([code, , when]) => `\`${code}\`: ${when}`).join(" ");
    const content = { [type]: { schema: refTo("schemas", schema) } };
    return [String(status), { description, headers: { ...errorHeaders[status], ...headers?.(status) }, content }];
  });
  return Object.fromEntries(responses);
}

export function headerOf(description: string, required = true): Header {
  return { description, required, schema: { type: "string" } };
}

const errorHeaders: Record<number, Record<string, Header>> = {
  405: { Allow: headerOf("The methods that are allowed.") },
  429: { "Retry-After": headerOf("Seconds until the next try.") },
  503: { "Retry-After": headerOf("Seconds until the next try.", false) },
};

/** The JSON body of a request. */
export function requestBodyOf(name: string, example?: unknown): NonNullable<Operation["requestBody"]> {
  return { required: true, content: { "application/json": { schema: refTo("schemas", name), example } } };
}

export function refTo(kind: keyof OpenApiPart["components"], name: string): Reference {
  return { $ref: `#/components/${kind}/${name}` };
}

/** Schemas of members, each by its description. */
export const described = {
  text: (description: string, more: JsonSchema = {}): JsonSchema => ({ type: "string", description, ...more }),
  count: (description: string): JsonSchema => ({ type: "integer", minimum: 0, description }),
  time: (description: string): JsonSchema => ({ type: "string", format: "date-time", description }),
};

export function orNull({ description = "", ...schema }: JsonSchema): JsonSchema {
  return { anyOf: [schema, { type: "null" }], description };
}

/** An object with these members, of which some are optional. */
export function objectOf(properties: Record<string, JsonSchema>, optional: string[] = []): JsonSchema {
  return {
    type: "object",
    properties,
    required: Object.keys(properties).filter((name) => !optional.includes(name)),
  };
}
