import { bodyLimit } from "hono/body-limit";
import { createMiddleware } from "hono/factory";
import { apiError } from "#worker/api/api-error.ts";
import { MAX_BODY } from "#worker/middleware/form-posts.ts";
import { isOwnOrigin } from "#worker/middleware/origin.ts";
import type { AppBindings } from "#worker/types.ts";

interface JsonBody extends AppBindings {
  Variables: AppBindings["Variables"] & { body: Record<string, unknown> };
}

const limitBody = bodyLimit({
  maxSize: MAX_BODY,
  onError: (c) => apiError(c, 413, "too-large", `The body may hold ${MAX_BODY} bytes at most.`),
});

/**
 * Lets a POST with a JSON object from our own pages through, as `c.var.body`; answers everything else itself,
 * cheapest check first.
 */
export const jsonBody = [
  createMiddleware<JsonBody>(async (c, next) => {
    if (c.req.method !== "POST") {
      return apiError(c, 405, "method-not-allowed", "Only POST is answered here.", { Allow: "POST" });
    }
    if (!/^application\/json\s*(;|$)/i.test(c.req.header("Content-Type") ?? "")) {
      return apiError(c, 415, "not-json", "The body must be JSON, with Content-Type: application/json.");
    }
    return next();
  }),
  limitBody,
  createMiddleware<JsonBody>(async (c, next) => {
    if (!isOwnOrigin(c.req.raw, c.var.app.config.SITE_URL)) {
      return apiError(c, 403, "forbidden-origin", "Requests from other sites are not answered here.");
    }
    const body = parseObject(await c.req.arrayBuffer());
    if (body === null) return apiError(c, 400, "malformed-json", "The body must be one JSON object.");
    c.set("body", body);
    return next();
  }),
] as const;

function parseObject(bytes: ArrayBuffer): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
