import * as v from "valibot";
import { logError } from "#app/server/log.ts";
import { fetchWithTimeout } from "#app/server/timeout.ts";

/** Cloudflare's check whether a visitor is a person. */
export interface Turnstile {
  /**
   * @param token as the widget made it, not yet checked
   * @param client the visitor's IP address
   * @returns `unknown` when Turnstile cannot tell: not reached, not in time, or not configured as it wants
   */
  verify(token: unknown, client: string): Promise<"passed" | "failed" | "unknown">;
}

interface TurnstileOptions {
  secret: string;
  /** Origin of the service. */
  url?: string | undefined;
}

/** Milliseconds. Turnstile is asked while a visitor waits. */
const TURNSTILE_TIMEOUT = 3_000;

/** Longer than any token: https://developers.cloudflare.com/turnstile/get-started/server-side-validation/ */
const MAX_TOKEN = 2_048;

/** https://developers.cloudflare.com/turnstile/get-started/server-side-validation/ */
export function createTurnstile({ secret, url = "https://challenges.cloudflare.com" }: TurnstileOptions): Turnstile {
  return {
    async verify(token, client) {
      if (typeof token !== "string" || token.length > MAX_TOKEN) return "failed";
      const asked = { secret, response: token, remoteip: client, idempotency_key: crypto.randomUUID() };
      const init = { method: "POST", body: new URLSearchParams(asked), redirect: "manual" } as const;
      try {
        const read = (response: Response) => response.json();
        const limits = { milliseconds: TURNSTILE_TIMEOUT, what: "Turnstile" };
        return verdictIn(
          v.parse(answerSchema, await fetchWithTimeout(`${url}/turnstile/v0/siteverify`, init, limits, read)),
        );
      } catch (error) {
        logError("turnstile-failed", error);
        return "unknown";
      }
    },
  };
}

const answerSchema = v.object({ success: v.boolean(), "error-codes": v.optional(v.array(v.string()), []) });

/** The codes that blame the token. All others, such as a wrong secret or an internal error, blame us or them. */
const tokenCodes = ["missing-input-response", "invalid-input-response", "timeout-or-duplicate"];

/** @throws when Turnstile names another reason than the token */
function verdictIn({ success, "error-codes": codes }: v.InferOutput<typeof answerSchema>): "passed" | "failed" {
  if (success) return "passed";
  if (codes.length > 0 && codes.every((code) => tokenCodes.includes(code))) return "failed";
  throw new Error(`Turnstile answered ${codes.join(", ") || "neither yes nor why not"}`);
}
