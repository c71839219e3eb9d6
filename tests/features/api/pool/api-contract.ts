import { type Schema, Validator } from "@cfworker/json-schema";
import { expect } from "vitest";
import { createKey } from "#app/features/api/keys/keys.server.ts";
import { apiScopes } from "#app/features/api/keys/scopes.ts";
import type { ApiScope } from "#app/server/db/schema/api-keys.server.ts";
import { apiSite } from "#tests/support/pool/site.ts";
import { db } from "#tests/support/pool/start.ts";

/** An operation of the OpenAPI document, as far as tests read it. */
export interface Operation {
  operationId: string;
  security: { key: [] }[];
  parameters: { name: string; in: "path" | "query"; schema: Schema }[];
  requestBody?: { content: { "application/json": { schema: Schema; example: unknown } } };
  responses: Record<string, DocumentedResponse>;
}

interface DocumentedResponse {
  description: string;
  headers: Record<string, { required?: boolean }>;
  content?: Record<string, { schema: Schema }>;
}

export interface Document {
  openapi: string;
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; parameters: Record<string, { name: string; schema: Schema }> };
}

export interface CallOptions {
  key?: string | undefined;
  body?: unknown;
  headers?: Record<string, string>;
}

/** The API of a site, as `apiSite` makes it. Every response is checked against the OpenAPI document. */
export function contractSite(...options: Parameters<typeof apiSite>) {
  const site = apiSite(...options);
  async function call(method: string, path: string, { key, body, headers = {} }: CallOptions = {}) {
    const init = {
      method,
      headers: {
        ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    };
    const response = await site.request(`/api/v1${path}`, init);
    const text = await response.text();
    checkResponse(await readDocument(), method, path, response, text);
    // Tests compare bodies, which the document has checked.
    return { status: response.status, headers: response.headers, body: text === "" ? null : JSON.parse(text) };
  }

  return { call, request: site.request };
}

let read: Promise<Document> | undefined;

/** The document of the tests' site. Read once: it depends on settings only, which tests of the API leave alone. */
export async function readDocument(): Promise<Document> {
  read ??= (await apiSite().request("/api/v1/openapi.json")).json<Document>();
  return read;
}

/** Makes a key of the test's site. Default: it may do everything. */
export async function newKey(scopes = Object.keys(apiScopes) as ApiScope[], name = "CRM"): Promise<string> {
  const made = await createKey(db, { name, scopes }, Date.now());
  if (made.kind !== "created") throw new Error(made.kind);
  return made.key;
}

/** Every operation of `/api/v1`, with its method and path. Those of the sign-up API have a server of their own. */
export function operationsOf({ paths }: Document) {
  const own = Object.entries(paths).filter(([, operations]) => !("servers" in operations));
  return own.flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );
}

/**
 * Checks the status, the content type, the headers and the body of a response. Members that the document does not have are
 * refused.
 */
export function checkResponse(
  document: Document,
  method: string,
  path: string,
  { status, headers }: Response,
  text: string,
): void {
  const at = path.replace(/\?.*/s, "").replaceAll(/%[2-7][\da-f]/gi, decodeURIComponent);
  const documentedMethod = method === "HEAD" ? "GET" : method;
  const found = operationsOf(document).find((one) => one.method === documentedMethod && toPattern(one.path).test(at));
  const where = `${method} ${at}: ${status} ${text.slice(0, 300)}`;
  const isDocument = documentedMethod === "GET" && at === "/openapi.json" && status === 200;
  const cors = [...headers].filter(([name]) => name.startsWith("access-control-") || name === "timing-allow-origin");
  expect(cors, where).toEqual(isDocument ? [["access-control-allow-origin", "*"]] : []);
  if (found === undefined) {
    expect(status, where).toBeOneOf([400, 404, 405]);
    if (method !== "HEAD") checkBody(document, "Problem", text, where);
    return;
  }
  const documented = found.operation.responses[String(status)];
  if (documented === undefined) throw new Error(`Not documented: ${where}`);
  for (const [name, { required }] of Object.entries(documented.headers)) {
    if (required) expect(headers.has(name), `${where}, ${name}`).toBe(true);
  }
  checkQuota(headers, Object.hasOwn(documented.headers, "RateLimit"), status, where);
  const [[type, content] = ["", undefined]] = Object.entries(documented.content ?? {});
  expect(headers.get("Content-Type") ?? "", where).toBe(type);
  if (content === undefined) expect(text, where).toBe("");
  else if (method !== "HEAD") checkBody(document, String(content.schema.$ref?.split("/").at(-1)), text, where);
}

/** What a response says of its key's quota: nothing where it is not documented, or before the key is counted. */
function checkQuota(headers: Headers, isDocumented: boolean, status: number, where: string): void {
  const [policy, quota] = [headers.get("RateLimit-Policy"), headers.get("RateLimit")];
  if (policy === null && quota === null && (!isDocumented || uncounted.includes(status))) return;
  expect(isDocumented, where).toBe(true);
  expect(policy, where).toBe('"key";q=120;w=60');
  const [, left, seconds] = /^"key";r=(\d{1,3});t=(\d{1,2})$/.exec(quota ?? "") ?? [];
  expect([Number(left), Number(seconds)], `${where}, ${quota}`).toSatisfy(([r, t]) => r < 120 && t >= 1 && t <= 60);
  if (status === 429) expect(Number(left), where).toBe(0);
}

/** Statuses that a request may get for its URL, its size, its key, or because the database fails before it is counted. */
const uncounted = [400, 401, 413, 503, 429];

function checkBody(document: Document, name: string, text: string, where: string): void {
  checkSchema(document, { $ref: `#/components/schemas/${name}` }, text, where);
}

/** Checks a body against a schema, which may refer to those of the document. Members that it does not have are refused. */
export function checkSchema(document: Document, schema: Schema, text: string, where: string): void {
  const { valid, errors } = validatorOf(document, schema).validate(JSON.parse(text));
  expect(valid ? [] : errors.map(({ instanceLocation, error }) => `${instanceLocation} ${error}`), where).toEqual([]);
}

/** Whether a value fulfils a schema of the document. */
export function accepts(document: Document, schema: Schema, value: unknown): boolean {
  return validatorOf(document, schema).validate(value).valid;
}

/** By document and schema: making one goes through the whole document, and tests make hundreds of requests. */
const validators = new WeakMap<Document, Map<string, Validator>>();

function validatorOf(document: Document, schema: Schema): Validator {
  const known = validators.get(document) ?? new Map<string, Validator>();
  validators.set(document, known);
  const name = JSON.stringify(schema);
  const found = known.get(name);
  if (found !== undefined) return found;
  const root = strict({ ...schema, components: { schemas: document.components.schemas } });
  const validator = new Validator(root as Schema, "2020-12", false);
  known.set(name, validator);
  return validator;
}

/** The same schema, in which objects have no other members than those it names. */
function strict<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map(strict) as T;
  if (typeof schema !== "object" || schema === null) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, strict(value)]));
  return (
    "properties" in inner && !("additionalProperties" in inner) ? { ...inner, additionalProperties: false } : inner
  ) as T;
}

function toPattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(".", "\\.").replace("{id}", "\\d{1,15}")}$`);
}
