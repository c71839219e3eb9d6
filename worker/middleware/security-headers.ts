import { secureHeaders } from "hono/secure-headers";

/**
 * The referrer policy must let a form post name its origin: `no-referrer` would make it `Origin: null`, which the
 * page's action refuses.
 */
export const securityHeaders = secureHeaders({
  referrerPolicy: "strict-origin-when-cross-origin",
  xFrameOptions: "DENY",
});
