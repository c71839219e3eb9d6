import { createCookie } from "react-router";
import { hasSecureCookies } from "#app/owner/ui/secure-cookies.ts";
import { sign } from "#app/server/hmac.server.ts";

/*
 * A browser in which an owner has signed in keeps a cookie that outlives the session. It only lets that browser ask for
 * sign-in links within limits of its own, which nobody else can use up. It names no owner: its signature is valid for
 * one of them.
 */

interface KnownBrowserDeps {
  /** The current secret, then the previous one. */
  linkSecrets: string[];
  config: { SITE_URL: string };
}

const BROWSER_COOKIE = "owner-browser";

/** Seconds. */
const LIFETIME = 365 * 24 * 3_600;

/** Remembers a browser in which an owner signs in. @returns its `Set-Cookie` header */
export async function rememberBrowser(deps: KnownBrowserDeps, ownerId: string): Promise<string> {
  return (await browserCookie(deps, ownerId)).serialize(crypto.randomUUID());
}

/** The id of a browser in which this owner has signed in, or null. */
export async function knownBrowser(
  deps: KnownBrowserDeps,
  ownerId: string,
  cookies: string | undefined,
): Promise<string | null> {
  if (cookies === undefined || !cookies.includes(`${BROWSER_COOKIE}=`)) return null;
  const id: unknown = await (await browserCookie(deps, ownerId)).parse(cookies);
  return typeof id === "string" ? id : null;
}

async function browserCookie({ linkSecrets, config }: KnownBrowserDeps, ownerId: string) {
  const secure = hasSecureCookies(config.SITE_URL);
  return createCookie(secure ? `__Host-${BROWSER_COOKIE}` : BROWSER_COOKIE, {
    httpOnly: true,
    secure,
    sameSite: "strict",
    path: "/",
    maxAge: LIFETIME,
    secrets: await Promise.all(
      linkSecrets.map(async (secret) => (await sign(secret, `owner-browser:v1:${ownerId}`)).toBase64()),
    ),
  });
}
