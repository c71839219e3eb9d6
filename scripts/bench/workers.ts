import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { unstable_getMiniflareWorkerOptions as readWorkerOptions } from "wrangler";
import { type Answers, benchEntry } from "#scripts/bench/bench-entry.ts";
import { root } from "#scripts/lib/commands.ts";
import { migrate } from "#scripts/lib/local-database.ts";
import { localVars } from "#scripts/lib/local-vars.ts";
import { freePort } from "#scripts/lib/ports.ts";

/** A Worker in a separate workerd process, with a fresh database. Requests reach it directly on workerd's socket. */
export interface RunningWorker {
  url: string;
  /** The workerd process. */
  pid: number;
  /** Counts a table's rows. */
  count(table: string): Promise<number>;
  [Symbol.asyncDispose](): Promise<void>;
}

type V4Options = Parameters<typeof convertV4MiniflareOptions>[0];
type WorkerOptions = Extract<V4Options, { workers: unknown }>["workers"][number];

const BUILT = join(root, "build", "server");

const CONFIG = join(BUILT, "wrangler.json");

interface StartOptions {
  /** Each request runs the cron job. */
  isCron?: boolean | undefined;
  /** Fills the local database before the start, after its migrations. */
  prepare?: (persistTo: string) => void;
}

interface SiteOptions extends StartOptions {
  vars?: Record<string, string>;
  /** Replays these answers of D1, and records all others. */
  answers?: Answers;
}

/** Starts the built Worker, without its static files. */
export async function startWorker({ vars = {}, answers, ...options }: SiteOptions = {}): Promise<RunningWorker> {
  const { modulesRules: _, assets: __, ratelimits, ...worker } = readWorkerOptions(CONFIG).workerOptions;
  const port = await freePort();
  const entry = benchEntry("./index.js", Object.keys(ratelimits ?? {}), answers ?? null);
  const files = (await readdir(BUILT, { recursive: true })).filter((file) => file.endsWith(".js"));
  const site = {
    ...worker,
    rootPath: BUILT,
    modulesRoot: BUILT,
    modules: [
      { type: "ESModule", path: join(BUILT, "bench-entry.js"), contents: entry },
      ...files.map((file) => ({ type: "ESModule", path: join(BUILT, file) })),
    ],
    bindings: { ...localVars(port), SITE_URL: `http://127.0.0.1:${port}`, ...vars },
  };
  return start(site, port, options);
}

/** Starts a bare Worker. */
export async function startControl(script: string): Promise<RunningWorker> {
  const { compatibilityDate, d1Databases } = readWorkerOptions(CONFIG).workerOptions;
  const modules = [{ type: "ESModule", path: "control.js", contents: script }];
  return start({ compatibilityDate, d1Databases, modules }, await freePort());
}

async function start(worker: object, port: number, { isCron, prepare }: StartOptions = {}): Promise<RunningWorker> {
  const folder = await mkdtemp(join(tmpdir(), "waitlist-site-bench-"));
  const persistTo = join(folder, "state");
  migrate(persistTo);
  prepare?.(persistTo);
  const name = "measured";
  const socket = { host: "127.0.0.1", port, entrypoint: isCron ? "cron" : "default" };
  const before = new Set(runtimes());
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      workers: [{ ...worker, name, unsafeDirectSockets: [socket] } as WorkerOptions],
      resourcePersistencePath: join(persistTo, "v3"),
      // Printing the Worker's log would cost more than the Worker itself.
      handleStructuredLogs: () => {},
    }),
  );
  const url = await miniflare.unsafeGetDirectURL(name, socket.entrypoint);
  // The first use of what stands in for KV costs more than a Worker's own work. Bare Workers have none.
  const { CACHE } = await miniflare.getBindings<{ CACHE?: { get(key: string): Promise<unknown> } }>(name);
  await CACHE?.get("warm");
  const pid = runtimes().find((runtime) => !before.has(runtime));
  if (pid === undefined) throw new Error("No workerd process was started");
  return {
    url: String(url).replace(/\/$/, ""),
    pid,
    async count(table) {
      const database = await miniflare.getD1Database("DB", name);
      return (await database.prepare(`SELECT count(*) AS n FROM ${table}`).first<number>("n")) ?? 0;
    },
    async [Symbol.asyncDispose]() {
      await miniflare.dispose();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Ids of the workerd processes that this process has started. */
function runtimes(): number[] {
  const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid=,comm="], { encoding: "utf8" });
  const processes = Array.from(stdout.matchAll(/^ *(\d+) +(\d+) .*workerd/gm));
  return processes.filter(([, , parent]) => Number(parent) === process.pid).map(([, pid]) => Number(pid));
}
