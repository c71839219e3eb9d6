import { createMiddleware } from "hono/factory";
import { secureHeaders } from "hono/secure-headers";

/**
 * The referrer policy must let a form post name its origin: `no-referrer` would make it `Origin: null`, which the
 * page's action refuses.
 */
export const securityHeaders = secureHeaders({
  referrerPolicy: "strict-origin-when-cross-origin",
  xFrameOptions: "DENY",
});

/** A token in an address opens somebody's entry: it is told to no other site, kept by no cache, and in no index. */
export const tokenPageHeaders = createMiddleware(async (c, next) => {
  await next();
  c.header("Referrer-Policy", "same-origin");
  c.header("Cache-Control", "no-store");
  c.header("X-Robots-Tag", "noindex");
});
