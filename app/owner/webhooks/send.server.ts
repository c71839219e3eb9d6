import { urlProblem } from "#app/owner/webhooks/endpoint-url.server.ts";
import { TIMEOUT } from "#app/owner/webhooks/retry-delays.ts";
import { fetchWithTimeout, TimeoutError } from "#app/server/timeout.ts";
import { USER_AGENT } from "#app/server/user-agent.ts";

/** What became of a request. `status`: of its response, if there was one. */
export type Outcome =
  | { kind: "accepted"; status: number }
  /** `isDown`: other requests would fail in the same way now. `retryAfter` is in milliseconds. */
  | { kind: "failed"; reason: string; status?: number; isDown: boolean; retryAfter: number }
  /** The receiver wants no more events. */
  | { kind: "gone"; reason: "status"; status: 410; retryAfter: 0 };

/**
 * Sends one signed event. Redirects are not followed, and the response's body is never read.
 *
 * @param now for dates in responses (milliseconds since 1970)
 */
export async function sendEvent(
  url: string,
  siteUrl: string,
  message: { headers: Record<string, string>; body: string },
  now: number,
): Promise<Outcome> {
  if (urlProblem(url, siteUrl) !== null) return failure("address");
  const headers = { "Content-Type": "application/json", "User-Agent": USER_AGENT, ...message.headers };
  const init = { method: "POST", headers, body: message.body, redirect: "manual" } as const;
  try {
    return await fetchWithTimeout(url, init, { milliseconds: TIMEOUT, name: "webhook" }, async (response) => {
      // Not awaited: a sender that never stops must not keep us waiting.
      response.body?.cancel().catch(() => {});
      return toOutcome(response, now);
    });
  } catch (error) {
    return failure(connectionProblem(error), { isDown: true });
  }
}

function toOutcome({ status, headers }: Response, now: number): Outcome {
  if (status >= 200 && status < 300) return { kind: "accepted", status };
  if (status === 410) return { kind: "gone", reason: "status", status, retryAfter: 0 };
  const reason = edgeProblems[status] ?? "status";
  const isBusy = status === 429 || status === 503;
  const isDown = isBusy || reason !== "status";
  return { ...failure(reason, { isDown, retryAfter: isBusy ? readRetryAfter(headers, now) : 0 }), status };
}

/**
 * What Cloudflare responds with in place of a receiver that it cannot reach.
 * https://developers.cloudflare.com/support/troubleshooting/http-status-codes/cloudflare-5xx-errors/
 */
const edgeProblems: Record<number, string> = {
  521: "refused",
  522: "timeout",
  523: "unreachable",
  524: "timeout",
  525: "tls",
  526: "tls",
  530: "dns",
};

/** Why there was no response, as far as the runtime's message says. */
function connectionProblem(error: unknown): string {
  if (error instanceof TimeoutError) return "timeout";
  const message = String(error);
  if (/\bDNS\b/i.test(message)) return "dns";
  if (/\bTLS\b|\bSSL\b|certificate/i.test(message)) return "tls";
  return /refused/i.test(message) ? "refused" : "unreachable";
}

function failure(reason: string, { isDown = false, retryAfter = 0 } = {}): Extract<Outcome, { kind: "failed" }> {
  return { kind: "failed", reason, isDown, retryAfter };
}

/** Milliseconds; 0 without a valid `Retry-After`, which is a number of seconds or a date (RFC 9110, 10.2.3). */
function readRetryAfter(headers: Headers, now: number): number {
  const value = headers.get("Retry-After")?.trim() ?? "";
  const wait = /^\d{1,9}$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now;
  return Number.isNaN(wait) ? 0 : Math.max(wait, 0);
}
