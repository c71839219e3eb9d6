import autocannon from "autocannon";
import { cpuTime } from "#scripts/bench/cpu-time.ts";
import { median } from "#scripts/bench/median.ts";
import type { Table } from "#scripts/bench/outcome.ts";

/** One side of a comparison under load. */
export interface Side {
  name: string;
  url: string;
  /** Its workerd process. */
  pid: number;
  /** Returns a different request each time. */
  nextRequest?: () => autocannon.Request;
}

/** Arrays contain one value per round. */
export interface SideResult {
  name: string;
  /** Requests per second. */
  rates: number[];
  /** The runtime's CPU time per response (milliseconds); NaN where the system does not report it. */
  cpu: number[];
  /** All responses, including the warm-up. */
  responses: number;
}

const CONNECTIONS = 16;

/** Target length of one side's round (seconds): the median of many short rounds is robust against other work on the machine. */
const ROUND = 0.1;

/**
 * Puts sides under load alternately, so that other work on the machine affects all of them. A round ends when all its
 * requests have responses, so that responses can be compared with database rows.
 *
 * @throws when a response is not 2xx or missing
 */
export async function compare<Sides extends Side[]>(
  sides: [...Sides],
  rounds: number,
): Promise<{ [Index in keyof Sides]: SideResult }> {
  const runs = sides.map((side) => ({
    side,
    result: { name: side.name, rates: [], cpu: [], responses: 0 } as SideResult,
  }));
  const run = async ({ side, result }: (typeof runs)[number], amount: number) => {
    const { rate, cpu } = await round(side, amount);
    result.responses += amount;
    return { rate, cpu };
  };
  // Warms up. The same number of requests for each side, because a round has fixed costs.
  let amount = 0;
  for (const side of runs) {
    await run(side, 100);
    amount = Math.max(amount, Math.ceil((await run(side, 500)).rate * ROUND), CONNECTIONS);
  }
  for (let turn = 0; turn < rounds; turn += 1) {
    // Every other turn backwards, so that no side always follows the same one.
    for (const side of turn % 2 === 0 ? runs : runs.toReversed()) {
      const { rate, cpu } = await run(side, amount);
      side.result.rates.push(rate);
      side.result.cpu.push(cpu);
    }
  }
  return runs.map(({ result }) => result) as { [Index in keyof Sides]: SideResult };
}

/** One side's rate relative to another's: the median of the ratios of consecutive rounds. */
export function ratio(one: Pick<SideResult, "rates">, other: Pick<SideResult, "rates">): number {
  return median(one.rates.map((rate, index) => rate / (other.rates[index] ?? Number.NaN)));
}

/**
 * Medians of all rounds, and ratios to the control: of the rates, and of the CPU time per request, which other work on
 * the machine does not affect.
 */
export function comparisonTable(title: string, control: SideResult, sides: SideResult[]): Table {
  return {
    title,
    head: ["", "requests/s", "slowest to fastest round", "ratio", "CPU, ms per request", "ratio by CPU"],
    rows: [control, ...sides].map((side) => [
      side.name,
      Math.round(median(side.rates)),
      `${Math.round(Math.min(...side.rates))} to ${Math.round(Math.max(...side.rates))}`,
      ratio(side, control).toFixed(2),
      median(side.cpu).toFixed(2),
      (median(control.cpu) / median(side.cpu)).toFixed(2),
    ]),
  };
}

/** Sends a fixed number of requests. */
export async function round({ name, url, pid, nextRequest }: Side, amount: number) {
  const usedBefore = cpuTime(pid);
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
  return { rate: (responses / (last - began)) * 1_000, cpu: (cpuTime(pid) - usedBefore) / amount };
}
