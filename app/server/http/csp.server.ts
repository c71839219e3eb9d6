import type { Config } from "#app/server/config/config.server.ts";
import { isTokenPath, TOKEN_FOLDERS } from "#app/server/http/token-path.ts";

/** 128 random bits in Base64, as https://www.w3.org/TR/CSP3/#security-nonces requires. */
export function newNonce(): string {
  return crypto.getRandomValues(new Uint8Array(16)).toBase64();
}

/** For responses that are not pages: opened directly, they can load and do nothing. */
export const denyAllCsp = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** For pages without scripts: only same-origin forms, images, fonts and stylesheets. */
export const noScriptCsp = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

/**
 * A page's Content-Security-Policy (https://www.w3.org/TR/CSP3/): deny by default, scripts by nonce, and other origins
 * only for configured services. Trusted Types are enforced, except in development, and unless such a service runs scripts,
 * which assign URLs and markup.
 *
 * @param page.nonce of this response: it allows inline scripts that carry it, and the scripts those load
 */
export function pageCsp(page: { nonce: string; config: Config; pathname: string; reportPath: string }): string {
  const { nonce, config, pathname, reportPath } = page;
  const services = servicesOn(pathname, config);
  const allowed = (kind: "img" | "connect" | "frame") => services.flatMap((service) => service[kind] ?? []);
  const directives: [string, ...string[]][] = [
    ["default-src", "'none'"],
    ["script-src", `'nonce-${nonce}'`, "'strict-dynamic'"],
    ["style-src", "'self'", `'nonce-${nonce}'`],
    ["img-src", "'self'", "data:", ...allowed("img")],
    ["font-src", "'self'"],
    ["connect-src", "'self'", ...allowed("connect")],
    ["manifest-src", "'self'"],
    ["form-action", "'self'"],
    ["base-uri", "'none'"],
    ["frame-ancestors", "'none'"],
  ];
  if (allowed("frame").length > 0) directives.push(["frame-src", ...allowed("frame")]);
  if (import.meta.env.DEV) {
    // Vite's client waits in such a worker while the development server restarts; Trusted Types would refuse it.
    directives.push(["worker-src", "blob:"]);
  } else if (!services.some(({ scripts }) => scripts)) {
    directives.push(["require-trusted-types-for", "'script'"], ["trusted-types", "'none'"]);
  }
  if (config.SITE_URL.startsWith("https:")) directives.push(["upgrade-insecure-requests"], ["report-to", "policy"]);
  directives.push(["report-uri", reportPath]);
  return directives.map((directive) => directive.join(" ")).join("; ");
}

/** The only path on which the survey may be framed. */
const SURVEY_PATH = "/survey";

export function pathsWithOwnCsp({ SURVEY_URL }: Config): string[] {
  return [...TOKEN_FOLDERS.map((folder) => `/${folder}`), ...(SURVEY_URL === undefined ? [] : [SURVEY_PATH])];
}

interface Service {
  scripts: boolean;
  img?: string[];
  connect?: string[];
  frame?: string[];
}

function servicesOn(pathname: string, config: Config): Service[] {
  const services: Service[] = [];
  if (!isTokenPath(pathname)) {
    if (config.GA_MEASUREMENT_ID !== undefined) services.push(googleAnalytics);
    if (config.META_PIXEL_ID !== undefined) services.push(metaPixel);
    if (config.CF_BEACON_TOKEN !== undefined) services.push(webAnalytics);
  }
  if (config.TURNSTILE_SITE_KEY !== undefined) services.push(turnstile);
  if (config.SURVEY_URL !== undefined && pathname === SURVEY_PATH) {
    services.push({ scripts: false, frame: [new URL(config.SURVEY_URL).origin] });
  }
  return services;
}

/** https://developers.google.com/tag-platform/security/guides/csp#google_analytics_4_google_analytics */
const googleAnalytics: Service = {
  scripts: true,
  img: ["https://*.google-analytics.com", "https://*.googletagmanager.com"],
  connect: ["https://*.google-analytics.com", "https://*.analytics.google.com", "https://*.googletagmanager.com"],
};

/** The pixel's requests to https://www.facebook.com/tr/, and its settings. */
const metaPixel: Service = {
  scripts: true,
  img: ["https://www.facebook.com"],
  connect: ["https://www.facebook.com", "https://connect.facebook.net"],
};

/** https://developers.cloudflare.com/fundamentals/reference/policies-compliances/content-security-policies/ */
const webAnalytics: Service = { scripts: true, connect: ["https://cloudflareinsights.com"] };

/** https://developers.cloudflare.com/turnstile/reference/content-security-policy/ */
const turnstile: Service = { scripts: true, frame: ["https://challenges.cloudflare.com"] };
