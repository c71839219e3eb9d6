import { parse, serialize } from "hono/utils/cookie";
import type { SessionDeps } from "#app/owner/sign-in/session.server.ts";
import { ownerCookie } from "#app/owner/ui/owner-cookie.ts";
import { signToken, verifyToken } from "#app/server/hashes/signed-token.server.ts";

/*
 * A browser in which an owner has signed in keeps a cookie that outlives the session. It only lets that browser ask for
 * sign-in links within limits of its own, which nobody else can use up. It names no owner: its signature is valid for
 * one of them.
 */

type KnownBrowserDeps = Pick<SessionDeps, "linkSecrets" | "config">;

/** Seconds. */
const LIFETIME = 365 * 24 * 3_600;

/** Remembers a browser in which an owner signs in. @returns its `Set-Cookie` header */
export async function rememberBrowser({ config, linkSecrets }: KnownBrowserDeps, ownerId: string): Promise<string> {
  const { name, options } = cookieOf(config);
  const token = await signToken("owner-browser:v1", crypto.randomUUID(), secretOf(linkSecrets[0] ?? "", ownerId));
  return serialize(name, token, { ...options, maxAge: LIFETIME });
}

/** The id of a browser in which this owner has signed in, or null. */
export async function knownBrowser(
  { config, linkSecrets }: KnownBrowserDeps,
  ownerId: string,
  cookies = "",
): Promise<string | null> {
  const { name } = cookieOf(config);
  const secrets = linkSecrets.map((secret) => secretOf(secret, ownerId));
  return verifyToken("owner-browser:v1", parse(cookies, name)[name] ?? "", secrets);
}

function secretOf(linkSecret: string, ownerId: string): string {
  return `${linkSecret}:${ownerId}`;
}

function cookieOf({ SITE_URL }: KnownBrowserDeps["config"]) {
  return ownerCookie("owner-browser", SITE_URL, "Strict");
}
