import { existsSync } from "node:fs";
import { join } from "node:path";
import { COMMAND_LINE, recordAction } from "#app/owner/log/log.server.ts";
import { describeError } from "#app/server/log.ts";
import { createDatabase, inspectAccount } from "#scripts/deploy/account.ts";
import { waitUntilHealthy } from "#scripts/deploy/health.ts";
import { checkAppliedMigrations, recordMigrations } from "#scripts/deploy/migrations.ts";
import { readDeployOptions } from "#scripts/deploy/options.ts";
import { describePlan, describeSettings } from "#scripts/deploy/plan.ts";
import {
  generatedSecrets,
  keepsFiles,
  newSecret,
  revokeLinkSecret,
  rotateLinkSecret,
  saveSecrets,
} from "#scripts/deploy/secrets.ts";
import { explainProblems, readSettings, type Settings } from "#scripts/deploy/settings.ts";
import { readSettingsFile } from "#scripts/deploy/settings-file.ts";
import { applyMigrations, bundleWorker, uploadWorker } from "#scripts/deploy/upload.ts";
import { forgottenChanges, ownerEmailWarning } from "#scripts/deploy/warnings.ts";
import { type BuiltWorker, readBuiltWorker, writeDeployConfig } from "#scripts/deploy/worker.ts";
import { signIn } from "#scripts/lib/cloudflare.ts";
import { root } from "#scripts/lib/commands.ts";
import { rebuild } from "#scripts/lib/local-site.ts";
import { openRemoteDatabase } from "#scripts/lib/remote-database.ts";
import { StepError } from "#scripts/lib/step-error.ts";

const settingsFile = join(root, "deploy.env");

const options = readDeployOptions();
try {
  await deploy();
} catch (error) {
  // Drizzle wraps the errors of queries.
  const { cause = error } = error as Error;
  if (!(cause instanceof StepError)) throw error;
  console.error(`\n${cause.message}`);
  process.exit(1);
}

async function deploy(): Promise<void> {
  const settings = await requireSettings();
  const { vars, account } = settings;
  console.log(describeSettings(settings));
  for (const warning of forgottenChanges(vars["LAUNCH_URL"])) warn(warning);
  console.log("\nBuilding...");
  await rebuild();
  const worker = readBuiltWorker();
  const siteUrl = vars["SITE_URL"] ?? "";
  const checkAt = new URL(options["check-at"] ?? siteUrl).origin;
  console.log(`\n${describePlan(worker, settings, checkAt)}\n`);
  if (options["dry-run"]) {
    console.log(`Size of the Worker: ${await bundleWorker(writeDeployConfig(worker.name, vars), account)}`);
    warn(ownerEmailWarning(worker, settings, []));
    console.log("\nDry run: nothing was changed.");
    return;
  }
  const version = await runSteps(worker, settings);
  console.log(`Checking ${checkAt}/healthcheck...`);
  await waitUntilHealthy({ origin: checkAt, version, patience: options.patience * 1_000, progress: report });
  console.log(`\n${siteUrl} is live.`);
}

/** Each step first checks whether it is already done, so an interrupted run can be repeated. @returns the version */
async function runSteps(worker: BuiltWorker, settings: Settings): Promise<string> {
  const { vars, secrets, account: env } = settings;
  const cloudflare = await signIn(env);
  const { databaseId, namespaceId, secretNames } = await inspectAccount(cloudflare, worker);
  const id = databaseId ?? (await createDatabase(cloudflare, worker.database, options.jurisdiction));
  const db = openRemoteDatabase(cloudflare, id);
  await checkAppliedMigrations(db);
  report(`D1 database ${worker.database}: ${databaseId === null ? "created" : "already exists"}`);
  report(`KV namespace ${worker.namespace}: ${namespaceId === undefined ? "will be created" : "already exists"}`);
  const allSecrets = { ...secrets, ...newSecrets(secrets, secretNames) };
  const config = writeDeployConfig(worker.name, vars, namespaceId);
  await applyMigrations(config, env);
  await recordMigrations(db);
  report("Migrations: applied");
  const version = await uploadWorker(config, allSecrets, env);
  report(`Worker ${worker.name}: version ${version} deployed`);
  if (options["rotate-link-secret"] || options["revoke-link-secret"]) {
    // A failure is no reason to call the deployment failed: the Worker is already uploaded.
    await recordAction({ db, now: Date.now }, { by: COMMAND_LINE, action: "replace-link-secret" }).catch((error) =>
      warn(`LINK_SECRET was replaced, but the owners' log does not say so: ${describeError(error)}`),
    );
  }
  warn(ownerEmailWarning(worker, settings, secretNames));
  return version;
}

/** @returns secrets that override those in deploy.env */
function newSecrets(given: Record<string, string>, storedAtCloudflare: string[]): Record<string, string> {
  const missing = generatedSecrets.filter((name) => !(name in given) && !storedAtCloudflare.includes(name));
  const generated = Object.fromEntries(missing.map((name) => [name, newSecret()]));
  if (missing.length > 0 && keepsFiles) saveSecrets(settingsFile, generated);
  const savedWhere = keepsFiles
    ? "saved in deploy.env. Keep a copy of that file where only you can read it"
    : "stored at Cloudflare, which never shows it again. Later deployments use it";
  for (const name of generatedSecrets) {
    report(missing.includes(name) ? `${name}: generated and ${savedWhere}` : `${name}: already set`);
  }
  if (options["rotate-link-secret"]) {
    Object.assign(generated, rotateLinkSecret(settingsFile));
    report("LINK_SECRET: replaced. Links already sent still work. Both secrets are saved in deploy.env");
  }
  if (options["revoke-link-secret"]) {
    Object.assign(generated, revokeLinkSecret(keepsFiles ? settingsFile : null, process.env));
    report(
      "LINK_SECRET: revoked. Links already sent stop working, except those to unsubscribe. All owners are signed out",
    );
  }
  return generated;
}

/** @throws {StepError} naming every variable that is missing or malformed */
async function requireSettings(): Promise<Settings> {
  // Imported on demand, so that help does not wait for Wrangler.
  const { unstable_readConfig } = await import("wrangler");
  const { vars } = unstable_readConfig({ config: join(root, "wrangler.toml") });
  const configured = Object.fromEntries(Object.entries(vars).map(([name, value]) => [name, String(value)]));
  const { settings, problems } = readSettings(readSettingsFile(settingsFile), process.env, configured);
  if (problems.length === 0) return settings;
  throw new StepError(
    `Some settings are missing or wrong:\n\n${explainProblems(problems)}`,
    !keepsFiles
      ? "Correct them in wrangler.toml under [vars], or in the variables of the build service. Nothing was changed."
      : existsSync(settingsFile)
        ? "Correct them in deploy.env and run npm run deploy again. Nothing was changed."
        : "Start with: cp deploy.env.example deploy.env\nFill it in and run npm run deploy again. Nothing was changed.",
  );
}

function report(line: string): void {
  console.log(`  ${line}`);
}

function warn(line: string | null): void {
  if (line !== null) console.warn(`\nWarning: ${line}\n`);
}
