import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { root } from "#scripts/lib/commands.ts";

/** What the last build says about the Worker, as far as a deployment has to know it. */
export interface BuiltWorker {
  /** Its configuration file. */
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

/** What only this account and this owner know. */
export interface Completion {
  siteUrl: string;
  vars: Record<string, string>;
  /** Absent before they exist. */
  ids?: { database: string; namespace: string };
}

/** @throws when there was no build */
export function readBuiltWorker(): BuiltWorker {
  // The build leaves a note where its configuration is, which Wrangler itself follows.
  const note = join(root, ".wrangler", "deploy", "config.json");
  const path = resolve(dirname(note), JSON.parse(readFileSync(note, "utf8")).configPath);
  const { name, d1_databases } = read(path);
  const database = d1_databases[0]?.database_name ?? name;
  return { path, name, database, namespace: `${name}-cache` };
}

/**
 * Writes the built configuration, with variables, ids and the site's domain, into a file beside it. Ids of an account
 * stay out of the repository, and the build stays what it was.
 *
 * @returns its path
 */
export function completeConfig({ path }: BuiltWorker, { siteUrl, vars, ids }: Completion): string {
  const built = read(path);
  const { host, hostname } = new URL(siteUrl);
  const onWorkersDev = hostname.endsWith(".workers.dev");
  const completed = {
    ...built,
    vars,
    workers_dev: onWorkersDev,
    routes: onWorkersDev ? [] : [{ pattern: host, custom_domain: true }],
    d1_databases: built.d1_databases.map((entry) => ({ ...entry, ...(ids && { database_id: ids.database }) })),
    kv_namespaces: built.kv_namespaces.map((entry) => ({ ...entry, ...(ids && { id: ids.namespace }) })),
  };
  const target = join(dirname(path), "wrangler.deploy.json");
  writeFileSync(target, JSON.stringify(completed, null, 2));
  return target;
}

function read(path: string): WranglerConfig {
  return JSON.parse(readFileSync(path, "utf8"));
}
