import { openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ownNamespaces } from "#scripts/deploy/rate-limits.ts";
import type { Cloudflare } from "#scripts/lib/cloudflare.ts";
import { root } from "#scripts/lib/commands.ts";
import { findDatabase } from "#scripts/lib/remote-database.ts";
import { wrangler } from "#scripts/lib/wrangler.ts";

/** The part of the build's Wrangler configuration that a deployment needs. */
interface WranglerConfig {
  name: string;
  d1_databases: { database_name: string; database_id?: string }[];
  kv_namespaces: { id?: string }[];
  send_email: object[];
  ratelimits: { name: string; namespace_id: string }[];
  queues?: object;
}

const built = join(root, "build", "server", "wrangler.json");

/** The Worker as the build configures it. */
export function readBuiltWorker() {
  const { d1_databases, kv_namespaces, send_email, ratelimits, ...config } = readConfig();
  // Workers Builds names the Worker that the repository is connected to, and Wrangler obeys.
  const name = process.env["WRANGLER_CI_OVERRIDE_NAME"] || config.name;
  return {
    name,
    database: d1_databases[0]?.database_name ?? name,
    /** As Wrangler names the namespace that it creates for the binding CACHE. */
    namespace: `${name}-cache`,
    // Deploy to Cloudflare writes the ids of the resources that it creates into wrangler.toml.
    databaseId: d1_databases[0]?.database_id,
    namespaceId: kv_namespaces[0]?.id,
    /** Whether Cloudflare's email service is bound. */
    sendsEmail: send_email.length > 0,
    ratelimits: ownNamespaces(name, ratelimits),
  };
}

export type BuiltWorker = ReturnType<typeof readBuiltWorker>;

/** Finds what the account already has of the site, without changing anything. */
export async function inspectAccount(cloudflare: Cloudflare, worker: BuiltWorker) {
  const { name, database, databaseId, namespace, namespaceId } = worker;
  const namespaces = "/storage/kv/namespaces?per_page=1000";
  const [id, found, secrets] = await Promise.all([
    databaseId ?? findDatabase(cloudflare, database),
    cloudflare.get<{ id: string; title: string }[]>("Looking for the KV namespace", namespaces),
    cloudflare.get<{ name: string }[]>(
      "Listing the Worker's secrets",
      `/workers/scripts/${encodeURIComponent(name)}/secrets`,
    ),
  ]);
  return {
    databaseId: id,
    namespaceId: namespaceId ?? found?.find(({ title }) => title === namespace)?.id,
    secretNames: (secrets ?? []).map((secret) => secret.name),
  };
}

/**
 * Writes a copy of the built configuration that adds the owner's variables, the domain of SITE_URL, the KV namespace, the
 * queue of email events and the Worker's own namespaces of rate limits. The account's ids stay out of the repository, and
 * the build stays unchanged.
 *
 * @param account the KV namespace, which Wrangler creates if it is left out, and the queue, which may be null
 * @returns its path
 */
export function writeDeployConfig(
  { name, ratelimits }: BuiltWorker,
  vars: Record<string, string>,
  { namespaceId, queue }: { namespaceId?: string | undefined; queue: string | null },
): string {
  const config = readConfig();
  const { host, hostname } = new URL(vars["SITE_URL"] ?? "");
  const workers_dev = hostname.endsWith(".workers.dev");
  const routes = workers_dev ? [] : [{ pattern: host, custom_domain: true }];
  const kv_namespaces = config.kv_namespaces.map((entry) => ({ ...entry, id: namespaceId }));
  const queues = queue === null ? config.queues : { consumers: [{ queue, max_retries: MAX_RETRIES }] };
  const path = join(root, "build", "server", "wrangler.deploy.json");
  const added = { name, vars, workers_dev, routes, kv_namespaces, ratelimits, queues };
  writeFileSync(path, JSON.stringify({ ...config, ...added }, null, 2));
  return path;
}

/** With the delays of `retry-schedule.ts`, longer than a queue keeps a message. */
const MAX_RETRIES = 20;

function readConfig(): WranglerConfig {
  return JSON.parse(readFileSync(built, "utf8"));
}

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
  const folder = dirname(config);
  const report = join(folder, "deployed.ndjson");
  const secretsFile = join(folder, "secrets.json");
  writeFileSync(secretsFile, JSON.stringify(secrets), { mode: 0o600 });
  const file = openSync(secretsFile, "r");
  // Stays open without a name, so however this ends, it is gone. Not an argument: every user can read command lines.
  rmSync(secretsFile);
  await wrangler(["deploy", "--config", config, "--secrets-file", "/dev/fd/3"], {
    step: "Deploying the Worker",
    env: { ...env, WRANGLER_OUTPUT_FILE_PATH: report },
    timeout: TIMEOUT,
    onTerminal: process.stdin.isTTY === true && process.stdout.isTTY === true,
    file,
  });
  const entries = readFileSync(report, "utf8").trim().split("\n");
  return entries.map((entry) => JSON.parse(entry)).findLast(({ type }) => type === "deploy")?.version_id ?? "";
}

/** Bundles the Worker without uploading it. @returns the size as printed by Wrangler, such as `1200.00 KiB / gzip: 300.00 KiB` */
export async function bundleWorker(config: string, env: NodeJS.ProcessEnv): Promise<string> {
  const output = await wrangler(["deploy", "--dry-run", "--config", config], { step: "Bundling the Worker", env });
  return /Total Upload: (.+)/.exec(output)?.[1]?.trim() ?? "unknown";
}
