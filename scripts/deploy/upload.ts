import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inPrivateFolder } from "#scripts/deploy/private-folder.ts";
import { wrangler } from "#scripts/lib/wrangler.ts";

/** Large uploads and custom domains are slow (milliseconds). */
const UPLOAD_TIMEOUT = 5 * 60_000;

/** Leaves a person time to reply to Wrangler's prompts (milliseconds). */
const PROMPT_TIMEOUT = 15 * 60_000;

/** A migration may rewrite every row (milliseconds). */
const MIGRATION_TIMEOUT = 10 * 60_000;

export async function applyMigrations(config: string, env: NodeJS.ProcessEnv): Promise<void> {
  const args = ["d1", "migrations", "apply", "DB", "--remote", "--config", config];
  await wrangler(args, { step: "Applying the migrations", env, timeout: MIGRATION_TIMEOUT });
}

/**
 * Deploys the built Worker together with its secrets, so that no version runs without them.
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
  const onTerminal = process.stdin.isTTY === true && process.stdout.isTTY === true;
  // A file in a private folder, because every user can read command lines.
  return inPrivateFolder(async (folder) => {
    const secretsFile = join(folder, "secrets.json");
    writeFileSync(secretsFile, JSON.stringify(secrets), { mode: 0o600 });
    const report = join(folder, "report.ndjson");
    const args = ["deploy", "--config", config, ...(isEmpty(secrets) ? [] : ["--secrets-file", secretsFile])];
    await wrangler(args, {
      step: "Deploying the Worker",
      env: { ...env, WRANGLER_OUTPUT_FILE_PATH: report },
      timeout: onTerminal ? PROMPT_TIMEOUT : UPLOAD_TIMEOUT,
      onTerminal,
    });
    return versionIn(readFileSync(report, "utf8"));
  });
}

/**
 * Bundles the Worker without uploading it.
 *
 * @returns the size as printed by Wrangler, such as `1200.00 KiB / gzip: 300.00 KiB`
 */
export async function bundleWorker(config: string, env: NodeJS.ProcessEnv): Promise<string> {
  const output = await wrangler(["deploy", "--dry-run", "--config", config], { step: "Bundling the Worker", env });
  return /Total Upload: (.+)/.exec(output)?.[1]?.trim() ?? "unknown";
}

function versionIn(report: string): string {
  const entries: { type: string; version_id?: string }[] = report
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
  return entries.find(({ type }) => type === "deploy")?.version_id ?? "";
}

function isEmpty(values: object): boolean {
  return Object.keys(values).length === 0;
}
