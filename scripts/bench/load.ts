import autocannon from "autocannon";
import { median, type Table } from "#scripts/bench/measurement.ts";

/** One side of a comparison under load. */
export interface Side {
  name: string;
  url: string;
  /** Returns a different request each time. */
  nextRequest?: () => autocannon.Request;
}

export interface SideResult {
  name: string;
  /** Requests per second, one value per round. */
  rates: number[];
  /** All responses, including the warm-up. */
  responses: number;
}

const CONNECTIONS = 16;

/** Target length of one side's round (seconds): the median of many short rounds is robust against other work on the machine. */
const ROUND = 0.1;

/**
 * Puts two sides under load alternately, so that other work on the machine affects both. A round ends when all its
 * requests have responses, so that responses can be compared with database rows.
 *
 * @throws when a response is not 2xx or missing
 */
export async function compare(one: Side, other: Side, rounds: number): Promise<[one: SideResult, other: SideResult]> {
  const results: [SideResult, SideResult] = [
    { name: one.name, rates: [], responses: 0 },
    { name: other.name, rates: [], responses: 0 },
  ];
  const run = (index: 0 | 1, amount: number) => {
    results[index].responses += amount;
    return round(index === 0 ? one : other, amount);
  };
  // Warms up. The same number of requests for each side, because a round has fixed costs.
  let amount = CONNECTIONS;
  for (const index of [0, 1] as const) {
    await run(index, 100);
    amount = Math.max(amount, Math.ceil((await run(index, 500)) * ROUND));
  }
  for (let turn = 0; turn < rounds; turn += 1) {
    // Every other turn backwards, so that no side always follows the other.
    for (const index of turn % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      results[index].rates.push(await run(index, amount));
    }
  }
  return results;
}

/** One side's rate relative to another's: the median of the ratios of consecutive rounds. */
export function ratio(one: Pick<SideResult, "rates">, other: Pick<SideResult, "rates">): number {
  return median(one.rates.map((rate, index) => rate / (other.rates[index] ?? Number.NaN)));
}

/** Medians of all rounds, and the ratio to the control. */
export function comparisonTable(title: string, one: SideResult, control: SideResult): Table {
  return {
    title,
    head: ["", "requests/s", "slowest to fastest round", "ratio"],
    rows: [control, one].map((side) => [
      side.name,
      Math.round(median(side.rates)),
      `${Math.round(Math.min(...side.rates))} to ${Math.round(Math.max(...side.rates))}`,
      ratio(side, control).toFixed(2),
    ]),
  };
}

/** Sends a fixed number of requests. @returns how many have responses in a second */
export async function round({ name, url, nextRequest }: Side, amount: number): Promise<number> {
  const began = performance.now();
  let last = began;
  const setupRequest = (request: autocannon.Request) => ({ ...request, ...nextRequest?.() });
  const {
    "2xx": responses,
    non2xx,
    errors,
  } = await autocannon({
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
  if (responses !== amount) {
    const counts = `${responses} of ${amount} requests returned 2xx, ${non2xx} another status, ${errors} failed`;
    throw new Error(`${name}: ${counts}`);
  }
  return (responses / (last - began)) * 1_000;
}
