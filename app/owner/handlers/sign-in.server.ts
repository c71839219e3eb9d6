import { page } from "#app/owner/document.server.tsx";
import { clearSearch } from "#app/owner/handlers/list.server.ts";
import { refuse } from "#app/owner/handlers/require-session.server.ts";
import type { OwnerContext } from "#app/owner/handlers/types.ts";
import { endSession, startSession } from "#app/owner/session.server.ts";
import { consumeSignInToken, isSignInTokenValid, sendSignInLink } from "#app/owner/sign-in.server.ts";
import { linkRequestedView, linkView } from "#app/owner/views/sign-in.server.tsx";
import { logInfo } from "#app/server/log.ts";
import { readForm } from "#app/server/read-form.server.ts";

/** Answers before anything is looked up, so that neither words nor time tell whose address was typed. */
export async function requestSignInLink(c: OwnerContext) {
  const { app } = c.env;
  const typed = (await readForm(c.req.raw)).get("email");
  app.waitUntil(sendSignInLink(app, typed));
  return c.html(page(linkRequestedView()));
}

/** The page that a mailed link leads to: a button, for no GET changes anything. */
export async function showLink(c: OwnerContext) {
  return (await isSignInTokenValid(c.env.app, c.req.param("token") ?? "")) ? c.html(page(linkView())) : refuse(c);
}

export async function signIn(c: OwnerContext) {
  if (!(await consumeSignInToken(c.env.app, c.req.param("token") ?? ""))) return refuse(c);
  c.header("Set-Cookie", await startSession(c.env.app));
  logInfo("owner-signed-in");
  return c.redirect("/owner", 303);
}

export async function signOut(c: OwnerContext) {
  c.header("Set-Cookie", await endSession(c.env.app, c.req.header("Cookie")));
  clearSearch(c);
  return c.redirect("/owner", 303);
}
