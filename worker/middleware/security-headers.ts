import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { secureHeaders } from "hono/secure-headers";
import type { AppBindings } from "#app/server/http/bindings.ts";
import { denyAllCsp, pageCsp } from "#app/server/http/csp.server.ts";

/** Where browsers report violations of a page's CSP. */
const REPORTS_PATH = "/api/policy-reports";

/** Two years, without includeSubDomains: the domain may have subdomains that are not served over https. */
const TRANSPORT_SECURITY = "max-age=63072000";

/** Permissions no page needs. `clipboard-write` and `web-share` are allowed for this origin by default. */
const unusedFeatures = [
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

/** With the policy `no-referrer`, form posts would send `Origin: null`, which `requireSameOrigin` blocks. */
export const securityHeaders = secureHeaders({
  referrerPolicy: "strict-origin-when-cross-origin",
  strictTransportSecurity: TRANSPORT_SECURITY,
  xFrameOptions: "DENY",
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
  permissionsPolicy: Object.fromEntries(unusedFeatures.map((feature) => [feature, []])),
});

/** The CSP: {@link pageCsp} for HTML, {@link denyAllCsp} for everything else, unless a handler has set one. */
export const cspHeaders = createMiddleware<AppBindings>(async (c, next) => {
  await next();
  if (c.res.headers.has(HEADER)) return;
  const isPage = c.res.headers.get("Content-Type")?.startsWith("text/html") === true;
  // Not c.header(), which would copy the finished response.
  c.res.headers.set(HEADER, isPage ? createPageCsp(c) : denyAllCsp);
  if (isPage) c.res.headers.set("Reporting-Endpoints", `policy="${REPORTS_PATH}"`);
});

const HEADER = "Content-Security-Policy";

function createPageCsp(c: Context<AppBindings>): string {
  // Always set: without a valid configuration there are no HTML responses.
  const { nonce, config } = c.var.app;
  return pageCsp({ nonce, config, pathname: c.req.path, reportPath: REPORTS_PATH });
}

/** A token in a URL gives access to an entry, so it must not reach other sites, caches or search engines. */
export const tokenPageHeaders = createMiddleware(async (c, next) => {
  await next();
  c.header("Referrer-Policy", "same-origin");
  c.header("Cache-Control", "no-store");
  c.header("X-Robots-Tag", "noindex");
});
