// From deploy.env to a live site: npm run deploy. Docs: docs/deploying.md.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createDatabase, createNamespace, lookAtAccount } from "#scripts/deploy/account.ts";
import { type BuiltWorker, completeConfig, readBuiltWorker } from "#scripts/deploy/built-worker.ts";
import { awaitHealth } from "#scripts/deploy/health.ts";
import { keepLinkSecret, newLinkSecret, rotateLinkSecret } from "#scripts/deploy/link-secret.ts";
import { DEPLOY_HELP, type DeployOptions, readDeployOptions } from "#scripts/deploy/options.ts";
import { describePlan, describeSettings } from "#scripts/deploy/plan.ts";
import { explainProblems, readSettings, type Settings } from "#scripts/deploy/settings.ts";
import { applyMigrations, tryUpload, uploadWorker } from "#scripts/deploy/upload.ts";
import { signIn } from "#scripts/lib/cloudflare.ts";
import { root } from "#scripts/lib/commands.ts";
import { build } from "#scripts/lib/local-site.ts";
import { StepError } from "#scripts/lib/step-error.ts";

const settingsFile = join(root, "deploy.env");

try {
  const options = readDeployOptions(process.argv.slice(2));
  if (options === null) console.log(DEPLOY_HELP);
  else await deploy(options);
} catch (error) {
  if (!(error instanceof Error)) throw error;
  console.error(`\n${error instanceof StepError ? error.message : `${error.message}\n\nnpm run deploy -- --help`}`);
  process.exit(error instanceof StepError ? 1 : 2);
}

async function deploy(options: DeployOptions): Promise<void> {
  const settings = requireSettings();
  console.log(describeSettings(settings));
  console.log("\nBuilding...");
  await build();
  const worker = readBuiltWorker();
  const siteUrl = settings.vars["SITE_URL"] ?? "";
  const checkAt = new URL(options.checkAt ?? siteUrl).origin;
  console.log(`\n${describePlan(worker, settings, checkAt)}\n`);
  if (options.dryRun) {
    const config = completeConfig(worker, { siteUrl, vars: settings.vars });
    console.log(`Size of the Worker: ${await tryUpload(config, settings.account)}`);
    console.log("\nA dry run: nothing was changed.");
    return;
  }
  const version = await carryOut(worker, settings, options);
  console.log(`Asking ${checkAt}/healthcheck...`);
  await awaitHealth({ origin: checkAt, version, patience: options.patience, progress: (line) => done(line) });
  console.log(`\n${siteUrl} is live.`);
}

/** Each step looks first whether it has been done, so that a run that was cut short can be run again. */
async function carryOut(worker: BuiltWorker, settings: Settings, options: DeployOptions): Promise<string> {
  const { vars, secrets, account: env } = settings;
  const cloudflare = await signIn(env);
  const account = await lookAtAccount(cloudflare, worker);
  const ids = {
    database: account.databaseId ?? (await createDatabase(cloudflare, worker.database, options.jurisdiction)),
    namespace: account.namespaceId ?? (await createNamespace(cloudflare, worker.namespace)),
  };
  done(`D1 database ${worker.database}: ${account.databaseId === null ? "created" : "is there"}`);
  done(`KV namespace ${worker.namespace}: ${account.namespaceId === null ? "created" : "is there"}`);
  const all = { ...secrets, ...linkSecret(secrets, account.hasLinkSecret, options) };
  const config = completeConfig(worker, { siteUrl: vars["SITE_URL"] ?? "", vars, ids });
  await applyMigrations(config, env);
  done("Migrations: applied");
  const version = await uploadWorker(config, all, env);
  done(`Worker ${worker.name}: deployed, version ${version}`);
  return version;
}

/** @returns secrets that take the place of those in deploy.env */
function linkSecret(
  secrets: Record<string, string>,
  isAtCloudflare: boolean,
  { rotateLinkSecret: rotate }: DeployOptions,
): Record<string, string> {
  if (rotate) {
    const rotated = rotateLinkSecret(settingsFile);
    done("LINK_SECRET: a new one; the one before goes on verifying. Kept in deploy.env");
    return rotated;
  }
  if ("LINK_SECRET" in secrets || isAtCloudflare) {
    done("LINK_SECRET: is there");
    return {};
  }
  const secret = newLinkSecret();
  keepLinkSecret(settingsFile, secret);
  done("LINK_SECRET: generated, and kept in deploy.env. Keep a copy of that file where only you can read it");
  return { LINK_SECRET: secret };
}

/** @throws {StepError} that names every variable that is missing or wrong */
function requireSettings(): Settings {
  const text = existsSync(settingsFile) ? readFileSync(settingsFile, "utf8") : "";
  const { settings, problems } = readSettings(text, process.env);
  if (problems.length === 0) return settings;
  throw new StepError(
    `The configuration is not complete:\n\n${explainProblems(problems)}`,
    existsSync(settingsFile)
      ? "Put that right in deploy.env, and run npm run deploy again. Nothing was changed."
      : "Begin with: cp deploy.env.example deploy.env\nFill it in, and run npm run deploy again. Nothing was changed.",
  );
}

function done(line: string): void {
  console.log(`  ${line}`);
}
