import autocannon from "autocannon";
import { cpuTime } from "#scripts/bench/process-usage.ts";
import { median } from "#scripts/bench/statistics.ts";

/** One side of a comparison under load. */
export interface Side {
  name: string;
  url: string;
  /** The process of its workerd. */
  pid: number;
  /** Makes each request another one. */
  nextRequest?: () => autocannon.Request;
}

/** What a side did, round by round. */
export interface SideResult {
  name: string;
  /** Requests per second. */
  rates: number[];
  /** Answers so far, the warm-up's included. */
  answers: number;
  /** CPU time of the runtime for each answer, round by round (microseconds); NaN where the system does not tell. */
  cpu: number[];
  /** The load generator's share of a core, round by round; near 1, it and not the Worker sets the pace. */
  generator: number[];
}

export interface LoadOptions {
  rounds: number;
  /** Seconds that a round of one side should take. */
  seconds: number;
  connections: number;
}

/** Seven short rounds make a median that other work on the machine does not move much. */
export const LOAD: LoadOptions = { rounds: 7, seconds: 1.5, connections: 16 };

/** Enough to see that everything works. */
export const SHORT_LOAD: LoadOptions = { rounds: 1, seconds: 0.3, connections: 8 };

/**
 * Puts sides under load in turns, so that whatever else the machine does meets all of them. Every request of a round is
 * answered before it ends, so that answers can be counted against what they left behind.
 *
 * @throws when an answer is not 2xx, or none comes
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
      result: { name: side.name, rates: [], cpu: [], answers: trial.answers + warm.answers, generator: [] },
    });
  }
  for (let turn = 0; turn < rounds; turn += 1) {
    for (const { side, amount, result } of runs) {
      const { rate, cpu, answers, generator } = await round(side, amount, connections);
      result.rates.push(rate);
      result.cpu.push(cpu);
      result.answers += answers;
      result.generator.push(generator);
    }
  }
  return runs.map(({ result }) => result) as { [Index in keyof Sides]: SideResult };
}

/** How one side's rate stands to another's: the median of the ratios of rounds that followed on each other. */
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
    "2xx": answers,
    non2xx,
    errors,
  } = await fire(optionsFor(side, amount, connections), () => {
    last = performance.now();
  });
  if (answers !== amount) {
    const counts = `${answers} of ${amount} requests were answered well, ${non2xx} badly, ${errors} not`;
    throw new Error(`${side.name}: ${counts}`);
  }
  const { user, system } = process.cpuUsage(used);
  const milliseconds = last - began;
  return {
    rate: (answers / milliseconds) * 1_000,
    cpu: (cpuTime(side.pid) - usedBySide) / answers,
    answers,
    generator: (user + system) / 1_000 / milliseconds,
  };
}

function optionsFor({ url, nextRequest }: Side, amount: number, connections: number): autocannon.Options {
  // The end is noticed once in `sampleInt` (milliseconds); the rate is taken from the last answer.
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
