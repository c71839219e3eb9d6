import type { BuiltWorker } from "#scripts/deploy/worker.ts";
import type { Cloudflare } from "#scripts/lib/cloudflare.ts";
import { findDatabase } from "#scripts/lib/remote-database.ts";

/** Finds what the account already has of the site, without changing anything. */
export async function inspectAccount(cloudflare: Cloudflare, worker: BuiltWorker) {
  const [databaseId, namespaces, secrets] = await Promise.all([
    worker.databaseId ?? findDatabase(cloudflare, worker.database),
    cloudflare.get<{ id: string; title: string }[]>(
      "Looking for the KV namespace",
      "/storage/kv/namespaces?per_page=1000",
    ),
    cloudflare.get<{ name: string }[]>("Listing the Worker's secrets", `/workers/scripts/${worker.name}/secrets`),
  ]);
  return {
    databaseId,
    namespaceId: worker.namespaceId ?? namespaces?.find(({ title }) => title === worker.namespace)?.id,
    secretNames: (secrets ?? []).map(({ name }) => name),
  };
}

/**
 * Creates the D1 database. Wrangler would do so only when it deploys, which is after the migrations, and without a
 * jurisdiction.
 *
 * @param jurisdiction where D1 must store the data, such as `eu`
 * @returns its id
 */
export async function createDatabase(cloudflare: Cloudflare, name: string, jurisdiction?: string): Promise<string> {
  const step = `Creating the D1 database ${name}`;
  return (await cloudflare.post<{ uuid: string }>(step, "/d1/database", { name, jurisdiction })).uuid;
}
