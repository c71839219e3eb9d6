import type { RunningSite } from "#scripts/lib/running-site.ts";

/** Requests without a response before it gives up. */
const MAX_FAILURES = 10;

/** Repeats a request until there is a response: the runtime may have been killed, and another one started. */
export async function insist(
  site: () => Promise<RunningSite>,
  request: (site: RunningSite) => Promise<Response>,
): Promise<{ response: Response; failedRequests: number }> {
  for (let failedRequests = 0; ; failedRequests += 1) {
    const running = await site();
    try {
      const response = await request(running);
      await response.arrayBuffer();
      return { response, failedRequests };
    } catch (error) {
      if (failedRequests >= MAX_FAILURES) throw error;
    }
  }
}
