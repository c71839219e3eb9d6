import { bodyLimit } from "hono/body-limit";
import { createMiddleware } from "hono/factory";
import { recordAction } from "#app/owner/log.server.ts";
import { hasSessionCookie, readSession } from "#app/owner/sign-in/session.server.ts";
import { Button } from "#app/owner/ui/actions.server.tsx";
import { addressField, Field } from "#app/owner/ui/field.server.tsx";
import type { OwnerBindings, OwnerContext, OwnerHandler } from "#app/owner/ui/owner-context.ts";
import { Page } from "#app/owner/ui/page.server.tsx";
import { readForm } from "#app/server/http/read-form.server.ts";
import { discardBody, isSameOrigin } from "#app/server/http/request-guards.ts";
import { logSampled } from "#app/server/log.ts";
import { site } from "#app/site.ts";

type Refusal = "origin" | "body" | "session" | "link";

/** The response to every unauthorised request. Identical bytes, so it reveals nothing; the log has the reason. */
export function refuse(c: OwnerContext, reason: Refusal): Response | Promise<Response> {
  logSampled("info", "owner-access-refused", { reason });
  c.status(403);
  return c.render(
    <Page title="Owner sign-in" className="prose">
      <p className="lead">
        These pages are for the people who run {site.name}. Enter your address; if it is one of theirs, we’ll email you
        a sign-in link.
      </p>
      <form className="form form-row" method="post" action="/owner/sign-in">
        <Field name="email" label="Your email address" {...addressField} autoComplete="email" required />
        <Button label="Email me a link" />
      </form>
      <p>
        If you were signed in a moment ago, your session has ended. Anything you sent since then, such as a file, was
        not saved.
      </p>
    </Page>,
  );
}

export const refuseOtherSites = createMiddleware<OwnerBindings>(async (c, next) => {
  const isRead = c.req.method === "GET" || c.req.method === "HEAD";
  return isRead || isSameOrigin(c.req.raw, c.var.app.config.SITE_URL) ? next() : refuse(c, "origin");
});

/** @param respond the response, after the form has been read to its end: browsers show none before */
export function limitOwnerForm(maxSize: number, respond?: OwnerHandler) {
  return bodyLimit({
    maxSize,
    async onError(c: OwnerContext) {
      if (respond === undefined) return refuse(c, "body");
      await discardBody(c.req.raw);
      return respond(c);
    },
  });
}

export const parseForm = createMiddleware<OwnerBindings>(async (c, next) => {
  c.set("form", await readForm(c.req.raw));
  await next();
});

/** @param maxBody the largest form of this URL (bytes) */
export function requireSession(maxBody: number) {
  return createMiddleware<OwnerBindings>(async (c, next) => {
    const { app } = c.var;
    const cookies = c.req.header("Cookie");
    const session = await readSession(app, cookies);
    if (session === null) {
      // The browser of an owner whose session has ended shows the response only after it has sent all.
      const isSending = c.req.raw.body !== null;
      if (isSending && (await hasSessionCookie(app, cookies))) await discardBody(c.req.raw, maxBody);
      return refuse(c, "session");
    }
    const { owner, renewal } = session;
    c.set("session", session);
    c.set("owner", owner);
    c.set("record", (action, details) => recordAction(app, { by: owner.email, action, ...(details && { details }) }));
    // Before the handler, because signing out replaces it.
    if (renewal !== null) c.header("Set-Cookie", renewal);
    return next();
  });
}
