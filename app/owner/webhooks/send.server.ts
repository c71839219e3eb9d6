import { urlProblem } from "#app/owner/webhooks/endpoint-url.server.ts";
import { fetchWithTimeout, TimeoutError } from "#app/server/timeout.ts";
import { USER_AGENT } from "#app/server/user-agent.ts";

/** What became of a request. */
export type Outcome =
  | { kind: "accepted" }
  /** `isDown`: other requests would fail in the same way now. `retryAfter` is in milliseconds. */
  | { kind: "failed"; reason: string; isDown: boolean; retryAfter: number }
  /** The receiver wants no more events. */
  | { kind: "gone" };

/** For the whole request (milliseconds). */
export const TIMEOUT = 15_000;

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
    return failure(error instanceof TimeoutError ? "timeout" : "unreachable", { isDown: true });
  }
}

function toOutcome({ status, headers }: Response, now: number): Outcome {
  if (status >= 200 && status < 300) return { kind: "accepted" };
  if (status === 410) return { kind: "gone" };
  const isDown = status === 429 || status === 503;
  return failure(`status-${status}`, { isDown, retryAfter: isDown ? readRetryAfter(headers, now) : 0 });
}

function failure(reason: string, { isDown = false, retryAfter = 0 } = {}): Outcome {
  return { kind: "failed", reason, isDown, retryAfter };
}

/** Milliseconds; 0 without a valid `Retry-After`, which is a number of seconds or a date (RFC 9110, 10.2.3). */
function readRetryAfter(headers: Headers, now: number): number {
  const value = headers.get("Retry-After")?.trim() ?? "";
  const wait = /^\d{1,9}$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now;
  return Number.isNaN(wait) ? 0 : Math.max(wait, 0);
}
