import type { Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import { createMiddleware } from "hono/factory";
import { isSameOrigin, MAX_BODY_BYTES } from "#app/server/request-guards.ts";
import type { AppBindings } from "#worker/types.ts";

/*
 * The first abuse checks of every entry point: body, then origin. Each entry point supplies its own error response. The
 * other checks, from the honeypot on, are in app/server/abuse/check-abuse.server.ts.
 */

type Respond = (c: Context<AppBindings>) => Response | Promise<Response>;

/** Blocks bodies over a size (bytes), with or without a Content-Length. */
export function limitBody(respond: Respond, maxSize = MAX_BODY_BYTES) {
  return bodyLimit({ maxSize, onError: (c) => block(c, "body", respond) });
}

/** Blocks cross-origin requests. */
export function requireSameOrigin(respond: Respond) {
  return createMiddleware<AppBindings>(async (c, next) => {
    return isSameOrigin(c.req.raw, c.var.app.config.SITE_URL) ? next() : block(c, "origin", respond);
  });
}

/** Counts a blocked request and responds to it. */
export function block<C extends { var: AppBindings["Variables"] }, Result>(
  c: C,
  reason: "body" | "origin",
  respond: (c: C) => Result,
): Result {
  c.var.app.countBlocked(reason);
  return respond(c);
}
