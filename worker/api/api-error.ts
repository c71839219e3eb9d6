import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";

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
