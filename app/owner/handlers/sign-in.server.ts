import { renderDocument } from "#app/owner/document.server.tsx";
import { clearSearch } from "#app/owner/handlers/list.server.ts";
import { refuse } from "#app/owner/handlers/require-session.server.ts";
import type { OwnerContext } from "#app/owner/handlers/types.ts";
import { recordAction } from "#app/owner/log.server.ts";
import { endSession, startSession } from "#app/owner/session.server.ts";
import { sendSignInLink } from "#app/owner/sign-in.server.ts";
import { consumeSignInToken, isSignInTokenValid } from "#app/owner/sign-in-tokens.server.ts";
import { linkRequestedView, linkView } from "#app/owner/views/sign-in.server.tsx";
import { logInfo } from "#app/server/log.ts";
import { readForm } from "#app/server/read-form.server.ts";

/** Responds before any lookup, so that neither the response nor its timing reveals the owner's address. */
export async function requestSignInLink(c: OwnerContext) {
  const { app } = c.env;
  const typed = (await readForm(c.req.raw)).get("email");
  app.waitUntil(sendSignInLink(app, typed));
  return c.html(renderDocument(linkRequestedView()));
}

/** The page behind a sign-in link. It only shows a button, because a GET must not change anything. */
export async function showLink(c: OwnerContext) {
  return (await isSignInTokenValid(c.env.app, c.req.param("token") ?? ""))
    ? c.html(renderDocument(linkView()))
    : refuse(c);
}

export async function signIn(c: OwnerContext) {
  if (!(await consumeSignInToken(c.env.app, c.req.param("token") ?? ""))) return refuse(c);
  c.header("Set-Cookie", await startSession(c.env.app));
  await recordAction(c.env.app, { by: c.env.app.ownerEmail, action: "sign-in" });
  logInfo("owner-signed-in");
  return c.redirect("/owner", 303);
}

export async function signOut(c: OwnerContext) {
  c.header("Set-Cookie", await endSession(c.env.app, c.req.header("Cookie")));
  clearSearch(c);
  await recordAction(c.env.app, { by: c.var.owner.email, action: "sign-out" });
  return c.redirect("/owner", 303);
}
