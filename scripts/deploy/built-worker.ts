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
}

interface WranglerConfig {
  name: string;
  d1_databases: { binding: string; database_name: string; database_id?: string }[];
  kv_namespaces: { binding: string; id?: string }[];
}

/** Values of this account and owner, which the build does not contain. */
export interface DeployValues {
  siteUrl: string;
  vars: Record<string, string>;
  /** Absent before they exist. */
  ids?: { database: string; namespace: string };
}

/** @throws when there is no build */
export function readBuiltWorker(): BuiltWorker {
  // The build writes this redirect to its configuration for Wrangler.
  const redirect = join(root, ".wrangler", "deploy", "config.json");
  const path = resolve(dirname(redirect), JSON.parse(readFileSync(redirect, "utf8")).configPath);
  const { name, d1_databases } = readConfig(path);
  const database = d1_databases[0]?.database_name ?? name;
  return { path, name, database, namespace: `${name}-cache` };
}

/**
 * Writes a copy of the built configuration that adds variables, resource ids and the site's domain. The account's ids
 * stay out of the repository, and the build stays unchanged.
 *
 * @returns its path
 */
export function writeDeployConfig({ path }: BuiltWorker, { siteUrl, vars, ids }: DeployValues): string {
  const built = readConfig(path);
  const { host, hostname } = new URL(siteUrl);
  const onWorkersDev = hostname.endsWith(".workers.dev");
  const config = {
    ...built,
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
