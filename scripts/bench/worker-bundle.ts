import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CpuProfile, selfTimes } from "#scripts/bench/cpu-profile.ts";
import { gzipBytes } from "#scripts/bench/statistics.ts";
import { bundledSizes } from "#scripts/lib/bundled-packages.ts";
import { mustRun, root } from "#scripts/lib/commands.ts";

const CONFIG = join(root, "build", "server", "wrangler.json");

/** Size of the upload of `wrangler deploy`, in total and by package (bytes, gzip). */
export async function bundleSize(): Promise<{ gzip: number; packages: Record<string, number> }> {
  const folder = await mkdtemp(join(tmpdir(), "stallwright-bundle-"));
  try {
    await mustRun("The dry run", "wrangler", ["deploy", "--dry-run", "--config", CONFIG, "--outdir", folder]);
    const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith(".js")).toSorted();
    const contents = await Promise.all(files.map((file) => readFile(join(folder, file))));
    return { gzip: gzipBytes(Buffer.concat(contents)), packages: bundledSizes("ssr") };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Measures the CPU time of the Worker's start-up `runs` times, with `wrangler check startup` (milliseconds). */
export async function startUpTimes(runs: number): Promise<{ milliseconds: number[]; profile: CpuProfile }> {
  const folder = await mkdtemp(join(tmpdir(), "stallwright-startup-"));
  const outfile = join(folder, "startup.cpuprofile");
  const milliseconds: number[] = [];
  let profile: CpuProfile = { nodes: [], samples: [], timeDeltas: [] };
  try {
    for (let run = 0; run < runs; run += 1) {
      const args = ["check", "startup", `--args=--config ${CONFIG}`, "--outfile", outfile];
      await mustRun("Checking the start-up", "wrangler", args);
      profile = JSON.parse(await readFile(outfile, "utf8"));
      const active = selfTimes(profile).filter(({ name }) => name !== "(idle)");
      milliseconds.push(active.reduce((total, { microseconds }) => total + microseconds, 0) / 1_000);
    }
    return { milliseconds, profile };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
