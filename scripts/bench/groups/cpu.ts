import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { CRON, type D1Call } from "#scripts/bench/bench-entry.ts";
import { recordedCalls } from "#scripts/bench/controls.ts";
import { createDatabase, type EntryPoint, entryPoints } from "#scripts/bench/entry-points.ts";
import { atMost, median, type Outcome } from "#scripts/bench/measurement.ts";
import { startWorker } from "#scripts/bench/workers.ts";
import { OWNER } from "#scripts/lib/owner-site.ts";

/** How many runtimes are started for each entry point. */
const STARTS = 5;

/** The requests of each that count as warm: V8 has compiled by then what often runs. */
const WARM = { from: 62, to: 91 };

/** CPU time that a warm request may take (milliseconds). */
const WARM_BAR = 5;

/**
 * CPU time of a start until the first request, on the machine that the bars are set for (milliseconds): the runtime's, that of
 * evaluating the modules, and the warm-up's. It is the same kind of work as a first request, so all times are given in
 * proportion to it. The group `start-up` holds what of it is the site's own.
 */
const START_TIME = 276;

/**
 * Measures the CPU time of the first request to a fresh isolate, whose modules have been evaluated, and of warm ones,
 * with the work that goes on after their responses: that of the runtime's JavaScript thread. Locally this thread also runs
 * D1, so D1's answers are recorded first and then replayed from memory.
 */
export async function measure(): Promise<Outcome> {
  const title = "CPU time of a request without D1, in milliseconds";
  if (!existsSync("/proc/self/schedstat")) {
    return { figures: [], tables: { [title]: [{ "left out": "this system has no /proc" }] } };
  }
  const folder = await mkdtemp(join(tmpdir(), "waitlist-site-cpu-"));
  const database = join(folder, "database.sqlite");
  const cookie = await createDatabase(database);
  const rows: { name: string; first: number; warm: number; bar: number }[] = [];
  const startTimes: number[] = [];
  for (const [bar, points] of Object.entries(entryPoints)) {
    for (const [name, point] of Object.entries(points)) {
      const calls = await record(point, database, cookie);
      const starts: { first: number; warm: number; startTime: number }[] = [];
      while (starts.length < STARTS) starts.push(await measureStart(point, database, cookie, calls));
      const [first, warm] = [median(starts.map(({ first }) => first)), median(starts.map(({ warm }) => warm))];
      rows.push({ name, first, warm, bar: Number(bar) });
      startTimes.push(...starts.map(({ startTime }) => startTime));
    }
  }
  await rm(folder, { recursive: true });
  const figures = Object.keys(entryPoints).map((key) => {
    const bar = Number(key);
    const slowest = Math.max(...rows.filter((row) => row.bar === bar).map(({ first }) => first));
    return atMost(`CPU of a first request without D1, worst of those with a bar of ${bar} ms`, slowest, bar, "ms");
  });
  const slowest = Math.max(...rows.map(({ warm }) => warm));
  figures.push(atMost("CPU of a warm request without D1, worst", slowest, WARM_BAR, "ms"));
  const cells = rows.map((row) => ({ ...row, first: row.first.toFixed(1), warm: row.warm.toFixed(1) }));
  const machine = { "CPU of a start, ms": median(startTimes).toFixed(), "which the bars are set for": START_TIME };
  return { figures, tables: { [title]: cells, "Speed of this machine": [machine] } };
}

/** @returns what D1 answers to all requests of an entry point */
async function record(point: EntryPoint, database: string, cookie: string): Promise<D1Call[]> {
  await using site = await start(point, database, cookie, []);
  await send(site.url, point, cookie, 1, WARM.to);
  // Awaited, or the site would stop before it responds.
  return await recordedCalls(site.url);
}

/**
 * Starts a runtime and sends it all requests of an entry point.
 *
 * @param calls of D1 to replay
 * @returns CPU time of the first request, of a warm one, and of the start. The former are given for a start of {@link START_TIME}
 */
async function measureStart(point: EntryPoint, database: string, cookie: string, calls: D1Call[]) {
  await using site = await start(point, database, cookie, calls);
  // The only runtime that this process has now.
  const pid = Number(execFileSync("pgrep", ["-P", String(process.pid), "workerd"]));
  const startTime = await settledThreadTime(pid);
  await send(site.url, point, cookie, 1, 1);
  const first = (await settledThreadTime(pid)) - startTime;
  await send(site.url, point, cookie, 2, WARM.from - 1);
  const warmedUp = await settledThreadTime(pid);
  await send(site.url, point, cookie, WARM.from, WARM.to);
  const warm = ((await settledThreadTime(pid)) - warmedUp) / (WARM.to - WARM.from + 1);
  const times = startTime / START_TIME;
  return { first: first / times, warm: warm / times, startTime };
}

function start(point: EntryPoint, database: string, cookie: string, calls: D1Call[]) {
  // The cron job has nothing to do in an empty database.
  const isCron = point(1, cookie).path === CRON;
  return startWorker({ vars: { OWNER_EMAIL: OWNER }, calls, database: isCron ? undefined : database });
}

/** Sends the requests with these numbers. */
async function send(url: string, point: EntryPoint, cookie: string, from: number, to: number): Promise<void> {
  for (let number = from; number <= to; number += 1) {
    const { path, status = 200, ...request } = point(number, cookie);
    const response = await fetch(url + path, request);
    if (response.status !== status) throw new Error(`${response.status} from ${response.url}`);
    await response.arrayBuffer();
  }
}

/**
 * CPU time that a workerd's JavaScript thread has used so far (milliseconds), once it has been idle for a while: work can
 * go on after a response. It is the process's first thread; others compile and collect garbage.
 */
async function settledThreadTime(pid: number): Promise<number> {
  for (let before = Number.NEGATIVE_INFINITY; ; await wait(150)) {
    // Its first number is in nanoseconds. The times in `stat` are in ticks of ten milliseconds, too coarse for one request.
    const time = Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ")[0]) / 1_000_000;
    if (time - before < 0.5) return time;
    before = time;
  }
}
