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

/** A Worker in a separate workerd process, with a fresh database. */
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

/**
 * How requests reach the site. `socket`: directly on workerd's socket, without assets, for load. `edge`: through
 * Miniflare's front end, which compresses responses and serves assets like Cloudflare, for browsers. `cron`: as `socket`,
 * but each request runs the cron job.
 */
type Transport = "socket" | "edge" | "cron";

interface SiteOptions {
  transport: Transport;
  vars?: Record<string, string>;
  /** Fills the local database before the start, after its migrations. */
  prepare?: (persistTo: string) => void;
  /** Replays these answers of D1, and records all others. */
  answers?: Answers;
}

/** Starts the built Worker. */
export async function startSite({ transport, vars = {}, prepare, answers }: SiteOptions): Promise<RunningWorker> {
  const { modulesRules: _, assets, ratelimits, ...options } = readWorkerOptions(CONFIG).workerOptions;
  const port = await freePort();
  const limits = Object.keys(ratelimits ?? {});
  const files = (await readdir(BUILT, { recursive: true })).filter((file) => file.endsWith(".js"));
  const worker = {
    ...options,
    ...(transport === "edge" ? { assets } : {}),
    rootPath: BUILT,
    modulesRoot: BUILT,
    modules: [
      {
        type: "ESModule",
        path: join(BUILT, "bench-entry.js"),
        contents: benchEntry("./index.js", limits, answers ?? null),
      },
      ...files.map((file) => ({ type: "ESModule", path: join(BUILT, file) })),
    ],
    bindings: { ...localVars(port), SITE_URL: `http://127.0.0.1:${port}`, ...vars },
  };
  return start({ worker, transport, port, prepare });
}

/** Starts a bare Worker, on workerd's socket. */
export async function startControl(script: string, prepare?: SiteOptions["prepare"]): Promise<RunningWorker> {
  const { compatibilityDate, d1Databases } = readWorkerOptions(CONFIG).workerOptions;
  const modules = [{ type: "ESModule", path: "control.js", contents: script }];
  return start({
    worker: { compatibilityDate, d1Databases, modules },
    transport: "socket",
    port: await freePort(),
    prepare,
  });
}

interface StartOptions {
  worker: object;
  transport: Transport;
  port: number;
  prepare?: SiteOptions["prepare"];
}

async function start({ worker, transport, port, prepare }: StartOptions): Promise<RunningWorker> {
  const folder = await mkdtemp(join(tmpdir(), "waitlist-site-bench-"));
  const persistTo = join(folder, "state");
  migrate(persistTo);
  prepare?.(persistTo);
  const name = "measured";
  const entrypoint = transport === "cron" ? transport : "default";
  const socket = { unsafeDirectSockets: [{ host: "127.0.0.1", port, entrypoint }] };
  const before = new Set(runtimes());
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      workers: [{ ...worker, name, ...(transport === "edge" ? {} : socket) } as WorkerOptions],
      ...(transport === "edge" ? { port } : {}),
      resourcePersistencePath: join(persistTo, "v3"),
      logRequests: false,
      // Printing the Worker's log would cost more than the Worker itself.
      handleStructuredLogs: () => {},
    }),
  );
  const url = transport === "edge" ? miniflare.ready : miniflare.unsafeGetDirectURL(name, entrypoint);
  const address = String(await url).replace(/\/$/, "");
  // The first use of what stands in for KV costs more than a Worker's own work. Bare Workers have none.
  const { CACHE } = await miniflare.getBindings<{ CACHE?: { get(key: string): Promise<unknown> } }>(name);
  await CACHE?.get("warm");
  const pid = runtimes().find((runtime) => !before.has(runtime));
  if (pid === undefined) throw new Error("No workerd process was started");
  return {
    url: address,
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
