import { join } from "node:path";
import { Option } from "commander";
import { unstable_readConfig } from "wrangler";
import { LAUNCH_IN_CODE, launchDateWarning } from "#app/features/overview/launch-date.ts";
import { COMMAND_LINE, recordAction } from "#app/owner/log.server.ts";
import { variables } from "#app/server/config/config.server.ts";
import { describeError } from "#app/server/log.ts";
import { launchDate } from "#app/site.ts";
import { type EmailQueue, emailQueue, subscribe } from "#scripts/deploy/email-queue.ts";
import { waitUntilHealthy } from "#scripts/deploy/health.ts";
import { checkAppliedMigrations, recordMigrations } from "#scripts/deploy/migrations.ts";
import { explainProblems, ownerEmailWarning, readSettings, type Settings } from "#scripts/deploy/settings.ts";
import {
  generatedSecrets,
  newSecret,
  readSettingsFile,
  replaceLinkSecret,
  saveSecrets,
} from "#scripts/deploy/settings-file.ts";
import {
  applyMigrations,
  type BuiltWorker,
  bundleWorker,
  inspectAccount,
  readBuiltWorker,
  uploadWorker,
  writeDeployConfig,
} from "#scripts/deploy/worker.ts";
import { type Cloudflare, signIn } from "#scripts/lib/cloudflare.ts";
import { root } from "#scripts/lib/commands.ts";
import { rebuild } from "#scripts/lib/local-site.ts";
import { findTriggerProblem } from "#scripts/lib/migration-triggers.ts";
import { program, text, webAddress, wholeNumber } from "#scripts/lib/program.ts";
import { createDatabase, openRemoteDatabase } from "#scripts/lib/remote-database.ts";
import { StepError } from "#scripts/lib/step-error.ts";

interface Options {
  dryRun?: true;
  checkAt?: string;
  patience: number;
  jurisdiction?: string;
  rotateLinkSecret?: true;
  revokeLinkSecret?: true;
}

const options = program(
  "npm run deploy",
  `Checks the settings in deploy.env, builds, creates missing resources at Cloudflare, applies migrations, deploys, and
waits until the new version is healthy. Safe to repeat. docs/deploying.md explains every step.`,
)
  .option("--dry-run", "check the settings and build; needs no account and changes nothing")
  .option("--check-at <address>", "check this address instead of SITE_URL", webAddress)
  .option("--patience <seconds>", "how long to wait for the new version", wholeNumber, 180)
  .option("--jurisdiction <name>", "where a new database must store its data, for good, such as eu", text)
  .option("--rotate-link-secret", "replace LINK_SECRET; links already sent keep working")
  .addOption(
    new Option("--revoke-link-secret", "replace a leaked LINK_SECRET; links already sent stop working").conflicts(
      "rotateLinkSecret",
    ),
  )
  .parse()
  .opts<Options>();

const settingsFile = join(root, "deploy.env");
/** A build service (CI) deletes its disk. */
const keepsFiles = !process.env["CI"];

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
  const settings = requireSettings();
  requireWorkingTriggers();
  const { vars, secrets, account } = settings;
  const set = Object.keys({ ...vars, ...secrets });
  const unset = Object.keys(variables).filter((name) => !set.includes(name));
  console.log(`Set: ${set.join(", ")}\nNot set: ${unset.join(", ")}`);
  const launchWarning = launchDateWarning(vars["LAUNCH_URL"], launchDate, Date.now());
  if (launchWarning !== null)
    warn(`${launchWarning} To do so, ${LAUNCH_IN_CODE} Owners can also do so under Settings.`);
  console.log("\nBuilding...");
  await rebuild();
  const worker = readBuiltWorker();
  if (options.dryRun) {
    const queue = emailQueue(worker, vars, Object.keys(secrets));
    const config = writeDeployConfig(worker, vars, { queue: queue?.name ?? null });
    console.log(`Size of the Worker: ${await bundleWorker(config, account)}`);
    console.log(`Rate limits: namespaces ${worker.ratelimits.map((limit) => limit.namespace_id).join(", ")}`);
    if (queue !== null) console.log(`Email events: queue ${queue.name}, subscribed to ${queue.domain}`);
    warn(ownerEmailWarning(vars, worker.sendsEmail, Object.keys(secrets)));
    console.log("\nDry run: nothing was changed.");
    return;
  }
  const version = await runSteps(worker, settings);
  const { origin } = new URL(options.checkAt ?? vars["SITE_URL"] ?? "");
  console.log(`Checking ${origin}/healthcheck...`);
  await waitUntilHealthy({ origin, version, patience: options.patience * 1_000, progress: report });
  console.log(`\n${vars["SITE_URL"]} is live.`);
}

/** Each step first checks whether it is already done, so an interrupted run can be repeated. @returns the version */
async function runSteps(worker: BuiltWorker, settings: Settings): Promise<string> {
  const { vars, secrets, account } = settings;
  const cloudflare = await signIn(account);
  const { databaseId, namespaceId, secretNames } = await inspectAccount(cloudflare, worker);
  const id = databaseId ?? (await createDatabase(cloudflare, worker.database, options.jurisdiction));
  const db = openRemoteDatabase(cloudflare, id);
  await checkAppliedMigrations(db);
  report(`D1 database ${worker.database}: ${databaseId === null ? "created" : "already exists"}`);
  report(`KV namespace ${worker.namespace}: ${namespaceId === undefined ? "will be created" : "already exists"}`);
  const known = [...Object.keys(secrets), ...secretNames];
  const allSecrets = { ...secrets, ...newSecrets(known) };
  const queue = emailQueue(worker, vars, known);
  const queueName = queue === null ? null : await prepareEmailEvents(cloudflare, queue);
  const config = writeDeployConfig(worker, vars, { namespaceId, queue: queueName });
  await applyMigrations(config, account);
  await recordMigrations(db);
  report("Migrations: applied");
  const version = await uploadWorker(config, allSecrets, account);
  report(`Worker ${worker.name}: version ${version} deployed`);
  if (options.rotateLinkSecret || options.revokeLinkSecret) {
    // A failure is no reason to call the deployment failed: the Worker is already uploaded.
    await recordAction({ db, now: Date.now }, { by: COMMAND_LINE, action: "replace-link-secret" }).catch((error) =>
      warn(`LINK_SECRET was replaced, but the owners' log does not say so: ${describeError(error)}`),
    );
  }
  warn(ownerEmailWarning(vars, worker.sendsEmail, known));
  return version;
}

/** A failure is no reason not to deploy: emails are sent without it. @returns the queue's name; null if there is none */
async function prepareEmailEvents(cloudflare: Cloudflare, queue: EmailQueue): Promise<string | null> {
  try {
    const created = await subscribe(cloudflare, queue);
    report(`Queue ${queue.name} for email events of ${queue.domain}: ${created ? "subscribed" : "already subscribed"}`);
    return queue.name;
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    warn(`Bounces and complaints will not be recorded.\n${error.message}`);
    return null;
  }
}

/** @param known names of the secrets in the settings and at Cloudflare @returns secrets that override those in deploy.env */
function newSecrets(known: string[]): Record<string, string> {
  const path = keepsFiles ? settingsFile : null;
  const where = keepsFiles
    ? "saved in deploy.env. Keep a copy of that file where only you can read it"
    : "stored at Cloudflare, which never shows it again. Later deployments use it";
  const generated: Record<string, string> = {};
  for (const name of generatedSecrets) {
    const isKnown = known.includes(name);
    if (!isKnown) Object.assign(generated, saveSecrets(path, { [name]: newSecret() }));
    report(`${name}: ${isKnown ? "already set" : `generated and ${where}`}`);
  }
  const hasLeaked = options.revokeLinkSecret === true;
  if (hasLeaked || options.rotateLinkSecret) {
    Object.assign(generated, replaceLinkSecret(path, process.env, hasLeaked));
    report(
      hasLeaked
        ? "LINK_SECRET: revoked. Links already sent stop working, but not those to unsubscribe. Owners are signed out"
        : "LINK_SECRET: replaced. Links already sent still work. Both secrets are saved in deploy.env",
    );
  }
  return generated;
}

/** @throws {StepError} naming every variable that is missing or malformed */
function requireSettings(): Settings {
  const { vars } = unstable_readConfig({ config: join(root, "wrangler.toml") });
  const { settings, problems } = readSettings(readSettingsFile(settingsFile), process.env, vars);
  if (problems.length === 0) return settings;
  throw new StepError(
    `Some settings are missing or wrong:\n\n${explainProblems(problems)}`,
    keepsFiles
      ? "Correct them in deploy.env (to start: cp deploy.env.example deploy.env) and run npm run deploy again. Nothing was changed."
      : "Correct them in wrangler.toml under [vars], or in the variables of the build service. Nothing was changed.",
  );
}

/** @throws {StepError} if a migration would make writes fail, or webhooks miss events */
function requireWorkingTriggers(): void {
  const problem = findTriggerProblem();
  if (problem !== null) throw new StepError(problem, "Nothing was changed.");
}

function report(line: string): void {
  console.log(`  ${line}`);
}

function warn(line: string | null | undefined): void {
  if (line != null) console.warn(`\nWarning: ${line}\n`);
}
