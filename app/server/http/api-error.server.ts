import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { toFailureMessage } from "#app/server/http/failure.server.ts";

/** The response of every API error: `code` for programs, `message` for visitors, and further fields. */
export function apiError(
  c: Context,
  status: number,
  code: string,
  message: string,
  headers: Record<string, string> = {},
  fields: object = {},
) {
  return c.json({ ok: false, error: { code, message }, ...fields }, status as ContentfulStatusCode, headers);
}

export function respondError(
  ...error: [status: number, code: string, message: string, headers?: Record<string, string>]
) {
  return (c: Context) => apiError(c, ...error);
}

export const onlyPost = createMiddleware(async (c, next) => (c.req.method === "POST" ? next() : notPost(c)));

export const notPost = respondError(405, "method-not-allowed", "Only POST is allowed.", { Allow: "POST" });

export function respondTooLarge(maxSize: number) {
  return respondError(413, "too-large", `The body must not exceed ${maxSize} bytes.`);
}

export function respondUnavailable(toMessage: (reference: string) => string) {
  return (error: Error, c: Context) => {
    const failure = { event: "api-failed", path: c.req.path };
    return apiError(c, 503, "unavailable", toFailureMessage(error, failure, toMessage, Date.now()));
  };
}
