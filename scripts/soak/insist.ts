import type { RunningSite } from "#scripts/lib/running-site.ts";

/** A request, repeated until the site replied, and its reply. */
export interface Exchange {
  /** A visit; the use of a link in an email; or an event's type, such as `email.bounced/Transient`. */
  kind: "new" | "duplicate" | "invalid" | "return" | "left" | "erased" | `${string}.${string}`;
  /** The address that it is about. */
  email: string;
  /** Whether it is an event with a wrong signature. */
  forged?: boolean;
  status: number;
  body: string;
  /** Requests that were lost before. */
  failedRequests: number;
  /** When the first request was sent, and when the reply arrived (milliseconds since 1970). */
  sentAt: number;
  at: number;
}

/** Requests that fail before it gives up. */
const MAX_FAILURES = 10;

/**
 * What Wrangler's proxy responds with when its connection to the runtime is closed while it sends a request: both close
 * idle connections after five seconds. https://github.com/cloudflare/workers-sdk/issues/14641
 */
const LOST_CONNECTION = "Network connection lost";

/** Posts to the site. Repeats a request that was lost on its way, or because the runtime was killed, and no other failure. */
export async function insist(
  site: () => Promise<RunningSite>,
  path: string,
  init: RequestInit,
): Promise<Omit<Exchange, "kind" | "email">> {
  const sentAt = Date.now();
  for (let failedRequests = 0; ; failedRequests += 1) {
    const asked = site();
    const { url } = await asked;
    try {
      const response = await fetch(url + path, { method: "POST", redirect: "manual", ...init });
      const [{ status }, body] = [response, await response.text()];
      // Wrangler responds with 500 for a runtime that dies; the site is replaced before that.
      const isLost = (status >= 500 && site() !== asked) || (status === 500 && body.includes(LOST_CONNECTION));
      if (!isLost || failedRequests >= MAX_FAILURES) return { status, body, failedRequests, sentAt, at: Date.now() };
    } catch (error) {
      if (failedRequests >= MAX_FAILURES) throw error;
    }
  }
}
