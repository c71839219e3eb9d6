import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { wrangler } from "#scripts/lib/wrangler.ts";

/** A migration may rewrite every row, and a person may have to reply to a prompt (milliseconds). */
const TIMEOUT = 15 * 60_000;

/** Wrangler finds the database by its name. */
export async function applyMigrations(config: string, env: NodeJS.ProcessEnv): Promise<void> {
  const args = ["d1", "migrations", "apply", "DB", "--remote", "--config", config];
  await wrangler(args, { step: "Applying the migrations", env, timeout: TIMEOUT });
}

/**
 * Deploys the built Worker together with its secrets, so that no version runs without them. Creates the KV namespace if
 * the configuration has no id for it.
 *
 * On a terminal, Wrangler asks before it takes a domain over from an existing DNS record.
 *
 * @returns the new version's id
 */
export async function uploadWorker(
  config: string,
  secrets: Record<string, string>,
  env: NodeJS.ProcessEnv,
): Promise<string> {
  // A file, because every user can read command lines.
  return inPrivateFolder(async (folder) => {
    const secretsFile = join(folder, "secrets.json");
    writeFileSync(secretsFile, JSON.stringify(secrets));
    const report = join(folder, "report.ndjson");
    await wrangler(["deploy", "--config", config, "--secrets-file", secretsFile], {
      step: "Deploying the Worker",
      env: { ...env, WRANGLER_OUTPUT_FILE_PATH: report },
      timeout: TIMEOUT,
      onTerminal: process.stdin.isTTY === true && process.stdout.isTTY === true,
    });
    const entries = readFileSync(report, "utf8").trim().split("\n");
    return entries.map((entry) => JSON.parse(entry)).find(({ type }) => type === "deploy")?.version_id ?? "";
  });
}

/** Bundles the Worker without uploading it. @returns the size as printed by Wrangler, such as `1200.00 KiB / gzip: 300.00 KiB` */
export async function bundleWorker(config: string, env: NodeJS.ProcessEnv): Promise<string> {
  const output = await wrangler(["deploy", "--dry-run", "--config", config], { step: "Bundling the Worker", env });
  return /Total Upload: (.+)/.exec(output)?.[1]?.trim() ?? "unknown";
}

/** Ctrl+C, a request to end, and a closed terminal. */
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Calls a function with a new temporary folder, which only this user can read. Removes the folder when the function ends,
 * when the process exits and on the signals that end it.
 *
 * @throws what the function throws
 */
export async function inPrivateFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "waitlist-site-deploy-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once("exit", remove);
  // Exits as shells report an end by this signal.
  for (const signal of signals) process.once(signal, () => process.exit(128 + constants.signals[signal]));
  return use(folder).finally(remove);
}
