import { and, eq, sql } from "drizzle-orm";
import { type ClaimedRows, isAt } from "#app/owner/import/attempts.server.ts";
import { withoutWords } from "#app/owner/import/imports.server.ts";
import { toEntry } from "#app/owner/import/to-entry.server.ts";
import { keyedHash } from "#app/server/address-hash.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { importChunks, imports } from "#app/server/db/schema/imports.server.ts";
import { hashMailbox } from "#app/server/mailbox.server.ts";
import type { DisposableDomains } from "#app/waitlist/abuse/disposable-domains.server.ts";
import {
  countAdded,
  countRefused,
  enqueueImportedWelcomes,
  type ImportedEntry,
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

/** Imports claimed rows, unless another run has done so. @returns how many statements were executed */
export async function importRows(deps: ImportDeps, { found, rows, endsChunk }: ClaimedRows): Promise<number> {
  const { db } = deps;
  const { id, position, chunks, rows_done, settings } = found;
  if (settings === null) throw new Error("a running import has no settings");
  const now = deps.now();
  const context = { settings, now: found.checked_at ?? now };
  const entries = await prepareEntries(
    deps,
    rows.flatMap((row) => toEntry(row, context).entry ?? []),
  );
  const emails = entries.map(({ email }) => email);
  const hashes = entries.flatMap(({ address_hash }) => address_hash ?? []);
  const isLast = endsChunk && position + 1 >= chunks;
  const advance = db
    .update(imports)
    .set({
      ...(endsChunk ? { position: position + 1, rows_done: 0 } : { rows_done: rows_done + rows.length }),
      failures: 0,
      leased_until: 0,
      added: sql`${imports.added} + ${countAdded(db, emails, id)}`,
      suppressed: sql`${imports.suppressed} + ${countRefused(hashes, now)}`,
      ...(isLast ? { state: "done" as const, finished_at: now, settings: withoutWords } : {}),
    })
    .where(isAt(found));
  const isNext = sql`EXISTS (SELECT 1 FROM imports WHERE ${isAt(found)})`;
  const insert = insertImported(db, entries, id, now, isNext);
  const welcomes = settings.welcome ? [enqueueImportedWelcomes(db, emails, id, now)] : [];
  const clear = db.delete(importChunks).where(and(eq(importChunks.import_id, id), eq(importChunks.position, position)));
  // In this order, each statement can be repeated if a remote batch is not a transaction.
  const statements = [insert, ...welcomes, advance, ...(endsChunk ? [clear] : [])] as const;
  await db.batch(statements);
  return statements.length;
}

async function prepareEntries(
  { hashKey, disposableDomains }: ImportDeps,
  entries: ImportedEntry[],
): Promise<PreparedEntry[]> {
  const isDisposable = new Map<string, boolean>();
  // Each domain once and one after the other: the first reads the list, which is a request.
  for (const { email, disposable } of entries) {
    const domain = domainOf(email);
    if (disposable !== null || isDisposable.has(domain)) continue;
    isDisposable.set(domain, await disposableDomains.has(email));
  }
  return Promise.all(
    entries.map(async (entry) => {
      const { email } = entry;
      const [address_hash, mailbox_hash] = await Promise.all([
        keyedHash("address:v1", email, hashKey),
        hashMailbox(email, hashKey),
      ]);
      const disposable = entry.disposable ?? isDisposable.get(domainOf(email)) ?? false;
      return { ...entry, disposable, address_hash, mailbox_hash };
    }),
  );
}

function domainOf(email: string): string {
  return email.slice(email.lastIndexOf("@") + 1);
}
