import type { Context } from "hono";
import { type ApiKey, findKey, hashKey, keyForm, keyPart, noteUse } from "#app/features/api/keys/keys.server.ts";
import type { ApiProblem } from "#app/features/api/v1/problem.server.ts";
import type { ApiRoute } from "#app/features/api/v1/route.server.ts";
import type { V1Bindings } from "#app/features/api/v1/types.server.ts";
import { countWrongKey, isBlocked } from "#app/server/abuse/blocked-clients.ts";
import { countRequest, quotaHeaders } from "#app/server/abuse/key-quota.ts";
import { RATE_LIMIT_PERIOD, withinLimit } from "#app/server/abuse/rate-limits.server.ts";
import { forgetKey, hasWorked, rememberKey } from "#app/server/abuse/working-keys.ts";
import { logError, logSampled } from "#app/server/log.ts";

/** Why a request is refused for its URL, on any host; null if it is not. */
export function problemInUrl({ protocol, pathname, search }: URL, siteUrl: string): ApiProblem | null {
  // The site has https, but programs follow no HSTS.
  if (siteUrl.startsWith("https:") && protocol === "http:") {
    const detail =
      "Use https. If this request had a key, anyone on the way could read it: revoke the key and make another.";
    return { problem: "not-https", detail };
  }
  // A key is ASCII, so other escapes, which may be malformed, can stay.
  if (!keyPart.test(`${pathname}${search}`.replaceAll(/%[2-7][\da-f]/gi, decodeURIComponent))) return null;
  const detail =
    "Send the key in the header Authorization: Bearer, never in a URL, which logs may store. Revoke this key and make another.";
  return { problem: "key-in-url", detail };
}

/**
 * The key of a request, if it may use a route. Counts the request first, so that neither a key nor a client can repeat the
 * one look-up of the hash without end.
 */
export async function authorise(c: Context<V1Bindings>, { scope }: ApiRoute): Promise<{ key: ApiKey } | ApiProblem> {
  const { app, limit } = c.env;
  const [, text = ""] = /^Bearer +(\S+) *$/i.exec(c.req.header("Authorization") ?? "") ?? [];
  if (text === "") return unauthorised("no-key", "Send your key in the header Authorization: Bearer.");
  const hash = keyForm.test(text) ? await hashKey(text) : null;
  if (isBlocked("api", app.clientIp, app.now()) && !hasWorked(hash))
    return tooMany("Too many requests with keys that are not valid.");
  if (hash !== null && !(await withinLimit(limit, "api", `key:${hash.slice(0, 32)}`)))
    return tooMany("This key has made too many requests.", quotaHeaders(0, RATE_LIMIT_PERIOD));
  const key = hash === null ? null : await findKey(app.db, hash);
  if (key === null || hash === null) {
    forgetKey(hash);
    await countWrongKey(app.limits, "api", app.clientIp, app.now());
    logSampled("warn", "api-key-refused");
    return unauthorised("invalid-key", "The key is wrong or was revoked. Use another.", 'error="invalid_token"');
  }
  rememberKey(hash);
  for (const [name, value] of Object.entries(countRequest(hash, app.now()))) c.header(name, value);
  app.waitUntil(
    noteUse(app.db, key, app.now()).catch((error) => logError("api-key-use-failed", error, { keyId: key.id })),
  );
  if (scope === null || scope === "public" || key.scopes.includes(scope)) return { key };
  const challenge = `Bearer error="insufficient_scope", scope="${scope}"`;
  return {
    problem: "wrong-scope",
    detail: `This request needs a key with the scope ${scope}. A key’s scopes cannot be changed: use or make another key.`,
    headers: { "WWW-Authenticate": challenge },
  };
}

/** RFC 6750, section 3. */
function unauthorised(problem: "no-key" | "invalid-key", detail: string, error?: string): ApiProblem {
  const challenge = `Bearer realm="api"${error === undefined ? "" : `, ${error}`}`;
  return { problem, detail, headers: { "WWW-Authenticate": challenge } };
}

function tooMany(reason: string, quota = {}): ApiProblem {
  return {
    problem: "too-many-requests",
    detail: `${reason} Try again in a minute.`,
    headers: { "Retry-After": String(RATE_LIMIT_PERIOD), ...quota },
  };
}
