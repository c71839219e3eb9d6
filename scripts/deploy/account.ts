import type { BuiltWorker } from "#scripts/deploy/built-worker.ts";
import { type Cloudflare, CloudflareError } from "#scripts/lib/cloudflare.ts";

/** Resources that exist in the account; null if missing. */
export interface Account {
  databaseId: string | null;
  namespaceId: string | null;
  secretNames: string[];
}

/** Finds the site's resources, without changing anything. */
export async function inspectAccount(cloudflare: Cloudflare, worker: BuiltWorker): Promise<Account> {
  const [databaseId, namespaceId, secretNames] = await Promise.all([
    worker.ids.database ?? findDatabase(cloudflare, worker.database),
    worker.ids.namespace ?? findNamespace(cloudflare, worker.namespace),
    readSecretNames(cloudflare, worker.name),
  ]);
  return { databaseId, namespaceId, secretNames };
}

/** @returns the id of a D1 database, or null */
export async function findDatabase(cloudflare: Cloudflare, name: string): Promise<string | null> {
  const path = `/d1/database?per_page=1000&name=${encodeURIComponent(name)}`;
  const databases = await cloudflare.get<{ name: string; uuid: string }[]>("Looking for the D1 database", path);
  return databases.find((database) => database.name === name)?.uuid ?? null;
}

/**
 * @param jurisdiction where D1 must store the data, such as `eu`
 * @returns the id of the new database
 */
export async function createDatabase(cloudflare: Cloudflare, name: string, jurisdiction?: string): Promise<string> {
  const body = { name, ...(jurisdiction !== undefined && { jurisdiction }) };
  return (await cloudflare.post<{ uuid: string }>(`Creating the D1 database ${name}`, "/d1/database", body)).uuid;
}

/** @returns the id of the new namespace */
export async function createNamespace(cloudflare: Cloudflare, title: string): Promise<string> {
  const step = `Creating the KV namespace ${title}`;
  return (await cloudflare.post<{ id: string }>(step, "/storage/kv/namespaces", { title })).id;
}

async function findNamespace(cloudflare: Cloudflare, title: string): Promise<string | null> {
  const path = "/storage/kv/namespaces?per_page=1000";
  const namespaces = await cloudflare.get<{ title: string; id: string }[]>("Looking for the KV namespace", path);
  return namespaces.find((namespace) => namespace.title === title)?.id ?? null;
}

/** Cloudflare's error code for a Worker that does not exist. */
const NO_WORKER = 10007;

async function readSecretNames(cloudflare: Cloudflare, worker: string): Promise<string[]> {
  try {
    const path = `/workers/scripts/${worker}/secrets`;
    const secrets = await cloudflare.get<{ name: string }[]>("Listing the Worker's secrets", path);
    return secrets.map(({ name }) => name);
  } catch (error) {
    if (error instanceof CloudflareError && error.code === NO_WORKER) return [];
    throw error;
  }
}
