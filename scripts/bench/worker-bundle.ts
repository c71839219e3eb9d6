import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseAst } from "vite";
import { gzipBytes } from "#scripts/bench/statistics.ts";
import { mustRun, root } from "#scripts/lib/commands.ts";

const CONFIG = join(root, "build", "server", "wrangler.json");

interface BundleSizes {
  /** The upload of `wrangler deploy` (bytes, gzip). */
  all: number;
  /** Its modules that every start-up evaluates: the main module and what it imports statically (bytes, gzip). */
  startUp: number;
}

/** Builds the upload of `wrangler deploy`, without uploading it, and measures it. */
export async function bundleSizes(): Promise<BundleSizes> {
  const folder = await mkdtemp(join(tmpdir(), "waitlist-site-bundle-"));
  try {
    await mustRun("The dry run", "wrangler", ["deploy", "--dry-run", "--config", CONFIG, "--outdir", folder]);
    const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith(".js")).toSorted();
    const atStartUp = await withStaticImports(join(folder, "index.js"));
    const gzip = async (paths: string[]) =>
      gzipBytes(Buffer.concat(await Promise.all(paths.map((path) => readFile(path)))));
    return { all: await gzip(files.map((file) => join(folder, file))), startUp: await gzip([...atStartUp].toSorted()) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A module and all that it imports statically, directly or not. @returns paths */
async function withStaticImports(path: string, found = new Set<string>()): Promise<Set<string>> {
  if (found.has(path)) return found;
  found.add(path);
  for (const statement of parseAst(await readFile(path, "utf8")).body) {
    const imported = "source" in statement ? statement.source?.value : undefined;
    if (typeof imported === "string" && imported.startsWith(".")) {
      await withStaticImports(join(dirname(path), imported), found);
    }
  }
  return found;
}

/** Measures the CPU time of the Worker's start-up `runs` times, with `wrangler check startup` (milliseconds). */
export async function startUpTimes(runs: number): Promise<number[]> {
  const folder = await mkdtemp(join(tmpdir(), "waitlist-site-startup-"));
  const outfile = join(folder, "startup.cpuprofile");
  const times: number[] = [];
  try {
    for (let run = 0; run < runs; run += 1) {
      const args = ["check", "startup", `--args=--config ${CONFIG}`, "--outfile", outfile];
      await mustRun("Checking the start-up", "wrangler", args);
      times.push(busyTime(JSON.parse(await readFile(outfile, "utf8"))));
    }
    return times;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A profile as V8 writes it. https://chromedevtools.github.io/devtools-protocol/tot/Profiler/#type-Profile */
interface CpuProfile {
  nodes: { id: number; callFrame: { functionName: string } }[];
  /** The node on top of the stack. */
  samples: number[];
  /** Microseconds since the previous sample. */
  timeDeltas: number[];
}

/**
 * The profile's time between samples that are both busy (milliseconds). Before the first of them the Worker waits for the
 * request that starts it up, and after the last it waits for the profiler to stop; neither is its own time.
 */
export function busyTime({ nodes, samples, timeDeltas }: CpuProfile): number {
  const idle = new Set(nodes.filter(({ callFrame }) => callFrame.functionName === "(idle)").map(({ id }) => id));
  const isBusy = (node: number | undefined) => node !== undefined && !idle.has(node);
  const busy = timeDeltas.filter((_, index) => isBusy(samples[index - 1]) && isBusy(samples[index]));
  return busy.reduce((total, microseconds) => total + microseconds, 0) / 1_000;
}
