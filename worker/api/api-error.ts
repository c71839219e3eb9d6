import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";

/** The one shape of an API error: `code` for programs, `message` for the visitor. */
export function apiError(
  c: Context,
  status: number,
  code: string,
  message: string,
  headers: Record<string, string> = {},
) {
  return c.json({ ok: false, error: { code, message } }, status as ContentfulStatusCode, headers);
}
