import { bodyLimit } from "hono/body-limit";
import { createMiddleware } from "hono/factory";
import { isOwnOrigin } from "#worker/middleware/origin.ts";
import type { AppBindings } from "#worker/types.ts";

/** Bytes; a sign-up is a few hundred. */
export const MAX_BODY = 4096;

const METHODS = "GET, HEAD, POST";

const limitBody = bodyLimit({
  maxSize: MAX_BODY,
  onError: (c) => c.text("This form is too large. Please go back and shorten what you typed.\n", 413),
});

/** What the API checks for itself, for the forms of pages: method, size and origin of whatever is not a plain read. */
export const guardFormPosts = createMiddleware<AppBindings>(async (c, next) => {
  if (c.req.method === "GET" || c.req.method === "HEAD") return next();
  if (c.req.method !== "POST") {
    return c.text(`This page answers ${METHODS}.\n`, 405, { Allow: METHODS });
  }
  if (!isOwnOrigin(c.req.raw, c.var.app.config.SITE_URL)) {
    return c.text(
      `This form can only be sent from ${c.var.app.config.SITE_URL}. Please open that page and try again.\n`,
      403,
    );
  }
  return limitBody(c, next);
});
