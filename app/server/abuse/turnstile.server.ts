import * as v from "valibot";
import { TURNSTILE_ACTION } from "#app/server/abuse/challenge-field.ts";
import { logError, logSampled } from "#app/server/log.ts";
import { fetchWithTimeout } from "#app/server/time/timeout.ts";
import type { Millis } from "#app/server/time/units.ts";

export type Turnstile = ReturnType<typeof createTurnstile>;

/** Short, because a visitor is waiting. */
const TURNSTILE_TIMEOUT: Millis = 3_000;

/** Maximum length of a token: https://developers.cloudflare.com/turnstile/get-started/server-side-validation/ */
const MAX_TOKEN = 2_048;

/** Cloudflare's secrets for tests, whose answers name another host and no action: https://developers.cloudflare.com/turnstile/troubleshooting/testing/ */
const TEST_SECRET = /^[123]x0+AA$/;

/**
 * Cloudflare Turnstile's server side, which tells people from bots.
 *
 * @param options.hostname the host that visitors solve challenges on
 */
export function createTurnstile(options: { secret: string; hostname: string; url?: string | undefined }) {
  const { secret, hostname, url = "https://challenges.cloudflare.com" } = options;

  /** A token that was solved on another site, or for something else, is as good as none. */
  function isForThisForm(verdict: Verdict): boolean {
    return TEST_SECRET.test(secret) || (verdict.hostname === hostname && verdict.action === TURNSTILE_ACTION);
  }

  return {
    /**
     * @param token unvalidated, as the form sent it
     * @returns `unknown` when Turnstile is unreachable, slow or misconfigured
     */
    async verify(token: unknown, clientIp: string): Promise<"passed" | "failed" | "unknown"> {
      if (typeof token !== "string" || token.length > MAX_TOKEN) return "failed";
      const parameters = { secret, response: token, remoteip: clientIp, idempotency_key: crypto.randomUUID() };
      const init = { method: "POST", body: new URLSearchParams(parameters), redirect: "manual" } as const;
      try {
        const read = (response: Response) => response.json();
        const limit = { time: TURNSTILE_TIMEOUT, name: "Turnstile" };
        const answer = await fetchWithTimeout(`${url}/turnstile/v0/siteverify`, init, limit, read);
        const verdict = v.parse(responseSchema, answer);
        if (parseVerdict(verdict) === "failed") return "failed";
        if (isForThisForm(verdict)) return "passed";
        logSampled("warn", "turnstile-mismatch");
        return "failed";
      } catch (error) {
        logError("turnstile-failed", error);
        return "unknown";
      }
    },
  };
}

const responseSchema = v.object({
  success: v.boolean(),
  "error-codes": v.optional(v.array(v.string()), []),
  hostname: v.optional(v.string()),
  action: v.optional(v.string()),
});

type Verdict = v.InferOutput<typeof responseSchema>;

/** Codes for a bad token. Others, such as a wrong secret or an internal error, are not the visitor's fault. */
const tokenCodes = ["missing-input-response", "invalid-input-response", "timeout-or-duplicate"];

/** @throws on any error that is not about the token */
function parseVerdict({ success, "error-codes": codes }: Verdict): "passed" | "failed" {
  if (success) return "passed";
  if (codes.length > 0 && codes.every((code) => tokenCodes.includes(code))) return "failed";
  throw new Error(`Turnstile returned ${codes.join(", ") || "no error code"}`);
}
