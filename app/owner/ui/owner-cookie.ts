import type { CookieOptions } from "hono/utils/cookie";

/**
 * The name and the options of an owner's cookie: `Secure` and named `__Host-`, which browsers accept only from this host.
 * Everywhere except on http://localhost, where WebKit refuses such cookies.
 */
export function ownerCookie(name: string, siteUrl: string, sameSite: "Lax" | "Strict") {
  const { protocol, hostname } = new URL(siteUrl);
  const secure = protocol !== "http:" || hostname !== "localhost";
  const options: CookieOptions = { path: "/", httpOnly: true, secure, sameSite };
  return { name: secure ? `__Host-${name}` : name, options };
}
