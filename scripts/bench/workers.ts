import { copyFileSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { unstable_getMiniflareWorkerOptions as readWorkerOptions } from "wrangler";
import { benchEntry, type D1Call } from "#scripts/bench/bench-entry.ts";
import { root } from "#scripts/lib/commands.ts";
import { databaseFile, migrate } from "#scripts/lib/local-database.ts";
import { localVars } from "#scripts/lib/local-vars.ts";
import { freePort } from "#scripts/lib/ports.ts";

/** A Worker in a separate workerd process, with a fresh database. Requests reach it directly on workerd's socket. */
export interface RunningWorker extends AsyncDisposable {
  url: string;
  /** Where the inspector of its isolate listens, if it has one. */
  inspector: string;
  /** Folder of its database. */
  persistTo: string;
  /** Counts a table's rows. */
  count(table: string): Promise<number>;
}

const BUILT = join(root, "build", "server");

const CONFIG = join(BUILT, "wrangler.json");

interface SiteOptions {
  vars?: Record<string, string>;
  /** Replays these calls of D1, and records all others. */
  calls?: D1Call[];
  /** See `benchEntry`. */
  latency?: number;
  /** A SQLite file, whose copy becomes the database. Default: an empty database. */
  database?: string | undefined;
  /** Of workerd's inspector. Default: none. */
  inspectorPort?: number;
}

/** Starts the built Worker, without its static files. */
export async function startWorker({ vars, calls, latency, ...options }: SiteOptions = {}): Promise<RunningWorker> {
  const { modulesRules: _, assets: __, ratelimits, ...worker } = readWorkerOptions(CONFIG).workerOptions;
  const port = await freePort();
  const entry = benchEntry("./index.js", Object.keys(ratelimits ?? {}), calls ?? null, latency);
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

type Options = Pick<SiteOptions, "database" | "inspectorPort">;

async function start(worker: object, port: number, { database, inspectorPort }: Options = {}): Promise<RunningWorker> {
  const folder = await mkdtemp(join(tmpdir(), "waitlist-site-bench-"));
  const persistTo = join(folder, "state");
  migrate(persistTo);
  if (database !== undefined) copyFileSync(database, databaseFile(persistTo));
  const name = "measured";
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      ...(inspectorPort === undefined ? {} : { inspectorPort }),
      workers: [{ ...worker, name, unsafeDirectSockets: [{ host: "127.0.0.1", port }] } as never],
      resourcePersistencePath: join(persistTo, "v3"),
      // Printing the Worker's log would cost more than the Worker itself.
      handleStructuredLogs: () => {},
    }),
  );
  // The first use of what stands in for KV costs more than a Worker's own work. Bare Workers have none.
  const { CACHE } = await miniflare.getBindings<{ CACHE?: { get(key: string): Promise<unknown> } }>(name);
  await CACHE?.get("warm");
  return {
    url: `http://127.0.0.1:${port}`,
    inspector: `ws://127.0.0.1:${inspectorPort}/core:user:${name}`,
    persistTo,
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
