import type { Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import { createMiddleware } from "hono/factory";
import { page } from "#app/owner/page.server.tsx";
import { isSignedIn } from "#app/owner/session.server.ts";
import { signInView } from "#app/owner/views/sign-in.server.tsx";
import { MAX_BODY } from "#worker/middleware/gate.ts";
import { isOwnOrigin } from "#worker/middleware/origin.ts";
import type { OwnerBindings } from "#worker/owner/types.ts";

/**
 * What everybody gets who is not the owner, or not any more, or not from here: one page, to the byte the same whatever
 * was asked for.
 */
export function refuse(c: Context<OwnerBindings>): Response | Promise<Response> {
  return c.html(page(signInView()), 403);
}

/** Refuses forms of other sites, and bodies that none of ours sends. */
export const ownFormsOnly = [
  createMiddleware<OwnerBindings>(async (c, next) => {
    const isRead = c.req.method === "GET" || c.req.method === "HEAD";
    return isRead || isOwnOrigin(c.req.raw, c.env.app.config.SITE_URL) ? next() : refuse(c);
  }),
  bodyLimit({ maxSize: MAX_BODY, onError: refuse }),
] as const;

/** Lets the owner through. */
export const requireSession = createMiddleware<OwnerBindings>(async (c, next) => {
  return (await isSignedIn(c.env.app, c.req.header("Cookie"))) ? next() : refuse(c);
});
