import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { notPost, respondError, respondTooLarge } from "#app/server/http/api-error.server.ts";
import type { AppBindings } from "#app/server/http/bindings.ts";
import { block, limitBody, requireSameOrigin } from "#app/server/http/guards.server.ts";
import { MAX_BODY_BYTES } from "#app/server/http/request-guards.ts";

interface JsonBody extends AppBindings {
  Variables: AppBindings["Variables"] & { body: Record<string, unknown> };
}

type Rejections = Record<"notPost" | "notJson" | "tooLarge" | "malformed" | "foreignOrigin", (c: Context) => Response>;

/** Stores the JSON object of a same-origin POST in `c.var.body`. Rejects all else, cheapest check first. `maxSize`: bytes. */
export function acceptJson(respond: Rejections, maxSize = MAX_BODY_BYTES) {
  return [
    createMiddleware(async (c, next) => (c.req.method === "POST" ? next() : respond.notPost(c))),
    createMiddleware<JsonBody>(async (c, next) => {
      const isJson = /^application\/json\s*(;|$)/i.test(c.req.header("Content-Type") ?? "");
      return isJson ? next() : block(c, "body", respond.notJson);
    }),
    limitBody(respond.tooLarge, maxSize),
    createMiddleware<JsonBody>(async (c, next) => {
      const body = parseObject(await c.req.arrayBuffer());
      if (body === null) return block(c, "body", respond.malformed);
      c.set("body", body);
      return next();
    }),
    requireSameOrigin(respond.foreignOrigin),
  ] as const;
}

/** The same with the errors of `/api`. */
export const jsonBody = acceptJson({
  notPost,
  notJson: respondError(415, "not-json", "The body must be JSON, with Content-Type: application/json."),
  tooLarge: respondTooLarge(MAX_BODY_BYTES),
  malformed: respondError(400, "malformed-json", "The body must be a JSON object."),
  foreignOrigin: respondError(403, "forbidden-origin", "Requests from other sites are not allowed."),
});

const utf8 = new TextDecoder("utf-8", { fatal: true });

function parseObject(bytes: ArrayBuffer): Record<string, unknown> | null {
  try {
    const value = JSON.parse(utf8.decode(bytes));
    return typeof value === "object" && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
