import type { Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import { createMiddleware } from "hono/factory";
import { isSameOrigin, MAX_BODY_BYTES } from "#app/server/request-guards.ts";
import type { AppBindings } from "#worker/types.ts";

/*
 * The outer half of the one gate before every door: body, then origin. Each door says it in its own words. The inner
 * half, from the honeypot on, is app/waitlist/abuse/check-abuse.server.ts.
 */

type Refuse = (c: Context<AppBindings>) => Response | Promise<Response>;

/** Refuses a body over {@link MAX_BODY_BYTES}, whether or not it came with a length. */
export function limitBody(refuse: Refuse) {
  return bodyLimit({ maxSize: MAX_BODY_BYTES, onError: (c) => block(c, "body", refuse) });
}

/** Refuses what a page of somebody else's sent. */
export function requireSameOrigin(refuse: Refuse) {
  return createMiddleware<AppBindings>(async (c, next) => {
    return isSameOrigin(c.req.raw, c.var.app.config.SITE_URL) ? next() : block(c, "origin", refuse);
  });
}

/** Counts a refusal, and answers it. */
export function block<C extends { var: AppBindings["Variables"] }, Answer>(
  c: C,
  reason: "body" | "origin",
  refuse: (c: C) => Answer,
): Answer {
  c.var.app.countBlocked(reason);
  return refuse(c);
}
