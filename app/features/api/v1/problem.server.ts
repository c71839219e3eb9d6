import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { V1Bindings } from "#app/features/api/v1/types.server.ts";

/** Every error of the API: its status and what it is called. Programs may rely on the keys, see `docs/api.md`. */
export const problems = {
  "not-https": [400, "Only https is allowed"],
  "key-in-url": [400, "A key must never be in a URL"],
  "invalid-query": [400, "A query parameter is not valid"],
  "malformed-json": [400, "The body is not a JSON object"],
  "no-key": [401, "A key is needed"],
  "invalid-key": [401, "The key is not valid"],
  "wrong-scope": [403, "The key lacks the scope for this"],
  "not-found": [404, "Not found"],
  "method-not-allowed": [405, "The method is not allowed here"],
  "address-refused": [409, "The address may not be used"],
  "cursor-expired": [410, "The cursor is too old"],
  "too-large": [413, "The body is too large"],
  "not-json": [415, "The body must be JSON"],
  "invalid-body": [422, "A field of the body is not valid"],
  "too-many-requests": [429, "Too many requests"],
  unavailable: [503, "Something went wrong on our side"],
} as const satisfies Record<string, [status: number, title: string]>;

export type ApiProblemCode = keyof typeof problems;

/** What is wrong with one parameter, or with one field of a body (a JSON pointer, RFC 6901). */
export type ProblemError = { parameter: string; detail: string } | { pointer: string; detail: string };

export interface ApiProblem {
  problem: ApiProblemCode;
  /** A sentence about this request. */
  detail: string;
  errors?: ProblemError[];
  headers?: Record<string, string>;
}

/** @param detail goes on after the name of the parameter */
export function invalidParameter(parameter: string, detail: string): ApiProblem {
  return { problem: "invalid-query", detail: `The parameter ${parameter} ${detail}.`, errors: [{ parameter, detail }] };
}

export function invalidBody(errors: ProblemError[]): ApiProblem {
  return { problem: "invalid-body", detail: "Some fields of the body are not valid.", errors };
}

/** Responds with problem details (RFC 9457). */
export function respondProblem(
  c: Context<V1Bindings>,
  { problem, detail, errors, headers = {} }: ApiProblem,
): Response {
  const [status, title] = problems[problem];
  const type = `${c.env.app.config.SITE_URL}/api/v1#${problem}`;
  const body = { type, title, status, detail, code: problem, ...(errors === undefined ? {} : { errors }) };
  return c.body(JSON.stringify(body), status as ContentfulStatusCode, {
    "Content-Type": "application/problem+json",
    ...headers,
  });
}
