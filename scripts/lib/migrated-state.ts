import { existsSync, rmSync } from "node:fs";
import { cp, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrate } from "#scripts/lib/local-site.ts";

/** Puts an empty, migrated database into a folder, unless the folder exists: a restarted site uses its old database. */
export async function copyMigratedState(persistTo: string): Promise<void> {
  if (existsSync(persistTo)) return;
  template ??= Promise.resolve(process.env[TEMPLATE] ?? createTemplate());
  await cp(await template, persistTo, { recursive: true });
}

/** Creates the template for this process and the processes it starts. */
export async function shareMigratedState(): Promise<void> {
  process.env[TEMPLATE] = await createTemplate();
}

/** The environment variable with the template's folder, if a parent process created it. */
const TEMPLATE = "MIGRATED_STATE";

/** Created at most once per process, because Wrangler needs seconds to migrate and a copy is instant. */
let template: Promise<string> | null = null;

async function createTemplate(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "waitlist-site-migrated-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  await migrate(folder);
  return folder;
}
