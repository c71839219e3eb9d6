import type { Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import { createMiddleware } from "hono/factory";
import { discardUpload, MAX_UPLOAD_SIZE } from "#app/owner/import/upload.server.ts";
import { MAX_FORM_BYTES } from "#app/owner/letters/read-content.server.ts";
import { hasSessionCookie, readSession } from "#app/owner/sign-in/session.server.ts";
import { signInView } from "#app/owner/sign-in/sign-in-view.server.tsx";
import { renderDocument } from "#app/owner/ui/document.server.tsx";
import type { OwnerBindings } from "#app/owner/ui/owner-context.ts";
import { logSampled } from "#app/server/log.ts";
import { isSameOrigin, MAX_BODY_BYTES } from "#app/server/request-guards.ts";
import { MAX_NOTE_BODY_BYTES } from "#app/waitlist/note.ts";

type Refusal = "origin" | "body" | "session" | "link";

/** The response to every unauthorised request. Identical bytes, so it reveals nothing; the log has the reason. */
export function refuse(c: Context<OwnerBindings>, reason: Refusal): Response | Promise<Response> {
  logSampled("info", "owner-access-refused", { reason });
  return c.html(renderDocument(signInView()), 403);
}

const isEntry = /^\/owner\/entries\/\d+$/;
const refuseBody = (c: Context<OwnerBindings>) => refuse(c, "body");
const noteLimit = bodyLimit({ maxSize: MAX_NOTE_BODY_BYTES, onError: refuseBody });
const formLimit = bodyLimit({ maxSize: MAX_BODY_BYTES, onError: refuseBody });

/** Rejects forms from other sites, and bodies larger than any form here sends. */
export const formGuards = [
  createMiddleware<OwnerBindings>(async (c, next) => {
    const isRead = c.req.method === "GET" || c.req.method === "HEAD";
    return isRead || isSameOrigin(c.req.raw, c.var.app.config.SITE_URL) ? next() : refuse(c, "origin");
  }),
  createMiddleware<OwnerBindings>((c, next) => {
    if (largeFormSize(c) !== null) return next();
    return (isEntry.test(c.req.path) ? noteLimit : formLimit)(c, next);
  }),
] as const;

/**
 * The maximum size (bytes) of a form with a file or a letter; null for others. Their handlers apply it: the body is not
 * read before the session is known.
 */
function largeFormSize({ req }: Context<OwnerBindings>): number | null {
  if (req.method !== "POST") return null;
  if (req.path === "/owner/import") return MAX_UPLOAD_SIZE;
  return /^\/owner\/letters(\/\d+)?$/.test(req.path) ? MAX_FORM_BYTES : null;
}

export const requireSession = createMiddleware<OwnerBindings>(async (c, next) => {
  const { app } = c.var;
  const cookies = c.req.header("Cookie");
  const session = await readSession(app, cookies);
  if (session === null) {
    // The browser of an owner whose session has ended shows the response only after it has sent all.
    const size = largeFormSize(c);
    if (size !== null && (await hasSessionCookie(app, cookies))) await discardUpload(c.req.raw, size);
    return refuse(c, "session");
  }
  c.set("session", session);
  c.set("owner", session.owner);
  // Before the handler, because signing out replaces it.
  if (session.renewal !== null) c.header("Set-Cookie", session.renewal);
  return next();
});
