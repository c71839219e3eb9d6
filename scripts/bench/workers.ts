import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { unstable_getMiniflareWorkerOptions as readWorkerOptions } from "wrangler";
import { countInMemory, type RateLimitConfig } from "#scripts/bench/rate-limits.ts";
import { root } from "#scripts/lib/commands.ts";
import { migrate } from "#scripts/lib/local-site.ts";
import { localVars } from "#scripts/lib/local-vars.ts";
import { freePort } from "#scripts/lib/ports.ts";

/** A Worker in a workerd of its own. */
export interface RunningWorker {
  url: string;
  /** The process of workerd. */
  pid: number;
  /** Where its inspector listens, if that was asked for. */
  inspector: URL | null;
  /** Rows of a table of its database. */
  count(table: string): Promise<number>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * How requests reach a Worker. `socket`: workerd's own socket, with nothing in between and no assets, for load. `edge`:
 * through the part of the runtime that compresses and serves assets as Cloudflare does, for browsers.
 */
type EntryPoint = "socket" | "edge";

type V4Options = Parameters<typeof convertV4MiniflareOptions>[0];
type WorkerOptions = Extract<V4Options, { workers: unknown }>["workers"][number];

interface SiteOptions {
  door: EntryPoint;
  vars?: Record<string, string>;
  inspector?: boolean;
  /** How rate limits are counted: see {@link countInMemory}. */
  rateLimits?: "memory" | "miniflare";
}

const BUILT = join(root, "build", "server");

const CONFIG = join(BUILT, "wrangler.json");

/** Starts the built Worker as it is, with a fresh database. */
export async function startSite({
  door,
  vars = {},
  inspector = false,
  rateLimits = "memory",
}: SiteOptions): Promise<RunningWorker> {
  const { modulesRules: _, assets, ratelimits, ...options } = readWorkerOptions(CONFIG).workerOptions;
  const inMemory = rateLimits === "memory";
  const port = await freePort();
  const worker = {
    ...options,
    ...(door === "edge" && assets !== undefined ? { assets } : {}),
    rootPath: BUILT,
    modulesRoot: BUILT,
    modules: [
      ...(inMemory ? [entry(countInMemory("./index.js", ratelimits as unknown as RateLimitConfig))] : []),
      ...(await builtModules()),
    ],
    ...(inMemory ? {} : { ratelimits }),
    bindings: { ...localVars(port), SITE_URL: `http://127.0.0.1:${port}`, ...vars },
  };
  return start({ name: "site", worker, door, port, inspector, migrated: true });
}

interface ControlOptions {
  door: EntryPoint;
  name: string;
  /** Source of its one module. */
  script: string;
  /** Folder of static files before the Worker, through the same `edge` as the site's. */
  assets?: string;
  /** With the site's database, by the same migrations. */
  database?: boolean;
}

/** Starts a Worker that the site is compared with, in the same way as the site. */
export async function startControl({ door, name, script, assets, database = false }: ControlOptions) {
  const { compatibilityDate, d1Databases } = readWorkerOptions(CONFIG).workerOptions;
  const worker = {
    name,
    compatibilityDate,
    modules: [{ type: "ESModule" as const, path: `${name}.js`, contents: script }],
    ...(assets === undefined ? {} : { assets: { directory: assets, routerConfig: { has_user_worker: true } } }),
    ...(database ? { d1Databases } : {}),
  };
  return start({ name, worker, door, port: await freePort(), inspector: false, migrated: database });
}

interface Start {
  name: string;
  worker: object;
  door: EntryPoint;
  port: number;
  inspector: boolean;
  migrated: boolean;
}

async function start({ name, worker, door, port, inspector, migrated }: Start): Promise<RunningWorker> {
  const folder = await mkdtemp(join(tmpdir(), "stallwright-bench-"));
  if (migrated) await migrate(folder);
  const socket = door === "socket" ? { unsafeDirectSockets: [{ host: "127.0.0.1", port }] } : {};
  const before = new Set(runtimes());
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      workers: [{ ...worker, name, ...socket } as WorkerOptions],
      ...(door === "edge" ? { port } : {}),
      ...(inspector ? { inspectorPort: 0 } : {}),
      resourcePersistencePath: join(folder, "v3"),
      logRequests: false,
      // What the Worker logs would cost the terminal more than the Worker.
      handleStructuredLogs: () => {},
    }),
  );
  const url = String(door === "socket" ? await miniflare.unsafeGetDirectURL(name) : await miniflare.ready);
  const pid = runtimes().find((runtime) => !before.has(runtime));
  if (pid === undefined) throw new Error(`${name}: no process of workerd was started`);
  return {
    url: url.replace(/\/$/, ""),
    pid,
    inspector: inspector ? await miniflare.getInspectorURL() : null,
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

/** Processes of workerd that this one has started. */
function runtimes(): number[] {
  const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid=,comm="], { encoding: "utf8" });
  return stdout
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, command]) => Number(parent) === process.pid && command?.includes("workerd"))
    .map(([pid]) => Number(pid));
}
