import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { wrangler } from "#scripts/lib/wrangler.ts";

/** Larger uploads and many custom domains take their time (milliseconds). */
const UPLOAD_LIMIT = 5 * 60_000;

/** Somebody reads and answers Wrangler's questions (milliseconds). */
const ASKING_LIMIT = 15 * 60_000;

/** Each migration may have to touch every row (milliseconds). */
const MIGRATION_LIMIT = 10 * 60_000;

export async function applyMigrations(config: string, env: NodeJS.ProcessEnv): Promise<void> {
  const args = ["d1", "migrations", "apply", "DB", "--remote", "--config", config];
  await wrangler(args, { what: "Applying the migrations", env, limit: MIGRATION_LIMIT });
}

/**
 * Deploys the built Worker together with its secrets, so that no version ever runs without them.
 *
 * On a terminal Wrangler may ask, before it takes a domain over from something else.
 *
 * @returns the new version's id
 */
export async function uploadWorker(
  config: string,
  secrets: Record<string, string>,
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const onTerminal = process.stdin.isTTY === true && process.stdout.isTTY === true;
  // A folder that only this user can open: command lines can be read by all.
  const folder = mkdtempSync(join(tmpdir(), "stallwright-deploy-"));
  try {
    const secretsFile = join(folder, "secrets.json");
    writeFileSync(secretsFile, JSON.stringify(secrets), { mode: 0o600 });
    const report = join(folder, "report.ndjson");
    const args = ["deploy", "--config", config, ...(isEmpty(secrets) ? [] : ["--secrets-file", secretsFile])];
    await wrangler(args, {
      what: "Deploying the Worker",
      env: { ...env, WRANGLER_OUTPUT_FILE_PATH: report },
      limit: onTerminal ? ASKING_LIMIT : UPLOAD_LIMIT,
      onTerminal,
    });
    return versionIn(readFileSync(report, "utf8"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Bundles as a deployment would.
 *
 * @returns the size as Wrangler tells it, such as `1200.00 KiB / gzip: 300.00 KiB`
 */
export async function tryUpload(config: string, env: NodeJS.ProcessEnv): Promise<string> {
  const said = await wrangler(["deploy", "--dry-run", "--config", config], { what: "Bundling the Worker", env });
  return /Total Upload: (.+)/.exec(said)?.[1]?.trim() ?? "unknown";
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
