import { bodyLimit } from "hono/body-limit";
import { createMiddleware } from "hono/factory";
import { recordAction } from "#app/owner/log.server.ts";
import { hasSessionCookie, readSession } from "#app/owner/sign-in/session.server.ts";
import { Button } from "#app/owner/ui/actions.server.tsx";
import { addressField, Field } from "#app/owner/ui/field.server.tsx";
import type { OwnerBindings, OwnerContext, OwnerHandler } from "#app/owner/ui/owner-context.ts";
import { Page, Section } from "#app/owner/ui/page.server.tsx";
import { fieldLabel } from "#app/owner/versions/version-views.server.tsx";
import { noScriptCsp } from "#app/server/http/csp.server.ts";
import { readForm } from "#app/server/http/read-form.server.ts";
import { discardBody, isSameOrigin } from "#app/server/http/request-guards.ts";
import { logSampled } from "#app/server/log.ts";
import { site } from "#app/site.ts";

type Refusal = "origin" | "body" | "session" | "link";

/**
 * The response to every unauthorised request. Identical bytes, so it reveals nothing; the log has the reason. Only the
 * browser of an owner whose session has ended gets back the form that it has sent.
 */
export function refuse(c: OwnerContext, reason: Refusal, kept?: FormData): Response | Promise<Response> {
  logSampled("info", "owner-access-refused", { reason });
  c.status(403);
  return c.render(
    <Page title="Owner sign-in" className="prose">
      {kept === undefined ? (
        <p className="lead">
          These pages are for the people who run {site.name}. Enter your address; if it is one of theirs, we’ll email
          you a sign-in link.
        </p>
      ) : (
        <p className="lead">
          Your session has ended, so what you sent is not saved yet. It is kept on this page: sign in, then send it
          again below.
        </p>
      )}
      {/* In another tab, so that this page stays. */}
      <form
        className="form form-row"
        method="post"
        action="/owner/sign-in"
        target={kept === undefined ? undefined : "_blank"}
      >
        <Field name="email" label="Your email address" {...addressField} autoComplete="email" required />
        <Button label="Email me a link" />
      </form>
      {kept === undefined ? (
        <p>
          If you were signed in a moment ago, your session has ended. Anything you sent since then, such as a file, was
          not saved.
        </p>
      ) : (
        <KeptForm action={c.req.path + new URL(c.req.url).search} form={kept} />
      )}
    </Page>,
  );
}

/** What was sent, to be read and to be sent again. Files cannot be kept in a page. */
function KeptForm({ action, form }: { action: string; form: FormData }) {
  const fields = [...form].flatMap(([name, value]) => (typeof value === "string" ? [[name, value] as const] : []));
  const isText = (name: string, value: string) => !controls.includes(name) && value !== "";
  const hasFile = [...form.values()].some((value) => typeof value !== "string");
  return (
    <Section id="kept" title="What you sent">
      {hasFile ? <p>The file could not be kept. Choose it again once you are signed in.</p> : null}
      <form className="form" method="post" action={action}>
        {fields.map(([name, value], index) =>
          isText(name, value) ? (
            <Field
              // biome-ignore lint/suspicious/noArrayIndexKey: a name can come twice
              key={index}
              id={`kept-${index}`}
              name={name}
              label={fieldLabel(name)}
              {...(value.length > 60 || value.includes("\n")
                ? { rows: Math.min(20, value.split("\n").length + 3) }
                : {})}
              value={value}
            />
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: a name can come twice
            <input key={index} type="hidden" name={name} value={value} />
          ),
        )}
        {hasFile ? null : <Button label="Send it again" />}
      </form>
    </Section>
  );
}

/** Fields that no one types into. */
const controls = [
  ...["intent", "version", "form", "draft", "checked", "newest", "back", "count", "when", "key", "entry", "letter"],
  ...["preview-width", "preview-scheme", "autosave"],
];

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

/** In the frame of a preview, beside the text that it would show. */
function refuseInFrame(c: OwnerContext): Response | Promise<Response> {
  c.status(403);
  return c.render(
    <Page title="No preview" className="prose">
      <p>Your session has ended.</p>
    </Page>,
    { policy: noScriptCsp.replace("frame-ancestors 'none'", "frame-ancestors 'self'") },
  );
}

/** The largest form that is shown again (bytes): a text, but no file of an import. */
const MAX_KEPT = 1_000_000;

/** Shows the form that was sent after the session had ended, unless it is too large. */
async function keepForm(c: OwnerContext, maxBody: number): Promise<Response> {
  const tooLarge = bodyLimit({
    maxSize: Math.min(maxBody, MAX_KEPT),
    async onError(c: OwnerContext) {
      // The browser shows the response only after it has sent all.
      await discardBody(c.req.raw, maxBody);
      return refuse(c, "session");
    },
  });
  let response: Response | undefined;
  const refused = await tooLarge(c, async () => {
    const form = await readForm(c.req.raw);
    // A button alone is no text: whoever has signed in presses it on its own page, which says what it does.
    const isEmpty = [...form].every(([name, value]) => value === "" || controls.includes(name));
    response = await refuse(c, "session", isEmpty ? undefined : form);
  });
  return response ?? refused ?? refuse(c, "session");
}

/** @param maxBody the largest form of this URL (bytes) */
export function requireSession(maxBody: number) {
  return createMiddleware<OwnerBindings>(async (c, next) => {
    const { app } = c.var;
    // Who the owners are is not known.
    if (app.settingsFailure !== null) throw app.settingsFailure;
    const cookies = c.req.header("Cookie");
    const session = await readSession(app, cookies);
    if (session === null) {
      const isSending = c.req.raw.body !== null;
      if (!isSending || !(await hasSessionCookie(app, cookies))) return refuse(c, "session");
      return c.req.header("Sec-Fetch-Dest") === "iframe" ? refuseInFrame(c) : keepForm(c, maxBody);
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
