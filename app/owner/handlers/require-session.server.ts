import type { Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import { createMiddleware } from "hono/factory";
import { page } from "#app/owner/document.server.tsx";
import type { OwnerBindings } from "#app/owner/handlers/types.ts";
import { isSignedIn } from "#app/owner/session.server.ts";
import { signInView } from "#app/owner/views/sign-in.server.tsx";
import { isSameOrigin, MAX_BODY_BYTES } from "#app/server/request-guards.ts";

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
    return isRead || isSameOrigin(c.req.raw, c.env.app.config.SITE_URL) ? next() : refuse(c);
  }),
  bodyLimit({ maxSize: MAX_BODY_BYTES, onError: refuse }),
] as const;

/** Lets the owner through. */
export const requireSession = createMiddleware<OwnerBindings>(async (c, next) => {
  return (await isSignedIn(c.env.app, c.req.header("Cookie"))) ? next() : refuse(c);
});
