import { urlProblem } from "#app/features/webhooks/endpoint-url.server.ts";
import { USER_AGENT } from "#app/server/http/user-agent.ts";
import { fetchWithTimeout, TimeoutError } from "#app/server/time/timeout.ts";
import type { EpochMillis, Millis } from "#app/server/time/units.ts";

export const REQUEST_TIMEOUT: Millis = 15_000;

export interface DeliveryOutcome {
  /** Why it was not accepted; null if it was. */
  reason: string | null;
  /** Of the response, if there was one. 410: the receiver wants no more events. */
  status?: number;
  /** Whether other requests would fail in the same way now. */
  isDown: boolean;
  /** How long the receiver asks us to wait. */
  retryAfter: Millis;
}

/** Follows no redirect, and never reads the response's body. @param now for dates in responses */
export async function sendEvent(
  url: string,
  siteUrl: string,
  message: { headers: Record<string, string>; body: string },
  now: EpochMillis,
): Promise<DeliveryOutcome> {
  if (urlProblem(url, siteUrl) !== null) return { reason: "address", isDown: true, retryAfter: 0 };
  const headers = { "Content-Type": "application/json", "User-Agent": USER_AGENT, ...message.headers };
  const init = { method: "POST", headers, body: message.body, redirect: "manual" } as const;
  try {
    return await fetchWithTimeout(url, init, { time: REQUEST_TIMEOUT, name: "webhook" }, async (response) => {
      // Not awaited: a sender that never stops must not keep us waiting.
      response.body?.cancel().catch(() => {});
      return toOutcome(response, now);
    });
  } catch (error) {
    return { reason: connectionProblem(error), isDown: true, retryAfter: 0 };
  }
}

function toOutcome({ status, headers }: Response, now: EpochMillis): DeliveryOutcome {
  if (status >= 200 && status < 300) return { reason: null, status, isDown: false, retryAfter: 0 };
  const isBusy = status === 429 || status === 503;
  const reason = edgeProblems[status] ?? "status";
  const isDown = isBusy || status === 410 || reason !== "status";
  return { reason, status, isDown, retryAfter: isBusy ? readRetryAfter(headers, now) : 0 };
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

/** Why there was no response. Of names, certificates and TLS, the runtime says only that something was wrong. */
function connectionProblem(error: unknown): string {
  if (error instanceof TimeoutError) return "timeout";
  return /Network connection lost/.test(String(error)) ? "refused" : "unreachable";
}

/** 0 without a valid `Retry-After`, which is a number of seconds or a date (RFC 9110, 10.2.3). */
function readRetryAfter(headers: Headers, now: EpochMillis): Millis {
  const value = headers.get("Retry-After")?.trim() ?? "";
  const wait = /^\d{1,9}$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now;
  return Number.isNaN(wait) ? 0 : Math.max(wait, 0);
}
