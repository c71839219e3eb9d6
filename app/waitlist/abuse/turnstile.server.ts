import * as v from "valibot";
import { logError } from "#app/server/log.ts";
import { fetchWithTimeout } from "#app/server/timeout.ts";

/** Cloudflare Turnstile's server side, which tells people from bots. */
export interface Turnstile {
  /**
   * @param token unvalidated, as the form sent it
   * @param client the visitor's IP address
   * @returns `unknown` when Turnstile is unreachable, slow or misconfigured
   */
  verify(token: unknown, client: string): Promise<"passed" | "failed" | "unknown">;
}

interface TurnstileOptions {
  secret: string;
  /** Origin of the service. */
  url?: string | undefined;
}

/** Milliseconds. Short, because a visitor is waiting. */
const TURNSTILE_TIMEOUT = 3_000;

/** Maximum length of a token: https://developers.cloudflare.com/turnstile/get-started/server-side-validation/ */
const MAX_TOKEN = 2_048;

export function createTurnstile({ secret, url = "https://challenges.cloudflare.com" }: TurnstileOptions): Turnstile {
  return {
    async verify(token, client) {
      if (typeof token !== "string" || token.length > MAX_TOKEN) return "failed";
      const parameters = { secret, response: token, remoteip: client, idempotency_key: crypto.randomUUID() };
      const init = { method: "POST", body: new URLSearchParams(parameters), redirect: "manual" } as const;
      try {
        const read = (response: Response) => response.json();
        const limit = { milliseconds: TURNSTILE_TIMEOUT, name: "Turnstile" };
        return parseVerdict(
          v.parse(responseSchema, await fetchWithTimeout(`${url}/turnstile/v0/siteverify`, init, limit, read)),
        );
      } catch (error) {
        logError("turnstile-failed", error);
        return "unknown";
      }
    },
  };
}

const responseSchema = v.object({ success: v.boolean(), "error-codes": v.optional(v.array(v.string()), []) });

/** Codes for a bad token. Others, such as a wrong secret or an internal error, are not the visitor's fault. */
const tokenCodes = ["missing-input-response", "invalid-input-response", "timeout-or-duplicate"];

/** @throws on any error that is not about the token */
function parseVerdict({ success, "error-codes": codes }: v.InferOutput<typeof responseSchema>): "passed" | "failed" {
  if (success) return "passed";
  if (codes.length > 0 && codes.every((code) => tokenCodes.includes(code))) return "failed";
  throw new Error(`Turnstile returned ${codes.join(", ") || "no error code"}`);
}
