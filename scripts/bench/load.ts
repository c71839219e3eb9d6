import autocannon from "autocannon";
import { cpuTime } from "#scripts/bench/process-usage.ts";
import { median } from "#scripts/bench/statistics.ts";

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
  /** All responses, including the warm-up. */
  responses: number;
  /** The runtime's CPU time per response (microseconds); NaN where the system does not report it. */
  cpu: number[];
  /** The load generator's share of a core. Near 1, it is the bottleneck instead of the Worker. */
  generator: number[];
}

export interface LoadOptions {
  rounds: number;
  /** Target length of one side's round. */
  seconds: number;
  connections: number;
}

/** The median of many short rounds is robust against other work on the machine. */
export const LOAD: LoadOptions = { rounds: 301, seconds: 0.15, connections: 16 };

/** Just enough to show that everything works. */
export const SHORT_LOAD: LoadOptions = { rounds: 1, seconds: 0.3, connections: 8 };

/**
 * Puts sides under load alternately, so that other work on the machine affects all of them. A round ends when all its
 * requests have responses, so that responses can be compared with database rows.
 *
 * @throws when a response is not 2xx or missing
 */
export async function compare<Sides extends Side[]>(
  sides: [...Sides],
  { rounds, seconds, connections }: LoadOptions,
): Promise<{ [Index in keyof Sides]: SideResult }> {
  const runs: { side: Side; amount: number; result: SideResult }[] = [];
  for (const side of sides) {
    const trial = await round(side, 100, connections);
    const warm = await round(side, Math.max(connections, Math.ceil(trial.rate * seconds)), connections);
    runs.push({
      side,
      amount: Math.max(connections, Math.ceil(warm.rate * seconds)),
      result: { name: side.name, rates: [], cpu: [], responses: trial.responses + warm.responses, generator: [] },
    });
  }
  for (let turn = 0; turn < rounds; turn += 1) {
    // Every other turn backwards, so that no side always follows the same one.
    for (const { side, amount, result } of turn % 2 === 0 ? runs : runs.toReversed()) {
      const { rate, cpu, responses, generator } = await round(side, amount, connections);
      result.rates.push(rate);
      result.cpu.push(cpu);
      result.responses += responses;
      result.generator.push(generator);
    }
  }
  return runs.map(({ result }) => result) as { [Index in keyof Sides]: SideResult };
}

/** One side's rate relative to another's: the median of the ratios of consecutive rounds. */
export function ratio(one: Pick<SideResult, "rates">, other: Pick<SideResult, "rates">): number {
  return median(one.rates.map((rate, index) => rate / (other.rates[index] ?? Number.NaN)));
}

/** Sends a fixed number of requests. */
export async function round(side: Side, amount: number, connections: number) {
  const used = process.cpuUsage();
  const usedBySide = cpuTime(side.pid);
  const began = performance.now();
  let last = began;
  const {
    "2xx": responses,
    non2xx,
    errors,
  } = await fire(optionsFor(side, amount, connections), () => {
    last = performance.now();
  });
  if (responses !== amount) {
    const counts = `${responses} of ${amount} requests returned 2xx, ${non2xx} another status, ${errors} failed`;
    throw new Error(`${side.name}: ${counts}`);
  }
  const { user, system } = process.cpuUsage(used);
  const milliseconds = last - began;
  return {
    rate: (responses / milliseconds) * 1_000,
    cpu: (cpuTime(side.pid) - usedBySide) / responses,
    responses,
    generator: (user + system) / 1_000 / milliseconds,
  };
}

function optionsFor({ url, nextRequest }: Side, amount: number, connections: number): autocannon.Options {
  // autocannon checks for the end every `sampleInt` milliseconds; the rate is measured to the last response instead.
  const options = { url, amount, connections, sampleInt: 20 };
  if (nextRequest === undefined) return options;
  const setupRequest = (request: autocannon.Request) => ({ ...request, ...nextRequest() });
  return { ...options, requests: [{ setupRequest }] };
}

function fire(options: autocannon.Options, onResponse: () => void): Promise<autocannon.Result> {
  return new Promise((resolve, reject) => {
    const run = autocannon(options, (error, result) => (error ? reject(error) : resolve(result)));
    run.on("response", onResponse);
  });
}
