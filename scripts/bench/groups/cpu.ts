import { copyFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { capture, startBarePage, startBareSignUp } from "#scripts/bench/controls.ts";
import { hasCpuTimes, settledThreadTime } from "#scripts/bench/cpu-time.ts";
import { createDatabase, type EntryPoint, entryPoints } from "#scripts/bench/entry-points.ts";
import { signUps } from "#scripts/bench/groups/sign-up.ts";
import { median } from "#scripts/bench/median.ts";
import { atMost, type Outcome } from "#scripts/bench/outcome.ts";
import { type RunningWorker, startSite } from "#scripts/bench/workers.ts";
import { databaseFile } from "#scripts/lib/local-database.ts";
import { OWNER } from "#scripts/lib/owner-site.ts";

/** How many runtimes are started for each entry point, and how many requests follow the first one. */
const STARTS = 3;
const LATER = 20;

/** CPU time that a later request may take (milliseconds). */
const LATER_BAR = 5;

/**
 * Measures the CPU time of the first request to a fresh isolate, whose modules have been evaluated, and of later ones,
 * with the work that goes on after their responses: that of the runtime's JavaScript thread, which also runs the
 * simulators of Cloudflare's services. Bare Workers in the same run show how much that is: one returns a page, the other
 * runs the sign-up's batch.
 */
export async function measure(): Promise<Outcome> {
  const title = "CPU time of a request, in milliseconds";
  if (!hasCpuTimes) {
    return { figures: [], tables: [{ title, head: [""], rows: [["left out: this system has no /proc"]] }] };
  }
  const rows: string[][] = [];
  const worst = { first: new Map<number, number>(), later: 0 };
  const folder = await mkdtemp(join(tmpdir(), "waitlist-site-cpu-"));
  const database = join(folder, "database.sqlite");
  const cookie = await createDatabase(database);
  for (const point of [...(await controls()), ...entryPoints]) {
    const [first, later] = await times(point, { database, cookie });
    rows.push([point.name, first.toFixed(1), later.toFixed(1), point.bar?.toFixed(0) ?? ""]);
    if (point.bar === undefined) continue;
    worst.first.set(point.bar, Math.max(first, worst.first.get(point.bar) ?? 0));
    worst.later = Math.max(later, worst.later);
  }
  await rm(folder, { recursive: true });
  const figures = [
    ...Array.from(worst.first, ([bar, time]) =>
      atMost(`CPU of a first request, those of ${bar} ms, worst`, time, bar, "ms"),
    ),
    atMost("CPU of a later request, worst", worst.later, LATER_BAR, "ms"),
  ];
  return { figures, tables: [{ title, head: ["", "first request", "later ones", "bar of the first"], rows }] };
}

/** A kind of request, and how to start the Worker for it. */
type Measured = Omit<EntryPoint, "bar"> & { bar?: number; start?: () => Promise<RunningWorker> };

/** Bare Workers that respond as the site does. */
async function controls(): Promise<Measured[]> {
  await using site = await startSite({ transport: "socket" });
  const nextSignUp = signUps();
  const { path, ...request } = nextSignUp();
  const page = await capture(site.url);
  const signUp = await capture(site.url + path, request);
  const send = ({ url }: { url: string }) => fetch(url);
  const post = ({ url }: { url: string }) => fetch(url + path, nextSignUp());
  return [
    { name: "bare Worker, page", status: page.status, send, start: () => startBarePage(page) },
    { name: "bare Worker, sign-up's batch", status: signUp.status, send: post, start: () => startBareSignUp(signUp) },
  ];
}

/** CPU times of the first request and of later ones: medians of some fresh runtimes. */
async function times(
  point: Measured,
  { database, cookie }: { database: string; cookie: string },
): Promise<[first: number, later: number]> {
  const { send, status } = point;
  const vars = { OWNER_EMAIL: OWNER };
  const prepare = (persistTo: string) => copyFileSync(database, databaseFile(persistTo));
  const [first, later]: [number[], number[]] = [[], []];
  for (let run = 0; run < STARTS; run += 1) {
    await using worker = await (point.start?.() ??
      startSite(point.isCron ? { transport: "cron", vars } : { transport: "socket", vars, prepare }));
    const request = async (number: number) => {
      const response = await send({ url: worker.url, cookie }, number);
      await response.arrayBuffer();
      if (response.status !== status) throw new Error(`${point.name}: ${response.status} from ${response.url}`);
    };
    const before = await settledThreadTime(worker.pid);
    await request(1);
    const between = await settledThreadTime(worker.pid);
    for (let number = 2; number <= LATER + 1; number += 1) await request(number);
    first.push(between - before);
    later.push(((await settledThreadTime(worker.pid)) - between) / LATER);
  }
  return [median(first), median(later)];
}
