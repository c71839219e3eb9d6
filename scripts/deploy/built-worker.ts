import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { root } from "#scripts/lib/commands.ts";

/** The part of the built Wrangler configuration that a deployment needs. */
export interface BuiltWorker {
  /** Of the configuration file. */
  path: string;
  name: string;
  /** Name of the D1 database. */
  database: string;
  /** Title of the KV namespace. */
  namespace: string;
  /** The ids in wrangler.toml, where Deploy to Cloudflare writes those of the resources that it creates. */
  ids: Partial<ResourceIds>;
  /** Whether Cloudflare's email service is bound. */
  sendsEmail: boolean;
}

interface ResourceIds {
  database: string;
  namespace: string;
}

interface WranglerConfig {
  name: string;
  d1_databases: { binding: string; database_name: string; database_id?: string }[];
  kv_namespaces: { binding: string; id?: string }[];
  send_email: { name: string }[];
}

/** Values of this account and owner, which the build does not contain. */
export interface DeployValues {
  siteUrl: string;
  vars: Record<string, string>;
  /** Absent before they exist. */
  ids?: ResourceIds;
}

/** @throws when there is no build */
export function readBuiltWorker(): BuiltWorker {
  // The build writes this redirect to its configuration for Wrangler.
  const redirect = join(root, ".wrangler", "deploy", "config.json");
  const path = resolve(dirname(redirect), JSON.parse(readFileSync(redirect, "utf8")).configPath);
  const { name, d1_databases, kv_namespaces, send_email } = readConfig(path);
  const database = d1_databases[0]?.database_name ?? name;
  const [databaseId, namespaceId] = [d1_databases[0]?.database_id, kv_namespaces[0]?.id];
  return {
    path,
    // Workers Builds names the Worker that the repository is connected to, and Wrangler obeys.
    name: process.env["WRANGLER_CI_OVERRIDE_NAME"] || name,
    database,
    namespace: `${name}-cache`,
    ids: { ...(databaseId && { database: databaseId }), ...(namespaceId && { namespace: namespaceId }) },
    sendsEmail: send_email.length > 0,
  };
}

/**
 * Writes a copy of the built configuration that adds variables, resource ids and the site's domain. The account's ids
 * stay out of the repository, and the build stays unchanged.
 *
 * @returns its path
 */
export function writeDeployConfig({ path, name }: BuiltWorker, { siteUrl, vars, ids }: DeployValues): string {
  const built = readConfig(path);
  const { host, hostname } = new URL(siteUrl);
  const onWorkersDev = hostname.endsWith(".workers.dev");
  const config = {
    ...built,
    name,
    vars,
    workers_dev: onWorkersDev,
    routes: onWorkersDev ? [] : [{ pattern: host, custom_domain: true }],
    d1_databases: built.d1_databases.map((entry) => ({ ...entry, ...(ids && { database_id: ids.database }) })),
    kv_namespaces: built.kv_namespaces.map((entry) => ({ ...entry, ...(ids && { id: ids.namespace }) })),
  };
  const target = join(dirname(path), "wrangler.deploy.json");
  writeFileSync(target, JSON.stringify(config, null, 2));
  return target;
}

function readConfig(path: string): WranglerConfig {
  return JSON.parse(readFileSync(path, "utf8"));
}
