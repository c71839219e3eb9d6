/**
 * The scoring rules of Mozilla's HTTP Observatory, read from
 * https://developer.mozilla.org/en-US/observatory/docs/tests_and_scoring: what one answer would
 * lose, and what it would gain beyond 100.
 */

export interface ScannedAnswer {
  url: string;
  headers: Headers;
  /** Only a page's body is looked at. */
  body?: string;
}

export interface Score {
  /** 100, without what was lost, with what was gained; gains count from 90 on. */
  score: number;
  /** A rule that was broken, and by what. */
  losses: string[];
}

const HALF_A_YEAR = 15_768_000;

/** Tests that say nothing without TLS. */
const overTls = new Set(["strict-transport-security"]);

/** @param tls whether the answer came over https */
export function observe(answer: ScannedAnswer, { tls }: { tls: boolean }): Score {
  const results = rules
    .filter(({ name }) => tls || !overTls.has(name))
    .map((rule) => ({ ...rule.check(answer), rule }));
  const lost = results.filter(({ points }) => points < 0);
  const base = 100 + lost.reduce((sum, { points }) => sum + points, 0);
  const gained = results.reduce((sum, { points }) => sum + Math.max(0, points), 0);
  return {
    score: base >= 90 ? base + gained : base,
    losses: lost.map(({ rule, points, why }) => `${rule.name} ${points}: ${why}`),
  };
}

interface Result {
  points: number;
  why: string;
}

interface Rule {
  name: string;
  check(answer: ScannedAnswer): Result;
}

const fine = (points = 0): Result => ({ points, why: "" });
const lost = (points: number, why: string | null): Result => ({ points, why: why ?? "missing" });

const rules: Rule[] = [
  { name: "content-security-policy", check: cspHeaders },
  { name: "cookies", check: cookies },
  {
    name: "cross-origin-resource-sharing",
    check({ headers }) {
      const origin = headers.get("Access-Control-Allow-Origin");
      return origin === null || origin === "*" ? fine() : lost(-50, origin);
    },
  },
  {
    name: "referrer-policy",
    check({ headers }) {
      const policy = headers.get("Referrer-Policy") ?? "missing";
      const safe = ["no-referrer", "same-origin", "strict-origin", "strict-origin-when-cross-origin"];
      return safe.includes(policy) ? fine(5) : lost(-5, policy);
    },
  },
  {
    name: "strict-transport-security",
    check({ headers }) {
      const value = headers.get("Strict-Transport-Security");
      const age = Number(/max-age=(\d+)/.exec(value ?? "")?.[1] ?? 0);
      return age >= HALF_A_YEAR ? fine() : lost(value === null ? -20 : -10, value);
    },
  },
  { name: "subresource-integrity", check: scripts },
  {
    name: "x-content-type-options",
    check({ headers }) {
      const value = headers.get("X-Content-Type-Options");
      return value === "nosniff" ? fine() : lost(-5, value);
    },
  },
  {
    name: "x-frame-options",
    check({ headers }) {
      const ancestors = parsePolicy(headers).get("frame-ancestors");
      if (ancestors?.join() === "'none'") return fine(5);
      const value = headers.get("X-Frame-Options");
      return value === "DENY" || value === "SAMEORIGIN" ? fine() : lost(-20, value);
    },
  },
  {
    name: "cross-origin-resource-policy",
    check({ headers }) {
      const value = headers.get("Cross-Origin-Resource-Policy");
      if (value === null) return fine();
      if (value === "cross-origin") return fine();
      return /^same-(origin|site)$/.test(value) ? fine(10) : lost(-5, value);
    },
  },
];

function cspHeaders({ url, headers }: ScannedAnswer): Result {
  const policy = parsePolicy(headers);
  if (policy.size === 0) return lost(-25, null);
  const sources = Array.from(policy.values()).flat();
  const unsafe = sources.filter((source) => source.includes("unsafe"));
  if (unsafe.length > 0) return lost(-20, unsafe.join());
  const script = policy.get("script-src") ?? policy.get("default-src") ?? ["*"];
  const style = policy.get("style-src") ?? policy.get("default-src") ?? ["*"];
  const broad = [...script, ...style].filter((source) => /^(https?:|ftp:|data:|\*|https?:\/\/\*(\.\*)?)$/.test(source));
  if (broad.length > 0) return lost(-20, broad.join());
  if (script.includes("'strict-dynamic'") && !script.some((source) => /^'(nonce|sha\d+)-/.test(source))) {
    return lost(-25, "'strict-dynamic' without a nonce or a hash");
  }
  if (url.startsWith("https:") && sources.some((source) => /^(http|ftp):/.test(source))) return lost(-20, "http:");
  const form = policy.get("form-action")?.join() ?? "missing";
  if (!["'none'", "'self'"].includes(form)) return lost(-5, `form-action ${form}`);
  return fine(policy.get("default-src")?.join() === "'none'" ? 10 : 5);
}

/** @throws when a directive is given twice, of which browsers obey the first */
function parsePolicy(headers: Headers): Map<string, string[]> {
  const policy = new Map<string, string[]>();
  for (const directive of (headers.get("Content-Security-Policy") ?? "").split(";")) {
    const [name, ...sources] = directive.trim().split(/\s+/);
    if (!name) continue;
    if (policy.has(name)) throw new Error(`${name} is given twice`);
    policy.set(name, sources);
  }
  return policy;
}

function cookies({ headers }: ScannedAnswer): Result {
  const set = headers.getSetCookie();
  if (set.some((cookie) => !/;\s*Secure/i.test(cookie))) return lost(-20, "a cookie without Secure");
  if (set.some((cookie) => !/;\s*SameSite=(Lax|Strict)/i.test(cookie))) return lost(-20, "a cookie without SameSite");
  return fine(set.length === 0 ? 0 : 5);
}

/** Scripts of other origins need a hash; those of one's own do not. */
function scripts({ url, body = "" }: ScannedAnswer): Result {
  const foreign = Array.from(body.matchAll(/<script[^>]*\ssrc="([^"]*)"[^>]*>/g), ([, src = ""]) => new URL(src, url))
    .map(({ origin }) => origin)
    .filter((origin) => origin !== new URL(url).origin);
  return foreign.length === 0 ? fine() : lost(-5, foreign.join());
}
