import { logInfo } from "#app/log.ts";
import { page } from "#app/owner/page.server.tsx";
import { endSession, startSession } from "#app/owner/session.server.ts";
import { isLinkOpen, mailSignInLink, spendLink } from "#app/owner/sign-in.server.ts";
import { linkAskedView, linkView } from "#app/owner/views/sign-in.server.tsx";
import { readForm } from "#app/read-form.server.ts";
import { forgetSearch } from "#worker/owner/list.ts";
import { refuse } from "#worker/owner/session-gate.ts";
import type { OwnerContext } from "#worker/owner/types.ts";

/** Answers before anything is looked up, so that neither words nor time tell whose address was typed. */
export async function askForLink(c: OwnerContext) {
  const { app } = c.env;
  const typed = (await readForm(c.req.raw)).get("email");
  app.waitUntil(mailSignInLink(app, typed));
  return c.html(page(linkAskedView()));
}

/** The page that a mailed link leads to: a button, for no GET changes anything. */
export async function showLink(c: OwnerContext) {
  return (await isLinkOpen(c.env.app, c.req.param("token") ?? "")) ? c.html(page(linkView())) : refuse(c);
}

export async function signIn(c: OwnerContext) {
  if (!(await spendLink(c.env.app, c.req.param("token") ?? ""))) return refuse(c);
  c.header("Set-Cookie", await startSession(c.env.app));
  logInfo("owner-signed-in");
  return c.redirect("/owner", 303);
}

export async function signOut(c: OwnerContext) {
  c.header("Set-Cookie", await endSession(c.env.app, c.req.header("Cookie")));
  forgetSearch(c);
  return c.redirect("/owner", 303);
}
