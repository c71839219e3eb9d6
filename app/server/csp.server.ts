import type { Config } from "#app/server/config.server.ts";
import { isTokenPath, TOKEN_FOLDER } from "#app/server/token-path.ts";

export interface CspContext {
  /** Of this one answer; inline scripts that carry it run, and what those load. */
  nonce: string;
  config: Config;
  pathname: string;
  /** Path to which browsers report what they refused. */
  reportsTo: string;
}

/** For whatever is no page: opened by itself, it can do nothing. */
export const denyAllCsp = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** For pages without any script: forms, pictures and the stylesheet of ours alone. */
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
 * The content policy of a page (https://www.w3.org/TR/CSP3/): nothing that is not named, scripts by nonce alone, and
 * other origins only for services that are configured. Trusted Types hold wherever none of those is, since their
 * scripts assign URLs and markup themselves.
 */
export function pageCsp({ nonce, config, pathname, reportsTo }: CspContext): string {
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
  if (!services.some(({ scripts }) => scripts)) {
    directives.push(["require-trusted-types-for", "'script'"], ["trusted-types", "'none'"]);
  }
  if (config.SITE_URL.startsWith("https:")) directives.push(["upgrade-insecure-requests"], ["report-to", "policy"]);
  directives.push(["report-uri", reportsTo]);
  return directives.map((directive) => directive.join(" ")).join("; ");
}

/** The survey may be framed on this path alone. */
const SURVEY_PATH = "/survey";

/** The pages whose policy differs from that of the others, as path prefixes: the survey, and addresses with a token. */
export function pathsWithOwnCsp({ SURVEY_URL }: Config): string[] {
  return [`/${TOKEN_FOLDER}`, ...(SURVEY_URL === undefined ? [] : [SURVEY_PATH])];
}

interface Service {
  /** Whether it runs scripts in the page. */
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

/** What the pixel asks of https://www.facebook.com/tr/, and its settings. */
const metaPixel: Service = {
  scripts: true,
  img: ["https://www.facebook.com"],
  connect: ["https://www.facebook.com", "https://connect.facebook.net"],
};

/** https://developers.cloudflare.com/fundamentals/reference/policies-compliances/content-security-policies/ */
const webAnalytics: Service = { scripts: true, connect: ["https://cloudflareinsights.com"] };

/** https://developers.cloudflare.com/turnstile/reference/content-security-policy/ */
const turnstile: Service = { scripts: true, frame: ["https://challenges.cloudflare.com"] };
