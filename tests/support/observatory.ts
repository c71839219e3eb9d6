/**
 * The scoring rules of Mozilla's HTTP Observatory, from
 * https://developer.mozilla.org/en-US/observatory/docs/tests_and_scoring
 */

export interface ScannedResponse {
  url: string;
  headers: Headers;
  /** Only needed for pages. */
  body?: string;
}

interface Score {
  /** 100, minus losses, plus gains; gains only count from 90. */
  score: number;
  /** Broken rules with their causes. */
  losses: string[];
}

const HALF_A_YEAR = 15_768_000;

/** Points, and what they are lost for. */
type Result = [points: number, why?: string | null];

/** @param tls whether the response came over https */
export function scan(response: ScannedResponse, { tls }: { tls: boolean }): Score {
  const { headers } = response;
  const origin = headers.get("Access-Control-Allow-Origin");
  const results: Record<string, Result> = {
    "content-security-policy": scanPolicy(response),
    cookies: scanCookies(headers.getSetCookie()),
    "cross-origin-resource-sharing": origin === null || origin === "*" ? [0] : [-50, origin],
    "referrer-policy": scanReferrerPolicy(headers.get("Referrer-Policy")),
    // Only applies over TLS.
    ...(tls && { "strict-transport-security": scanTransport(headers.get("Strict-Transport-Security")) }),
    "subresource-integrity": scanScripts(response),
    "x-content-type-options": oneOf(headers.get("X-Content-Type-Options"), /^nosniff$/, [0], -5),
    "x-frame-options":
      parsePolicy(headers).get("frame-ancestors")?.join() === "'none'"
        ? [5]
        : oneOf(headers.get("X-Frame-Options"), /^(DENY|SAMEORIGIN)$/, [0], -20),
    "cross-origin-resource-policy": /^(cross-origin)?$/.test(headers.get("Cross-Origin-Resource-Policy") ?? "")
      ? [0]
      : oneOf(headers.get("Cross-Origin-Resource-Policy"), /^same-(origin|site)$/, [10], -5),
  };
  const points = Object.values(results).map(([won]) => won);
  const base = points.filter((won) => won < 0).reduce((sum, won) => sum + won, 100);
  const losses = Object.entries(results).filter(([, [won]]) => won < 0);
  return {
    score: base < 90 ? base : points.filter((won) => won > 0).reduce((sum, won) => sum + won, base),
    losses: losses.map(([name, [won, why]]) => `${name} ${won}: ${why ?? "missing"}`),
  };
}

function oneOf(value: string | null, good: RegExp, won: Result, lost: number): Result {
  return good.test(value ?? "") ? won : [lost, value];
}

function scanReferrerPolicy(value: string | null): Result {
  return oneOf(value, /^(no-referrer|same-origin|strict-origin|strict-origin-when-cross-origin)$/, [5], -5);
}

function scanTransport(value: string | null): Result {
  if (Number(/max-age=(\d+)/.exec(value ?? "")?.[1] ?? 0) >= HALF_A_YEAR) return [0];
  return [value === null ? -20 : -10, value];
}

function scanPolicy({ url, headers }: ScannedResponse): Result {
  const policy = parsePolicy(headers);
  if (policy.size === 0) return [-25];
  const sources = Array.from(policy.values()).flat();
  const unsafe = sources.filter((source) => source.includes("unsafe"));
  if (unsafe.length > 0) return [-20, unsafe.join()];
  const script = policy.get("script-src") ?? policy.get("default-src") ?? ["*"];
  const style = policy.get("style-src") ?? policy.get("default-src") ?? ["*"];
  const broad = [...script, ...style].filter((source) => /^(https?:|ftp:|data:|\*|https?:\/\/\*(\.\*)?)$/.test(source));
  if (broad.length > 0) return [-20, broad.join()];
  if (script.includes("'strict-dynamic'") && !script.some((source) => /^'(nonce|sha\d+)-/.test(source))) {
    return [-25, "'strict-dynamic' without a nonce or a hash"];
  }
  if (url.startsWith("https:") && sources.some((source) => /^(http|ftp):/.test(source))) return [-20, "http:"];
  const form = policy.get("form-action")?.join() ?? "missing";
  if (!["'none'", "'self'"].includes(form)) return [-5, `form-action ${form}`];
  return [policy.get("default-src")?.join() === "'none'" ? 10 : 5];
}

/** @throws when a directive is repeated, because browsers only obey the first */
function parsePolicy(headers: Headers): Map<string, string[]> {
  const policy = new Map<string, string[]>();
  for (const directive of (headers.get("Content-Security-Policy") ?? "").split(";")) {
    const [name, ...sources] = directive.trim().split(/\s+/);
    if (!name) continue;
    if (policy.has(name)) throw new Error(`${name} is repeated`);
    policy.set(name, sources);
  }
  return policy;
}

function scanCookies(set: string[]): Result {
  if (set.some((cookie) => !/;\s*Secure/i.test(cookie))) return [-20, "a cookie without Secure"];
  if (set.some((cookie) => !/;\s*SameSite=(Lax|Strict)/i.test(cookie))) return [-20, "a cookie without SameSite"];
  return [set.length === 0 ? 0 : 5];
}

/** Scripts from other origins need a hash. */
function scanScripts({ url, body = "" }: ScannedResponse): Result {
  const external = Array.from(body.matchAll(/<script[^>]*\ssrc="([^"]*)"[^>]*>/g), ([, src = ""]) => new URL(src, url))
    .map(({ origin }) => origin)
    .filter((origin) => origin !== new URL(url).origin);
  return external.length === 0 ? [0] : [-5, external.join()];
}
