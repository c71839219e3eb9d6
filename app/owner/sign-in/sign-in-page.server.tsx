import { sendEmail } from "#app/email/sender.server.ts";
import { forgettingScript } from "#app/owner/editor/writing-form.server.tsx";
import { recordAction } from "#app/owner/log.server.ts";
import { refuse, requireSession } from "#app/owner/sign-in/guards.server.tsx";
import { knownBrowser, rememberBrowser } from "#app/owner/sign-in/known-browser.server.ts";
import {
  deleteCookie,
  endAllSessions,
  endSession,
  hasSessionCookie,
  readSession,
  startSession,
} from "#app/owner/sign-in/session.server.ts";
import {
  type Asker,
  consumeSignInToken,
  isSignInTokenValid,
  storeEmailedToken,
} from "#app/owner/sign-in/sign-in-tokens.server.ts";
import { ButtonForm } from "#app/owner/ui/actions.server.tsx";
import type { OwnerContext, OwnerHandler } from "#app/owner/ui/owner-context.ts";
import { Advanced, Page } from "#app/owner/ui/page.server.tsx";
import { clearSearch } from "#app/owner/ui/search-cookie.server.ts";
import { hashNetwork } from "#app/server/abuse/network-hash.server.ts";
import { withinKeyLimit, withinRateLimits } from "#app/server/abuse/rate-limits.server.ts";
import type { AppContext } from "#app/server/context.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { requireQuota } from "#app/server/db/daily-quota.server.ts";
import { ownerEmailUpsert } from "#app/server/db/enqueue-email.server.ts";
import { normaliseEmail } from "#app/server/email-address.ts";
import { hashMailbox } from "#app/server/hashes/mailbox.server.ts";
import { MAX_BODY_BYTES } from "#app/server/http/request-guards.ts";
import { logError, logInfo, logSampled, logWarning } from "#app/server/log.ts";
import { ownerId } from "#app/server/owners.server.ts";
import type { EpochMillis } from "#app/server/time/units.ts";

/**
 * Responds to every address alike and before any lookup, so that neither the response nor its timing reveals an owner's.
 *
 * @throws `DailyQuotaError` if no link could be stored, whatever the address
 */
export async function requestSignInLink(c: OwnerContext) {
  const { app, form } = c.var;
  await requireQuota(app);
  app.waitUntil(sendSignInLink(app, form.get("email"), c.req.header("Cookie")));
  return c.render(
    <Page title="Check your email" className="prose">
      <p className="lead">If that is an owner’s address, a sign-in link is on its way.</p>
      <p>
        The link works once, within 15 minutes. We send you at most one every five minutes, so if you asked for a link a
        moment ago, look for that email. After ten links in a day that no one used, we send one an hour; a browser in
        which you have signed in before is not affected by what others ask for.
      </p>
      <Advanced>
        no email? The command <code>npm run owner -- sign-in</code> prints a link (“If the sign-in email does not
        arrive” in docs/owner.md).
      </Advanced>
    </Page>,
  );
}

/**
 * Emails a sign-in link if the address is an owner's and has not been sent too many. Applies the same rate limits as other
 * entry points, and to a known browser only its own. Never throws: it runs after the response, which is the same for every
 * address.
 */
export async function sendSignInLink(app: AppContext, received: unknown, cookies: string | undefined): Promise<void> {
  const { limits, clientIp, countBlocked, emailContext } = app;
  const email = normaliseEmail(received);
  if (email === null) return;
  // Who the owners are is not known.
  if (app.settingsFailure !== null) return logError("sign-in-email-failed", app.settingsFailure);
  const isOwner = emailContext.ownerEmails.includes(email);
  const owner = await ownerId(email);
  const browser = isOwner ? await knownBrowser(app, owner, cookies) : null;
  const isWithinLimits =
    browser === null
      ? await withinRateLimits(limits, "owner", clientIp, await hashMailbox(email, emailContext.hashKey))
      : await withinKeyLimit(limits, "owner", browser);
  if (!isWithinLimits) return countBlocked(isOwner ? "sign-in" : "rate-limited");
  if (!isOwner) return logSampled("info", "owner-access-refused", { reason: "address" });
  try {
    const asker = browser === null ? { network: await hashNetwork(clientIp, emailContext.hashKey) } : { browser };
    const id = await enqueueSignInEmail(app.db, { owner, asker }, app.now());
    if (id === null) {
      logSampled("warn", "owner-access-refused", { reason: "too-many-links" });
      return countBlocked("sign-in");
    }
    if (app.mailer === null) logWarning("email-waits", { reason: "MAIL_FROM is not set" });
    // The owner may be on the way to what caused the pause.
    await sendEmail(app, { id }, { despitePause: true });
  } catch (error) {
    logError("sign-in-email-failed", error);
  }
}

/** The email's token is stored nowhere: it is derived from the email's id when the email is rendered. */
async function enqueueSignInEmail(db: Db, { owner, asker }: { owner: string; asker: Asker }, now: EpochMillis) {
  const id = crypto.randomUUID();
  const expiresAt = await storeEmailedToken(db, { emailId: id, ownerId: owner, asker }, now);
  if (expiresAt === null) return null;
  await ownerEmailUpsert(db, "sign-in", [{ id, ownerId: owner, data: { expiresAt } }], undefined, now);
  return id;
}

/** The page behind a sign-in link. It only shows a button, because a GET must not change anything. */
export async function showLink(c: OwnerContext) {
  if (!(await isSignInTokenValid(c.var.app, c.req.param("token") ?? ""))) return refuse(c, "link");
  return c.render(
    <Page title="Sign in" heading="Welcome back" className="prose">
      <p className="lead">
        You’ll stay signed in on this device for up to 12 hours, as long as you open a page every two hours.
      </p>
      <ButtonForm label="Sign in" kind="main" />
    </Page>,
  );
}

export async function signIn(c: OwnerContext) {
  const { app } = c.var;
  if (app.settingsFailure !== null) throw app.settingsFailure;
  const owner = await consumeSignInToken(app, c.req.param("token") ?? "");
  if (owner === null) return refuse(c, "link");
  c.header("Set-Cookie", await startSession(app, owner));
  c.header("Set-Cookie", await rememberBrowser(app, owner.id), { append: true });
  await recordAction(app, { by: owner.email, action: "sign-in" });
  logInfo("owner-signed-in");
  return c.redirect("/owner", 303);
}

/** The session has been read, which has renewed its cookie. */
export function renewSession(c: OwnerContext) {
  return c.body(null, 204);
}

export async function signOut(c: OwnerContext) {
  return leave(c, await endSession(c.var.app, c.var.session), "sign-out");
}

export async function signOutEverywhere(c: OwnerContext) {
  return leave(c, await endAllSessions(c.var.app, c.var.owner), "sign-out-everywhere");
}

async function leave(c: OwnerContext, deletion: string, action: "sign-out" | "sign-out-everywhere") {
  c.header("Set-Cookie", deletion);
  clearSearch(c);
  // No `Clear-Site-Data`: its "storage" would delete the sign-ups that wait for /fair in this browser.
  await c.var.record(action);
  return respondSignedOut(c, action);
}

/** Signing out of a session that has ended by itself: what the browser keeps goes all the same. */
export function leaveEnded(handle: OwnerHandler): OwnerHandler {
  return async (c) => {
    const { app } = c.var;
    const cookies = c.req.header("Cookie");
    if ((await readSession(app, cookies)) !== null) {
      let left: Response | undefined;
      const refused = await requireSession(MAX_BODY_BYTES)(c, async () => {
        left = await handle(c);
      });
      return left ?? refused ?? refuse(c, "session");
    }
    if (!(await hasSessionCookie(app, cookies))) return refuse(c, "session");
    c.header("Set-Cookie", deleteCookie(app));
    return respondSignedOut(c, "sign-out");
  };
}

async function respondSignedOut(c: OwnerContext, action: "sign-out" | "sign-out-everywhere") {
  const { script, policy } = await forgettingScript();
  return c.render(
    <Page title="You are signed out" className="prose" head={script}>
      <p className="lead">
        {action === "sign-out" ? "You are signed out in this browser." : "You are signed out in every browser."}
      </p>
      <p>
        <a href="/owner">Sign in again</a>
      </p>
    </Page>,
    { policy },
  );
}
