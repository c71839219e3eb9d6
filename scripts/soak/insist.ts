import type { RunningSite } from "#scripts/lib/running-site.ts";

/** Requests that fail before it gives up. */
const MAX_FAILURES = 10;

/**
 * What Wrangler's proxy responds with when its connection to the runtime is closed while it sends a request: both close
 * idle connections after five seconds. https://github.com/cloudflare/workers-sdk/issues/14641
 */
const LOST_CONNECTION = "Network connection lost";

/** Repeats a request that was lost on its way, or because the runtime was killed. Another failure of the site is an answer. */
export async function insist(
  site: () => Promise<RunningSite>,
  request: (site: RunningSite) => Promise<Response>,
): Promise<{ response: Response; body: string; failedRequests: number }> {
  for (let failedRequests = 0; ; failedRequests += 1) {
    const asked = site();
    const running = await asked;
    try {
      const response = await request(running);
      const body = await response.text();
      // Wrangler responds with 500 for a runtime that dies; the site is replaced before that.
      const wasKilled = response.status >= 500 && site() !== asked;
      const wasLost = response.status === 500 && body.includes(LOST_CONNECTION);
      if ((!wasKilled && !wasLost) || failedRequests >= MAX_FAILURES) return { response, body, failedRequests };
    } catch (error) {
      if (failedRequests >= MAX_FAILURES) throw error;
    }
  }
}
