import { and, eq, sql } from "drizzle-orm";
import { type Import, recordFailure } from "#app/owner/import/imports.server.ts";
import type { CsvRow } from "#app/owner/import/read-csv.server.ts";
import { importChunks, imports } from "#app/owner/import/schema.server.ts";
import { type RowContext, toEntry } from "#app/owner/import/to-entry.server.ts";
import { keyedHash } from "#app/server/address-hash.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { logError, logWarning } from "#app/server/log.ts";
import { hashMailbox } from "#app/server/mailbox.server.ts";
import type { DisposableDomains } from "#app/waitlist/abuse/disposable-domains.server.ts";
import {
  countAdded,
  countSuppressed,
  enqueueImportedWelcomes,
  insertImported,
  type PreparedEntry,
} from "#app/waitlist/add-imported.server.ts";

export interface ImportDeps {
  db: Db;
  hashKey: string;
  disposableDomains: DisposableDomains;
  /** Milliseconds since 1970. */
  now: () => number;
}

interface Budget {
  /** How many D1 statements may be executed. */
  maxStatements: number;
  /** No further chunk is begun after this time (milliseconds since 1970). */
  until: number;
}

/** Statements of a chunk: read it, insert the entries, queue their emails, advance, delete the chunk. */
export const CHUNK_STATEMENTS = 5;

/**
 * Continues the oldest running import, as far as the budget allows. Each chunk is one D1 batch with the import's position:
 * however often this is interrupted, repeated or run at the same time, every person is added once.
 *
 * @returns how many statements were executed
 */
export async function continueImports(deps: ImportDeps, budget: Budget): Promise<number> {
  let statements = 0;
  while (statements + CHUNK_STATEMENTS <= budget.maxStatements && deps.now() < budget.until) {
    const next = await nextChunk(deps.db);
    statements += 1;
    if (next === null) break;
    statements += await importChunk(deps, next.found, next.rows).catch(async (error: unknown) => {
      await recordImportFailure(deps, next.found);
      throw error;
    });
  }
  return statements;
}

/** Throws nothing, because the failure itself is what the caller reports. */
async function recordImportFailure({ db, now }: ImportDeps, found: Import): Promise<void> {
  const importId = found.id;
  try {
    const isStopped = await recordFailure(db, found, now());
    if (isStopped) logWarning("import-stopped", { importId, position: found.position, reason: "failures" });
  } catch (error) {
    logError("import-failure-not-recorded", error, { importId });
  }
}

/** The oldest running import with the rows of its next chunk. */
async function nextChunk(db: Db): Promise<{ found: Import; rows: CsvRow[] } | null> {
  const isNext = and(eq(importChunks.import_id, imports.id), eq(importChunks.position, imports.position));
  const [next] = await db
    .select({ found: imports, rows: sql<string | null>`${importChunks.rows}`.as("chunk_rows") })
    .from(imports)
    .leftJoin(importChunks, isNext)
    .where(eq(imports.state, "running"))
    .orderBy(imports.id)
    .limit(1);
  if (next === undefined) return null;
  return { found: next.found, rows: JSON.parse(next.rows ?? "[]") as CsvRow[] };
}

/** @returns how many statements were executed */
async function importChunk(deps: ImportDeps, found: Import, rows: CsvRow[]): Promise<number> {
  const { db } = deps;
  const { id, position, chunks, settings } = found;
  if (settings === null) throw new Error("a running import has no settings");
  const now = deps.now();
  const entries = await prepareEntries(deps, rows, { settings, now: found.checked_at ?? now });
  const emails = entries.map(({ email }) => email);
  const hashes = entries.flatMap(({ address_hash }) => address_hash ?? []);
  const isNext = sql`EXISTS (SELECT 1 FROM imports WHERE id = ${id} AND state = 'running' AND position = ${position})`;
  const isLast = position + 1 >= chunks;
  const advance = db
    .update(imports)
    .set({
      position: position + 1,
      failures: 0,
      added: sql`${imports.added} + ${countAdded(db, emails, id)}`,
      suppressed: sql`${imports.suppressed} + ${countSuppressed(hashes, now)}`,
      ...(isLast ? { state: "done" as const, finished_at: now } : {}),
    })
    .where(and(eq(imports.id, id), eq(imports.state, "running"), eq(imports.position, position)));
  const insert = insertImported(db, entries, id, now, isNext);
  const clear = db.delete(importChunks).where(and(eq(importChunks.import_id, id), eq(importChunks.position, position)));
  // In this order, each statement can be repeated if a remote batch is not a transaction.
  if (settings.welcome) await db.batch([insert, enqueueImportedWelcomes(db, emails, id, now), advance, clear]);
  else await db.batch([insert, advance, clear]);
  return settings.welcome ? 4 : 3;
}

async function prepareEntries(
  { hashKey, disposableDomains }: ImportDeps,
  rows: CsvRow[],
  context: RowContext,
): Promise<PreparedEntry[]> {
  const prepared = rows.map(async (row): Promise<PreparedEntry[]> => {
    const { entry } = toEntry(row, context);
    if (entry === null) return [];
    const [address_hash, mailbox_hash, disposable] = await Promise.all([
      keyedHash("address:v1", entry.email, hashKey),
      hashMailbox(entry.email, hashKey),
      entry.disposable ?? disposableDomains.has(entry.email),
    ]);
    return [{ ...entry, disposable, address_hash, mailbox_hash }];
  });
  return (await Promise.all(prepared)).flat();
}
