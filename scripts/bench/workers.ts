import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { unstable_getMiniflareWorkerOptions as readWorkerOptions } from "wrangler";
import { countInMemory, type RateLimitConfig } from "#scripts/bench/rate-limits.ts";
import { root } from "#scripts/lib/commands.ts";
import { migrate } from "#scripts/lib/local-database.ts";
import { localVars } from "#scripts/lib/local-vars.ts";
import { freePort } from "#scripts/lib/ports.ts";

/** A Worker in a separate workerd process. */
export interface RunningWorker {
  url: string;
  /** The workerd process. */
  pid: number;
  /** Counts a table's rows. */
  count(table: string): Promise<number>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * How requests reach a Worker. `socket`: directly on workerd's socket, without assets, for load. `edge`: through
 * Miniflare's front end, which compresses responses and serves assets like Cloudflare, for browsers.
 */
type Transport = "socket" | "edge";

type V4Options = Parameters<typeof convertV4MiniflareOptions>[0];
type WorkerOptions = Extract<V4Options, { workers: unknown }>["workers"][number];

const BUILT = join(root, "build", "server");

const CONFIG = join(BUILT, "wrangler.json");

/** Starts the built Worker with a fresh database. */
export async function startSite({ transport }: { transport: Transport }): Promise<RunningWorker> {
  const { modulesRules: _, assets, ratelimits, ...options } = readWorkerOptions(CONFIG).workerOptions;
  const port = await freePort();
  const worker = {
    ...options,
    ...(transport === "edge" && assets !== undefined ? { assets } : {}),
    rootPath: BUILT,
    modulesRoot: BUILT,
    modules: [entry(countInMemory("./index.js", ratelimits as unknown as RateLimitConfig)), ...(await builtModules())],
    bindings: { ...localVars(port), SITE_URL: `http://127.0.0.1:${port}` },
  };
  return start({ name: "site", worker, transport, port, migrated: true });
}

interface ControlOptions {
  transport: Transport;
  name: string;
  /** Source of its only module. */
  script: string;
  /** Folder of static files, served by the `edge` transport. */
  assets?: string;
  /** Adds a database with the site's migrations. */
  database?: boolean;
}

/** Starts a control in the same way as the site. */
export async function startControl({ transport, name, script, assets, database = false }: ControlOptions) {
  const { compatibilityDate, d1Databases } = readWorkerOptions(CONFIG).workerOptions;
  const worker = {
    name,
    compatibilityDate,
    modules: [{ type: "ESModule" as const, path: `${name}.js`, contents: script }],
    ...(assets === undefined ? {} : { assets: { directory: assets, routerConfig: { has_user_worker: true } } }),
    ...(database ? { d1Databases } : {}),
  };
  return start({ name, worker, transport, port: await freePort(), migrated: database });
}

interface StartOptions {
  name: string;
  worker: object;
  transport: Transport;
  port: number;
  migrated: boolean;
}

async function start({ name, worker, transport, port, migrated }: StartOptions): Promise<RunningWorker> {
  const folder = await mkdtemp(join(tmpdir(), "waitlist-site-bench-"));
  if (migrated) migrate(folder);
  const socket = transport === "socket" ? { unsafeDirectSockets: [{ host: "127.0.0.1", port }] } : {};
  const before = new Set(runtimes());
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      workers: [{ ...worker, name, ...socket } as WorkerOptions],
      ...(transport === "edge" ? { port } : {}),
      resourcePersistencePath: join(folder, "v3"),
      logRequests: false,
      // Printing the Worker's log would cost more than the Worker itself.
      handleStructuredLogs: () => {},
    }),
  );
  const url = String(transport === "socket" ? await miniflare.unsafeGetDirectURL(name) : await miniflare.ready);
  const pid = runtimes().find((runtime) => !before.has(runtime));
  if (pid === undefined) throw new Error(`${name}: no workerd process was started`);
  return {
    url: url.replace(/\/$/, ""),
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

function entry(contents: string) {
  return { type: "ESModule" as const, path: join(BUILT, "bench-entry.js"), contents };
}

async function builtModules() {
  const files = await readdir(join(BUILT, "assets"));
  const modules = ["index.js", ...files.filter((file) => file.endsWith(".js")).map((file) => `assets/${file}`)];
  return modules.map((path) => ({ type: "ESModule" as const, path: join(BUILT, path) }));
}

/** Ids of the workerd processes that this process has started. */
function runtimes(): number[] {
  const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid=,comm="], { encoding: "utf8" });
  return stdout
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, command]) => Number(parent) === process.pid && command?.includes("workerd"))
    .map(([pid]) => Number(pid));
}
