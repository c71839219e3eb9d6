import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CpuProfile, selfTimes } from "#scripts/bench/cpu-profile.ts";
import { gzipBytes } from "#scripts/bench/statistics.ts";
import { bundledSizes } from "#scripts/lib/bundled-packages.ts";
import { mustRun, root } from "#scripts/lib/commands.ts";

const CONFIG = join(root, "build", "server", "wrangler.json");

/** Bytes, gzip, of what `wrangler deploy` would upload, in all and by package. */
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

/** Milliseconds of CPU that the Worker takes to start, once for each time that Wrangler is asked. */
export async function startUpTimes(times: number): Promise<{ milliseconds: number[]; profile: CpuProfile }> {
  const folder = await mkdtemp(join(tmpdir(), "stallwright-startup-"));
  const outfile = join(folder, "startup.cpuprofile");
  const milliseconds: number[] = [];
  let profile: CpuProfile = { nodes: [], samples: [], timeDeltas: [] };
  try {
    for (let time = 0; time < times; time += 1) {
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
