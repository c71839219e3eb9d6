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

export interface Score {
  /** 100, minus losses, plus gains; gains only count from 90. */
  score: number;
  /** Broken rules with their causes. */
  losses: string[];
}

const HALF_A_YEAR = 15_768_000;

/** Rules that only apply over TLS. */
const tlsOnly = new Set(["strict-transport-security"]);

/** @param tls whether the response came over https */
export function scan(response: ScannedResponse, { tls }: { tls: boolean }): Score {
  const results = rules
    .filter(({ name }) => tls || !tlsOnly.has(name))
    .map((rule) => ({ ...rule.check(response), rule }));
  const losses = results.filter(({ points }) => points < 0);
  const base = 100 + losses.reduce((sum, { points }) => sum + points, 0);
  const gained = results.reduce((sum, { points }) => sum + Math.max(0, points), 0);
  return {
    score: base >= 90 ? base + gained : base,
    losses: losses.map(({ rule, points, why }) => `${rule.name} ${points}: ${why}`),
  };
}

interface Result {
  points: number;
  why: string;
}

interface Rule {
  name: string;
  check(response: ScannedResponse): Result;
}

const pass = (points = 0): Result => ({ points, why: "" });
const fail = (points: number, why: string | null): Result => ({ points, why: why ?? "missing" });

const rules: Rule[] = [
  { name: "content-security-policy", check: cspHeaders },
  { name: "cookies", check: cookies },
  {
    name: "cross-origin-resource-sharing",
    check({ headers }) {
      const origin = headers.get("Access-Control-Allow-Origin");
      return origin === null || origin === "*" ? pass() : fail(-50, origin);
    },
  },
  {
    name: "referrer-policy",
    check({ headers }) {
      const policy = headers.get("Referrer-Policy") ?? "missing";
      const safe = ["no-referrer", "same-origin", "strict-origin", "strict-origin-when-cross-origin"];
      return safe.includes(policy) ? pass(5) : fail(-5, policy);
    },
  },
  {
    name: "strict-transport-security",
    check({ headers }) {
      const value = headers.get("Strict-Transport-Security");
      const age = Number(/max-age=(\d+)/.exec(value ?? "")?.[1] ?? 0);
      return age >= HALF_A_YEAR ? pass() : fail(value === null ? -20 : -10, value);
    },
  },
  { name: "subresource-integrity", check: scripts },
  {
    name: "x-content-type-options",
    check({ headers }) {
      const value = headers.get("X-Content-Type-Options");
      return value === "nosniff" ? pass() : fail(-5, value);
    },
  },
  {
    name: "x-frame-options",
    check({ headers }) {
      const ancestors = parsePolicy(headers).get("frame-ancestors");
      if (ancestors?.join() === "'none'") return pass(5);
      const value = headers.get("X-Frame-Options");
      return value === "DENY" || value === "SAMEORIGIN" ? pass() : fail(-20, value);
    },
  },
  {
    name: "cross-origin-resource-policy",
    check({ headers }) {
      const value = headers.get("Cross-Origin-Resource-Policy");
      if (value === null) return pass();
      if (value === "cross-origin") return pass();
      return /^same-(origin|site)$/.test(value) ? pass(10) : fail(-5, value);
    },
  },
];

function cspHeaders({ url, headers }: ScannedResponse): Result {
  const policy = parsePolicy(headers);
  if (policy.size === 0) return fail(-25, null);
  const sources = Array.from(policy.values()).flat();
  const unsafe = sources.filter((source) => source.includes("unsafe"));
  if (unsafe.length > 0) return fail(-20, unsafe.join());
  const script = policy.get("script-src") ?? policy.get("default-src") ?? ["*"];
  const style = policy.get("style-src") ?? policy.get("default-src") ?? ["*"];
  const broad = [...script, ...style].filter((source) => /^(https?:|ftp:|data:|\*|https?:\/\/\*(\.\*)?)$/.test(source));
  if (broad.length > 0) return fail(-20, broad.join());
  if (script.includes("'strict-dynamic'") && !script.some((source) => /^'(nonce|sha\d+)-/.test(source))) {
    return fail(-25, "'strict-dynamic' without a nonce or a hash");
  }
  if (url.startsWith("https:") && sources.some((source) => /^(http|ftp):/.test(source))) return fail(-20, "http:");
  const form = policy.get("form-action")?.join() ?? "missing";
  if (!["'none'", "'self'"].includes(form)) return fail(-5, `form-action ${form}`);
  return pass(policy.get("default-src")?.join() === "'none'" ? 10 : 5);
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

function cookies({ headers }: ScannedResponse): Result {
  const set = headers.getSetCookie();
  if (set.some((cookie) => !/;\s*Secure/i.test(cookie))) return fail(-20, "a cookie without Secure");
  if (set.some((cookie) => !/;\s*SameSite=(Lax|Strict)/i.test(cookie))) return fail(-20, "a cookie without SameSite");
  return pass(set.length === 0 ? 0 : 5);
}

/** Scripts from other origins need a hash. */
function scripts({ url, body = "" }: ScannedResponse): Result {
  const external = Array.from(body.matchAll(/<script[^>]*\ssrc="([^"]*)"[^>]*>/g), ([, src = ""]) => new URL(src, url))
    .map(({ origin }) => origin)
    .filter((origin) => origin !== new URL(url).origin);
  return external.length === 0 ? pass() : fail(-5, external.join());
}
