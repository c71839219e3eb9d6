import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inPrivateFolder } from "#scripts/deploy/private-folder.ts";
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
  // A file in a private folder, because every user can read command lines.
  return inPrivateFolder(async (folder) => {
    const secretsFile = join(folder, "secrets.json");
    writeFileSync(secretsFile, JSON.stringify(secrets), { mode: 0o600 });
    const report = join(folder, "report.ndjson");
    await wrangler(["deploy", "--config", config, "--secrets-file", secretsFile], {
      step: "Deploying the Worker",
      env: { ...env, WRANGLER_OUTPUT_FILE_PATH: report },
      timeout: TIMEOUT,
      onTerminal: process.stdin.isTTY === true && process.stdout.isTTY === true,
    });
    const entries: { type: string; version_id?: string }[] = JSON.parse(
      `[${readFileSync(report, "utf8").trim().replaceAll("\n", ",")}]`,
    );
    return entries.find(({ type }) => type === "deploy")?.version_id ?? "";
  });
}

/** Bundles the Worker without uploading it. @returns the size as printed by Wrangler, such as `1200.00 KiB / gzip: 300.00 KiB` */
export async function bundleWorker(config: string, env: NodeJS.ProcessEnv): Promise<string> {
  const output = await wrangler(["deploy", "--dry-run", "--config", config], { step: "Bundling the Worker", env });
  return /Total Upload: (.+)/.exec(output)?.[1]?.trim() ?? "unknown";
}
