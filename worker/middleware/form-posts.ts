import type { MiddlewareHandler } from "hono";
import { limitBody, requireOwnOrigin } from "#worker/middleware/gate.ts";
import type { AppBindings } from "#worker/types.ts";

const METHODS = "GET, HEAD, POST";

/**
 * What the API checks for itself, for the forms of pages: method, size and origin of whatever is not a plain read. A
 * mail program's one-click unsubscribe passes, since it is small and names no origin.
 */
export const guardFormPosts = [
  unlessRead(async (c, next) => {
    return c.req.method === "POST" ? next() : c.text(`This page answers ${METHODS}.\n`, 405, { Allow: METHODS });
  }),
  unlessRead(limitBody((c) => c.text("This form is too large. Please go back and shorten what you typed.\n", 413))),
  unlessRead(
    requireOwnOrigin((c) => {
      const { SITE_URL } = c.var.app.config;
      return c.text(`This form can only be sent from ${SITE_URL}. Please open that page and try again.\n`, 403);
    }),
  ),
] as const;

function unlessRead(check: MiddlewareHandler<AppBindings>): MiddlewareHandler<AppBindings> {
  return (c, next) => (c.req.method === "GET" || c.req.method === "HEAD" ? next() : check(c, next));
}
