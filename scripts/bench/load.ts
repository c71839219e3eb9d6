import autocannon from "autocannon";
import { compare, median } from "#scripts/bench/measurement.ts";

/** One side of a comparison under load. */
export interface Side {
  url: string;
  /** Returns a different request each time. */
  nextRequest?: () => autocannon.Request;
}

const CONNECTIONS = 16;

/** Target length of one side's round (seconds): the median of many short rounds is robust against other work on the machine. */
const ROUND = 0.1;

/**
 * Compares the requests per second of a site with those of its control.
 *
 * @returns their ratio and their medians, and how many responses each of them gave, including the warm-up
 * @throws when a response is not 2xx or missing
 */
export async function compareRates(rounds: number, sides: { site: Side; control: Side }) {
  // Warms up. The same number of requests for each side, because a round has fixed costs.
  let amount = CONNECTIONS;
  for (const side of Object.values(sides)) {
    await round(side, 100);
    amount = Math.max(amount, Math.ceil((await round(side, 500)) * ROUND));
  }
  const { site, control, ratio } = await compare(rounds, (side) => round(sides[side], amount));
  const rates = { "the site": Math.round(median(site)), "bare Worker": Math.round(median(control)) };
  return { ratio, rates, responses: 600 + rounds * amount };
}

/**
 * Sends a fixed number of requests and waits for all responses, so that they can be compared with database rows.
 *
 * @returns responses per second
 */
export async function round({ url, nextRequest }: Side, amount: number): Promise<number> {
  const began = performance.now();
  let last = began;
  const setupRequest = (request: autocannon.Request) => ({ ...request, ...nextRequest?.() });
  const result = await autocannon({
    url,
    amount,
    connections: CONNECTIONS,
    ...(nextRequest === undefined ? {} : { requests: [{ setupRequest }] }),
    // How often it checks for the end (milliseconds); the rate is measured to the last response instead.
    sampleInt: 20,
    setupClient: (client) =>
      client.on("response", () => {
        last = performance.now();
      }),
  });
  const { "2xx": responses, non2xx, errors } = result;
  if (responses !== amount) {
    throw new Error(`${responses} of ${amount} requests returned 2xx, ${non2xx} another status, ${errors} failed`);
  }
  return (responses / (last - began)) * 1_000;
}
