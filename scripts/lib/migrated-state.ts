import { existsSync, rmSync } from "node:fs";
import { cp, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrate } from "#scripts/lib/local-site.ts";

/** Puts an empty, migrated database into a folder, unless it holds one: a site that is started again keeps its own. */
export async function copyMigratedState(persistTo: string): Promise<void> {
  if (existsSync(persistTo)) return;
  made ??= make();
  await cp(await made, persistTo, { recursive: true });
}

/** Made once for a process: to migrate takes Wrangler seconds, to copy takes none. */
let made: Promise<string> | null = null;

async function make(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "stallwright-migrated-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  await migrate(folder);
  return folder;
}
