import type { Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import * as v from "valibot";
import {
  type ApiProblem,
  invalidBody,
  type ProblemError,
  respondProblem,
} from "#app/features/api/v1/problem.server.ts";
import type { ApiCall, Query } from "#app/features/api/v1/route.server.ts";
import type { V1Bindings } from "#app/features/api/v1/types.server.ts";

/** The parameters of a query. Unknown, repeated and empty ones are refused, so that a misspelt filter never lists everyone. */
export function readQuery(search: URLSearchParams, parameters: Query): { query: ApiCall["query"] } | ApiProblem {
  const errors: ProblemError[] = [];
  const query: ApiCall["query"] = {};
  for (const name of new Set(search.keys())) {
    if (errors.length >= MAX_ERRORS) break;
    const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    const values = search.getAll(name);
    if (parameter === undefined) errors.push({ parameter: shorten(name), detail: "is not a known parameter" });
    else if (values.length > 1 && !parameter.isList)
      errors.push({ parameter: name, detail: "must be given only once" });
    else {
      for (const value of values) {
        const parsed = v.safeParse(parameter.schema, isNumeric(parameter.schema) ? toNumber(value) : value);
        if (value === "") errors.push({ parameter: name, detail: "must not be empty" });
        else if (!parsed.success) errors.push({ parameter: name, detail: issueDetail(parsed.issues[0]) });
        else query[name] = parsed.output;
      }
    }
  }
  if (errors.length === 0) return { query };
  const texts = errors.map((error) => ("parameter" in error ? `${error.parameter} ${error.detail}` : error.detail));
  return { problem: "invalid-query", detail: `Query parameters are not valid: ${texts.join("; ")}.`, errors };
}

function isNumeric(schema: v.GenericSchema): boolean {
  const { type, options } = schema as v.GenericSchema & { options?: unknown[] };
  return type === "number" || (type === "picklist" && typeof options?.[0] === "number");
}

function toNumber(text: string): number | string {
  return /^\d{1,9}$/.test(text) ? Number(text) : text;
}

/** A name that the client made up may be long. */
function shorten(name: string): string {
  return name.slice(0, 40).toWellFormed();
}

/** The longest note takes 12 KB, if each of its characters is escaped. */
const MAX_JSON_BYTES = 32_768;

/** Of a long list of errors, the first ones help. */
const MAX_ERRORS = 20;

/** Refuses larger bodies, with or without a Content-Length. */
export const limitJsonBody = bodyLimit({
  maxSize: MAX_JSON_BYTES,
  onError: (c) =>
    respondProblem(c, { problem: "too-large", detail: `The body must not exceed ${MAX_JSON_BYTES} bytes.` }),
});

/** The body of a request, checked by a schema. Unknown fields are refused. */
export async function readJsonBody<S extends v.GenericSchema>(
  c: Context<V1Bindings>,
  schema: S,
): Promise<{ body: v.InferOutput<S> } | ApiProblem> {
  if (!/^application\/json\s*(;|$)/i.test(c.req.header("Content-Type") ?? "")) {
    return { problem: "not-json", detail: "Send JSON, with Content-Type: application/json." };
  }
  const given = parseObject(await c.req.arrayBuffer());
  if (given === null) return { problem: "malformed-json", detail: "The body must be a JSON object in UTF-8." };
  const parsed = v.safeParse(schema, given, { abortPipeEarly: true });
  if (parsed.success) return { body: parsed.output };
  const errors: ProblemError[] = parsed.issues
    .slice(0, MAX_ERRORS)
    .map((issue) => ({ pointer: pointerOf(issue), detail: issueDetail(issue) }));
  return invalidBody(errors);
}

/** A JSON pointer as a fragment (RFC 6901, section 6), as RFC 9457 has it in its example. */
function pointerOf({ path }: v.BaseIssue<unknown>): string {
  const names = (path ?? []).map(({ key }) => `/${encode(String(key))}`);
  return `#${names.join("")}`;
}

function encode(name: string): string {
  return encodeURIComponent(name.slice(0, 80).toWellFormed().replaceAll("~", "~0").replaceAll("/", "~1"));
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function parseObject(bytes: ArrayBuffer): object | null {
  try {
    const value: unknown = JSON.parse(utf8.decode(bytes));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/** What is wrong with a value, without the value itself: `must be a string`. */
function issueDetail({ type, expected, requirement, message }: v.BaseIssue<unknown>): string {
  if (type === "strict_object" && expected === "never") return "is not a known field";
  if (type === "strict_object" && expected?.startsWith('"')) return "is missing";
  // Ours: see the schemas.
  if (type === "regex" || type === "check") return message;
  const known = details[type];
  return known === undefined ? `must be ${expected ?? "valid"}` : known(requirement, expected ?? "");
}

const details: Record<string, (requirement: unknown, expected: string) => string> = {
  string: () => "must be a string",
  number: () => "must be a whole number",
  integer: () => "must be a whole number",
  boolean: () => "must be true or false",
  strict_object: () => "must be an object",
  min_entries: () => "must have at least one field",
  min_length: () => "must not be empty",
  max_length: (max) => `must have at most ${max} characters`,
  min_value: (min) => `must be at least ${min}`,
  max_value: (max) => `must be at most ${max}`,
  picklist: (_, expected) =>
    `must be ${expected.includes("|") ? "one of " : ""}${expected.replace(/[()"]/g, "").replaceAll(" | ", ", ")}`,
  iso_timestamp: () => "must be a time, such as 2026-10-05T09:30:00Z",
};
