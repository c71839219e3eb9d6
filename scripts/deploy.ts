import { existsSync } from "node:fs";
import { join } from "node:path";
import { COMMAND_LINE, recordAction } from "#app/owner/log/log.server.ts";
import { openDb } from "#app/server/db/client.server.ts";
import { describeError } from "#app/server/log.ts";
import { createDatabase, createNamespace, inspectAccount } from "#scripts/deploy/account.ts";
import { type BuiltWorker, readBuiltWorker, writeDeployConfig } from "#scripts/deploy/built-worker.ts";
import { waitUntilHealthy } from "#scripts/deploy/health.ts";
import { checkAppliedMigrations, recordMigrations } from "#scripts/deploy/migrations.ts";
import { type DeployOptions, deployUsage, readDeployOptions } from "#scripts/deploy/options.ts";
import { ownerEmailWarning } from "#scripts/deploy/owner-email.ts";
import { describePlan, describeSettings } from "#scripts/deploy/plan.ts";
import {
  generatedSecrets,
  keepsFiles,
  newSecret,
  revokeLinkSecret,
  rotateLinkSecret,
  savedWhere,
  saveSecrets,
} from "#scripts/deploy/secrets.ts";
import { explainProblems, readSettings, type Settings } from "#scripts/deploy/settings.ts";
import { readSettingsFile } from "#scripts/deploy/settings-file.ts";
import { applyMigrations, bundleWorker, uploadWorker } from "#scripts/deploy/upload.ts";
import { forgottenChanges } from "#scripts/deploy/warnings.ts";
import { type Cloudflare, signIn } from "#scripts/lib/cloudflare.ts";
import { root } from "#scripts/lib/commands.ts";
import { rebuild } from "#scripts/lib/local-site.ts";
import { printHelpIfAsked } from "#scripts/lib/options.ts";
import { StepError } from "#scripts/lib/step-error.ts";
import { remoteD1 } from "#scripts/owner/remote-d1.ts";

const settingsFile = join(root, "deploy.env");

try {
  printHelpIfAsked(deployUsage);
  await deploy(readDeployOptions(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof Error)) throw error;
  console.error(
    `\n${error instanceof StepError ? error.message : `${error.message}\n\nFor help: npm run deploy -- --help`}`,
  );
  process.exit(error instanceof StepError ? 1 : 2);
}

async function deploy(options: DeployOptions): Promise<void> {
  const settings = await requireSettings();
  console.log(describeSettings(settings));
  for (const warning of forgottenChanges(settings.vars["LAUNCH_URL"])) console.warn(`\nWarning: ${warning}`);
  console.log("\nBuilding...");
  await rebuild();
  const worker = readBuiltWorker();
  const siteUrl = settings.vars["SITE_URL"] ?? "";
  const checkAt = new URL(options.checkAt ?? siteUrl).origin;
  console.log(`\n${describePlan(worker, settings, checkAt)}\n`);
  if (options.dryRun) {
    const config = writeDeployConfig(worker, { siteUrl, vars: settings.vars });
    console.log(`Size of the Worker: ${await bundleWorker(config, settings.account)}`);
    warn(ownerEmailWarning(worker, settings, []));
    console.log("\nDry run: nothing was changed.");
    return;
  }
  const version = await runSteps(worker, settings, options);
  console.log(`Checking ${checkAt}/healthcheck...`);
  await waitUntilHealthy({ origin: checkAt, version, patience: options.patience, progress: report });
  console.log(`\n${siteUrl} is live.`);
}

/** Each step first checks whether it is already done, so an interrupted run can be repeated. */
async function runSteps(worker: BuiltWorker, settings: Settings, options: DeployOptions): Promise<string> {
  const { vars, secrets, account: env } = settings;
  const cloudflare = await signIn(env);
  const account = await inspectAccount(cloudflare, worker);
  if (account.databaseId !== null) await checkAppliedMigrations(cloudflare, account.databaseId);
  const ids = {
    database: account.databaseId ?? (await createDatabase(cloudflare, worker.database, options.jurisdiction)),
    namespace: account.namespaceId ?? (await createNamespace(cloudflare, worker.namespace)),
  };
  report(`D1 database ${worker.database}: ${account.databaseId === null ? "created" : "already exists"}`);
  report(`KV namespace ${worker.namespace}: ${account.namespaceId === null ? "created" : "already exists"}`);
  const allSecrets = { ...secrets, ...newSecrets(secrets, account.secretNames, options) };
  const config = writeDeployConfig(worker, { siteUrl: vars["SITE_URL"] ?? "", vars, ids });
  await applyMigrations(config, env);
  await recordMigrations(cloudflare, ids.database);
  report("Migrations: applied");
  const version = await uploadWorker(config, allSecrets, env);
  report(`Worker ${worker.name}: version ${version} deployed`);
  if (options.linkSecret !== "keep") await logReplacement(cloudflare, ids.database);
  warn(ownerEmailWarning(worker, settings, account.secretNames));
  return version;
}

/** A failure is no reason to call the deployment failed: the Worker is already uploaded. */
async function logReplacement(cloudflare: Cloudflare, databaseId: string): Promise<void> {
  const db = openDb(remoteD1(cloudflare, databaseId));
  try {
    await recordAction({ db, now: Date.now }, { by: COMMAND_LINE, action: "replace-link-secret" });
  } catch (error) {
    warn(`LINK_SECRET was replaced, but the owners' log does not say so: ${describeError(error)}`);
  }
}

/** @returns secrets that override those in deploy.env */
function newSecrets(
  secrets: Record<string, string>,
  storedAtCloudflare: string[],
  { linkSecret }: DeployOptions,
): Record<string, string> {
  const missing = generatedSecrets.filter((name) => !(name in secrets) && !storedAtCloudflare.includes(name));
  const generated = Object.fromEntries(missing.map((name) => [name, newSecret()]));
  if (missing.length > 0 && keepsFiles) saveSecrets(settingsFile, generated);
  for (const name of generatedSecrets) {
    report(missing.includes(name) ? `${name}: generated and ${savedWhere}` : `${name}: already set`);
  }
  if (linkSecret === "keep") return generated;
  return { ...generated, ...(linkSecret === "rotate" ? rotate() : revoke()) };
}

function rotate(): Record<string, string> {
  const secrets = rotateLinkSecret(settingsFile);
  report("LINK_SECRET: replaced. Links already sent still work. Both secrets are saved in deploy.env");
  return secrets;
}

function revoke(): Record<string, string> {
  const secrets = revokeLinkSecret(keepsFiles ? settingsFile : null, process.env);
  report(
    "LINK_SECRET: revoked. Links already sent stop working, except those to unsubscribe. All owners are signed out",
  );
  return secrets;
}

/** @throws {StepError} naming every variable that is missing or malformed */
async function requireSettings(): Promise<Settings> {
  const { settings, problems } = readSettings(readSettingsFile(settingsFile), process.env, await configuredVars());
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

/** The variables in wrangler.toml. */
async function configuredVars(): Promise<Record<string, string>> {
  const { unstable_readConfig } = await import("wrangler");
  const { vars } = unstable_readConfig({ config: join(root, "wrangler.toml") });
  return Object.fromEntries(Object.entries(vars).map(([name, value]) => [name, String(value)]));
}

function report(line: string): void {
  console.log(`  ${line}`);
}

function warn(line: string | null): void {
  if (line !== null) console.warn(`\nWarning: ${line}\n`);
}
