import { recordAction } from "#app/owner/log.server.ts";
import { refuse } from "#app/owner/sign-in/guards.server.ts";
import { rememberBrowser } from "#app/owner/sign-in/known-browser.server.ts";
import { endAllSessions, endSession, startSession } from "#app/owner/sign-in/session.server.ts";
import { sendSignInLink } from "#app/owner/sign-in/sign-in.server.ts";
import { consumeSignInToken, isSignInTokenValid } from "#app/owner/sign-in/sign-in-tokens.server.ts";
import { linkRequestedView, linkView } from "#app/owner/sign-in/sign-in-view.server.tsx";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { clearSearch } from "#app/owner/ui/search-cookie.server.ts";
import { requireQuota } from "#app/server/db/daily-quota.server.ts";
import { logInfo } from "#app/server/log.ts";

/**
 * Responds before any lookup, so that neither the response nor its timing reveals an owner's address.
 *
 * @throws `DailyQuotaError` if no link could be stored, whatever the address
 */
export async function requestSignInLink(c: OwnerContext) {
  const { app, form } = c.var;
  await requireQuota(app);
  app.waitUntil(sendSignInLink(app, form.get("email"), c.req.header("Cookie")));
  return c.render(linkRequestedView());
}

/** The page behind a sign-in link. It only shows a button, because a GET must not change anything. */
export async function showLink(c: OwnerContext) {
  return (await isSignInTokenValid(c.var.app, c.req.param("token") ?? "")) ? c.render(linkView()) : refuse(c, "link");
}

export async function signIn(c: OwnerContext) {
  const { app } = c.var;
  const owner = await consumeSignInToken(app, c.req.param("token") ?? "");
  if (owner === null) return refuse(c, "link");
  c.header("Set-Cookie", await startSession(app, owner));
  c.header("Set-Cookie", await rememberBrowser(app, owner.id), { append: true });
  await recordAction(app, { by: owner.email, action: "sign-in" });
  logInfo("owner-signed-in");
  return c.redirect("/owner", 303);
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
  return c.redirect("/owner", 303);
}
