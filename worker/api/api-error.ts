import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { newErrorReference } from "#app/server/error-reference.ts";
import { logError } from "#app/server/log.ts";

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

/**
 * Handles an exception: logs it, and responds with 503.
 *
 * @param describe the message for visitors, with the reference of the log line
 */
export function respondUnavailable(describe: (reference: string) => string) {
  return (error: Error, c: Context) => {
    const reference = newErrorReference();
    logError("api-failed", error, { reference, path: c.req.path });
    return apiError(c, 503, "unavailable", describe(reference));
  };
}
