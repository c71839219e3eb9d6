import { copyFileSync, existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type Answers, RECORDED } from "#scripts/bench/bench-entry.ts";
import { createDatabase, type EntryPoint, entryPoints } from "#scripts/bench/entry-points.ts";
import { atMost, median, type Outcome } from "#scripts/bench/measurement.ts";
import { startWorker } from "#scripts/bench/workers.ts";
import { databaseFile } from "#scripts/lib/local-database.ts";
import { OWNER } from "#scripts/lib/owner-site.ts";

/** How many runtimes are started for each entry point. */
const STARTS = 3;

/** The requests of each that count as warm: V8 has compiled by then what often runs. */
const WARM = { from: 62, to: 91 };

/** CPU time that a warm request may take (milliseconds). */
const WARM_BAR = 5;

/**
 * Measures the CPU time of the first request to a fresh isolate, whose modules have been evaluated, and of warm ones,
 * with the work that goes on after their responses: that of the runtime's JavaScript thread. Locally this thread also runs
 * D1, so D1's answers are recorded first and then replayed from memory.
 */
export async function measure(): Promise<Outcome> {
  const title = "CPU time of a request without D1, in milliseconds";
  if (!existsSync("/proc/self/schedstat")) {
    return { figures: [], tables: [{ title, head: [""], rows: [["left out: this system has no /proc"]] }] };
  }
  const folder = await mkdtemp(join(tmpdir(), "waitlist-site-cpu-"));
  const database = join(folder, "database.sqlite");
  const cookie = await createDatabase(database);
  const rows: { name: string; first: number; warm: number; bar: number }[] = [];
  for (const point of entryPoints) {
    const [first, warm]: [number[], number[]] = [[], []];
    const { answers } = await measureStart(point, database, cookie, {});
    for (let start = 0; start < STARTS; start += 1) {
      const times = await measureStart(point, database, cookie, answers);
      first.push(times.first);
      warm.push(times.warm);
    }
    rows.push({ name: point.name, first: median(first), warm: median(warm), bar: point.bar });
  }
  await rm(folder, { recursive: true });
  const figures = Array.from(
    Map.groupBy(rows, ({ bar }) => bar),
    ([bar, points]) => {
      const slowest = Math.max(...points.map(({ first }) => first));
      return atMost(`CPU of a first request without D1, worst of those with a bar of ${bar} ms`, slowest, bar, "ms");
    },
  );
  const slowest = Math.max(...rows.map(({ warm }) => warm));
  return {
    figures: [...figures, atMost("CPU of a warm request without D1, worst", slowest, WARM_BAR, "ms")],
    tables: [
      {
        title,
        head: ["", "first", "warm", "bar of the first"],
        rows: rows.map(({ name, first, warm, bar }) => [name, first.toFixed(1), warm.toFixed(1), bar]),
      },
    ],
  };
}

/** CPU times of the first request to a fresh runtime, and of warm ones; and what D1 answered, except from memory. */
async function measureStart(point: EntryPoint, database: string, cookie: string, answers: Answers) {
  const prepare = (persistTo: string) => {
    if (!point.isCron) copyFileSync(database, databaseFile(persistTo));
  };
  const options = { isCron: point.isCron, vars: { OWNER_EMAIL: OWNER }, prepare, answers };
  await using site = await startWorker(options);
  const { url, pid } = site;
  /** Sends the requests with these numbers. @returns the CPU time of each */
  async function send(from: number, to: number): Promise<number> {
    const before = await settledThreadTime(pid);
    for (let number = from; number <= to; number += 1) {
      const response = await point.send({ url, cookie }, number);
      if (response.status !== point.status) throw new Error(`${point.name}: ${response.status} from ${response.url}`);
      await response.arrayBuffer();
    }
    return ((await settledThreadTime(pid)) - before) / (to - from + 1);
  }
  const first = await send(1, 1);
  await send(2, WARM.from - 1);
  const warm = await send(WARM.from, WARM.to);
  return { first, warm, answers: (await (await fetch(url + RECORDED)).json()) as Answers };
}

/**
 * CPU time that a workerd's JavaScript thread has used so far (milliseconds), once it has been idle for a while: work can
 * go on after a response. It is the process's first thread; others compile and collect garbage.
 */
async function settledThreadTime(pid: number): Promise<number> {
  let time = threadTime(pid);
  for (let idle = 0; idle < 3; ) {
    await wait(50);
    const now = threadTime(pid);
    idle = now - time < 0.3 ? idle + 1 : 0;
    time = now;
  }
  return time;
}

function threadTime(pid: number): number {
  // Its first number is in nanoseconds. The times in `stat` are in ticks of ten milliseconds, too coarse for one request.
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ")[0]) / 1_000_000;
}
