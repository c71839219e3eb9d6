import { copyFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type D1Call, RECORDED } from "#scripts/bench/bench-entry.ts";
import { capture, startBarePage, startD1Calls } from "#scripts/bench/controls.ts";
import { hasCpuTimes, settledThreadTime } from "#scripts/bench/cpu-time.ts";
import { createDatabase, type EntryPoint, entryPoints } from "#scripts/bench/entry-points.ts";
import { median } from "#scripts/bench/median.ts";
import { atMost, type Outcome } from "#scripts/bench/outcome.ts";
import { type RunningWorker, startSite } from "#scripts/bench/workers.ts";
import { databaseFile } from "#scripts/lib/local-database.ts";
import { OWNER } from "#scripts/lib/owner-site.ts";

/** How many runtimes are started for each entry point. */
const STARTS = 3;

/** The requests of each that count as warm: V8 has compiled by then what often runs. */
const WARM = { from: 62, to: 91 };

/** CPU time that a warm request may take (milliseconds). */
const WARM_BAR = 5;

/** Milliseconds. */
interface Times {
  first: number;
  warm: number;
}

type Prepare = (persistTo: string) => void;

/**
 * Measures the CPU time of the first request to a fresh isolate, whose modules have been evaluated, and of warm ones,
 * with the work that goes on after their responses: that of the runtime's JavaScript thread. Locally this thread also runs
 * D1, with the SQL of the request. So a bare Worker makes the same calls to D1, and the bars hold for the rest.
 */
export async function measure(): Promise<Outcome> {
  const title = "CPU time of a request, in milliseconds";
  if (!hasCpuTimes) {
    return { figures: [], tables: [{ title, head: [""], rows: [["left out: this system has no /proc"]] }] };
  }
  const folder = await mkdtemp(join(tmpdir(), "waitlist-site-cpu-"));
  const database = join(folder, "database.sqlite");
  const cookie = await createDatabase(database);
  const page = await barePage();
  const rows: (string | number)[][] = [["bare Worker that returns a page", ...cells(page), "", "", "", "", ""]];
  const worst = { first: new Map<number, number>(), warm: 0 };
  for (const point of entryPoints) {
    const prepare: Prepare = (persistTo) => {
      if (!point.isCron) copyFileSync(database, databaseFile(persistTo));
    };
    const { whole, d1, calls } = await measureEntryPoint(point, prepare, cookie);
    const own = { first: whole.first - d1.first, warm: whole.warm - d1.warm };
    rows.push([point.name, ...cells(whole), calls, ...cells(d1), ...cells(own), point.bar].map(String));
    worst.first.set(point.bar, Math.max(own.first, worst.first.get(point.bar) ?? 0));
    worst.warm = Math.max(own.warm, worst.warm);
  }
  await rm(folder, { recursive: true });
  const figures = [
    ...Array.from(worst.first, ([bar, time]) =>
      atMost(`CPU of a first request without D1, worst of those with a bar of ${bar} ms`, time, bar, "ms"),
    ),
    atMost("CPU of a warm request without D1, worst", worst.warm, WARM_BAR, "ms"),
  ];
  const head = ["", "first", "warm", "calls to D1", "D1, first", "D1, warm", "rest, first", "rest, warm", "bar"];
  return { figures, tables: [{ title, head, rows }] };
}

function cells({ first, warm }: Times): string[] {
  return [first.toFixed(1), warm.toFixed(1)];
}

/** A bare Worker that returns the landing page. */
async function barePage(): Promise<Times> {
  await using site = await startSite({ transport: "socket" });
  const page = await capture(site.url);
  return times(
    () => startBarePage(page),
    async ({ url }) => fetch(url),
  );
}

/** The CPU times of an entry point, those of a bare Worker that makes its calls to D1, and how many the first request makes. */
async function measureEntryPoint(point: EntryPoint, prepare: Prepare, cookie: string) {
  const options = { transport: point.isCron ? "cron" : "socket", vars: { OWNER_EMAIL: OWNER }, prepare } as const;
  const send = async (worker: RunningWorker, number: number) => {
    const response = await point.send({ url: worker.url, cookie }, number);
    if (response.status !== point.status) throw new Error(`${point.name}: ${response.status} from ${response.url}`);
    return response;
  };
  const whole = await times(() => startSite(options), send);
  const calls = await recordCalls(() => startSite({ ...options, recordsD1: true }), send);
  if (point.callsD1 && calls[0]?.length === 0) throw new Error(`${point.name}: the first request did not call D1`);
  const isUsed = calls.some((list) => list.length > 0);
  const d1 = isUsed
    ? await times(
        () => startD1Calls(calls, prepare),
        ({ url }) => fetch(url),
      )
    : { first: 0, warm: 0 };
  return { whole, d1, calls: calls[0]?.length ?? 0 };
}

type Send = (worker: RunningWorker, number: number) => Promise<Response>;

/** The calls to D1 of each request. Those after the first are divided evenly, since some go on after a response. */
async function recordCalls(start: () => Promise<RunningWorker>, send: Send): Promise<D1Call[][]> {
  await using worker = await start();
  const recorded = async (): Promise<D1Call[]> => {
    await settledThreadTime(worker.pid);
    return (await (await fetch(worker.url + RECORDED)).json()) as D1Call[];
  };
  await (await send(worker, 1)).arrayBuffer();
  const first = await recorded();
  for (let number = 2; number <= WARM.to; number += 1) await (await send(worker, number)).arrayBuffer();
  const others = await recorded();
  const share = others.length / (WARM.to - 1);
  const lists = Array.from({ length: WARM.to - 1 }, (_, index) =>
    others.slice(Math.round(index * share), Math.round((index + 1) * share)),
  );
  return [first, ...lists];
}

/** CPU times of the first request and of warm ones: medians of some fresh runtimes. */
async function times(start: () => Promise<RunningWorker>, send: Send): Promise<Times> {
  const [first, warm]: [number[], number[]] = [[], []];
  for (let run = 0; run < STARTS; run += 1) {
    await using worker = await start();
    const request = async (number: number) => (await send(worker, number)).arrayBuffer();
    const before = await settledThreadTime(worker.pid);
    await request(1);
    first.push((await settledThreadTime(worker.pid)) - before);
    for (let number = 2; number < WARM.from; number += 1) await request(number);
    const warmBefore = await settledThreadTime(worker.pid);
    for (let number = WARM.from; number <= WARM.to; number += 1) await request(number);
    warm.push(((await settledThreadTime(worker.pid)) - warmBefore) / (WARM.to - WARM.from + 1));
  }
  return { first: median(first), warm: median(warm) };
}
