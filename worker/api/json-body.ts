import { createMiddleware } from "hono/factory";
import { MAX_BODY_BYTES } from "#app/server/request-guards.ts";
import { onlyPost, respondError, respondTooLarge } from "#worker/api/api-error.ts";
import { block, limitBody, requireSameOrigin } from "#worker/middleware/request-guards.ts";
import type { AppBindings } from "#worker/types.ts";

interface JsonBody extends AppBindings {
  Variables: AppBindings["Variables"] & { body: Record<string, unknown> };
}

/**
 * Accepts same-origin POSTs of a JSON object, which it stores in `c.var.body`. Rejects everything else, cheapest check
 * first.
 */
export const jsonBody = [
  onlyPost,
  createMiddleware<JsonBody>(async (c, next) => {
    return /^application\/json\s*(;|$)/i.test(c.req.header("Content-Type") ?? "") ? next() : block(c, "body", notJson);
  }),
  limitBody(respondTooLarge(MAX_BODY_BYTES)),
  createMiddleware<JsonBody>(async (c, next) => {
    const body = parseObject(await c.req.arrayBuffer());
    if (body === null) return block(c, "body", malformedJson);
    c.set("body", body);
    return next();
  }),
  requireSameOrigin(respondError(403, "forbidden-origin", "Requests from other sites are not allowed.")),
] as const;

const notJson = respondError(415, "not-json", "The body must be JSON, with Content-Type: application/json.");
const malformedJson = respondError(400, "malformed-json", "The body must be a JSON object.");

const utf8 = new TextDecoder("utf-8", { fatal: true });

function parseObject(bytes: ArrayBuffer): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(utf8.decode(bytes));
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
