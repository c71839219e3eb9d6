import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Cloudflare } from "#scripts/lib/cloudflare.ts";
import { root } from "#scripts/lib/commands.ts";
import { findDatabase } from "#scripts/lib/remote-database.ts";

/** The part of the build's Wrangler configuration that a deployment needs. */
interface WranglerConfig {
  name: string;
  d1_databases: { database_name: string; database_id?: string }[];
  kv_namespaces: { id?: string }[];
  send_email: object[];
}

const built = join(root, "build", "server", "wrangler.json");

/** The Worker as the build configures it. */
export function readBuiltWorker() {
  const { d1_databases, kv_namespaces, send_email, ...config } = readConfig();
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
    cloudflare.get<{ name: string }[]>("Listing the Worker's secrets", `/workers/scripts/${name}/secrets`),
  ]);
  return {
    databaseId: id,
    namespaceId: namespaceId ?? found?.find(({ title }) => title === namespace)?.id,
    secretNames: (secrets ?? []).map((secret) => secret.name),
  };
}

/**
 * Writes a copy of the built configuration that adds the owner's variables, the domain of SITE_URL and the KV namespace.
 * The account's ids stay out of the repository, and the build stays unchanged.
 *
 * @param namespaceId undefined if Wrangler is to create the namespace
 * @returns its path
 */
export function writeDeployConfig(name: string, vars: Record<string, string>, namespaceId?: string): string {
  const config = readConfig();
  const { host, hostname } = new URL(vars["SITE_URL"] ?? "");
  const workers_dev = hostname.endsWith(".workers.dev");
  const routes = workers_dev ? [] : [{ pattern: host, custom_domain: true }];
  const kv_namespaces = config.kv_namespaces.map((entry) => ({ ...entry, id: namespaceId }));
  const path = join(root, "build", "server", "wrangler.deploy.json");
  writeFileSync(path, JSON.stringify({ ...config, name, vars, workers_dev, routes, kv_namespaces }, null, 2));
  return path;
}

function readConfig(): WranglerConfig {
  return JSON.parse(readFileSync(built, "utf8"));
}
