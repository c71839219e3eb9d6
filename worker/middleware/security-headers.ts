import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { secureHeaders } from "hono/secure-headers";
import { denyAllCsp, pageCsp } from "#app/server/csp.server.ts";
import { REPORTS_PATH } from "#worker/api/csp-reports.ts";
import type { AppBindings } from "#worker/types.ts";

/** Two years, for this host alone: what its subdomains serve is their owner's business. */
const TRANSPORT_SECURITY = "max-age=63072000";

/** What no page needs. Copying and sharing a link are allowed by default, to this origin. */
const unused = [
  "accelerometer",
  "autoplay",
  "camera",
  "displayCapture",
  "encryptedMedia",
  "fullscreen",
  "geolocation",
  "gyroscope",
  "magnetometer",
  "microphone",
  "midi",
  "payment",
  "pictureInPicture",
  "publickeyCredentialsGet",
  "screenWakeLock",
  "serial",
  "usb",
  "xrSpatialTracking",
] as const;

/**
 * The headers that are the same for every answer.
 *
 * The referrer policy must let a form post name its origin: `no-referrer` would make it `Origin: null`, which the
 * page's action refuses.
 */
export const securityHeaders = secureHeaders({
  referrerPolicy: "strict-origin-when-cross-origin",
  strictTransportSecurity: TRANSPORT_SECURITY,
  xFrameOptions: "DENY",
  permissionsPolicy: Object.fromEntries(unused.map((feature) => [feature, []])),
});

/** The content policy: a page's own for pages, and the closed one for whatever has none. */
export const cspHeaders = createMiddleware<AppBindings>(async (c, next) => {
  await next();
  if (c.res.headers.has(HEADER)) return;
  const isPage = c.res.headers.get("Content-Type")?.startsWith("text/html") === true;
  c.header(HEADER, isPage ? policyOf(c) : denyAllCsp);
  if (isPage) c.header("Reporting-Endpoints", `policy="${REPORTS_PATH}"`);
});

const HEADER = "Content-Security-Policy";

function policyOf(c: Context<AppBindings>): string {
  // There is none where the configuration is missing, and then no page either.
  const { nonce, config } = c.var.app;
  return pageCsp({ nonce, config, pathname: c.req.path, reportsTo: REPORTS_PATH });
}

/** A token in an address opens somebody's entry: it is told to no other site, kept by no cache, and in no index. */
export const tokenPageHeaders = createMiddleware(async (c, next) => {
  await next();
  c.header("Referrer-Policy", "same-origin");
  c.header("Cache-Control", "no-store");
  c.header("X-Robots-Tag", "noindex");
});
