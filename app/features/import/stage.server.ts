import { eq } from "drizzle-orm";
import { errors, ImportError } from "#app/features/import/file/import-error.ts";
import { type CsvRow, readCsv } from "#app/features/import/file/read-csv.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { importChunks, imports } from "#app/server/db/schema/imports.server.ts";
import type { EpochMillis } from "#app/server/time/units.ts";

/**
 * As entries, with their hashes and notes, the rows of a chunk must fit into a string of 2 MB.
 * https://developers.cloudflare.com/d1/platform/limits/
 */
const CHUNK_BYTES = 500_000;

/** Few enough for one batch of D1 statements to insert, with their emails, in well under a second. */
const CHUNK_ROWS = 1_000;

interface StageOptions {
  fileName: string;
  /** See the schema. */
  digest?: string;
  maxChunks: number;
  now: EpochMillis;
}

/**
 * Stores a file's rows in chunks while it arrives. Adds no entries. If it fails, deletes what it stored.
 *
 * @returns the import's id
 * @throws {ImportError}
 */
export async function stageImport(db: Db, bytes: AsyncIterable<Uint8Array>, options: StageOptions): Promise<number> {
  const { columns, rows } = await readCsv(bytes);
  const { fileName, digest = null, now } = options;
  const [created] = await db
    .insert(imports)
    .values({ file_name: shortName(fileName), digest, columns, created_at: now })
    .returning({ id: imports.id });
  const id = created?.id ?? 0;
  try {
    const stored = await storeChunks(db, id, rows, options.maxChunks);
    await db
      .update(imports)
      .set({ ...stored, state: "staged" })
      .where(eq(imports.id, id));
    return id;
  } catch (error) {
    await db.delete(imports).where(eq(imports.id, id));
    throw error;
  }
}

async function storeChunks(db: Db, id: number, rows: AsyncIterable<CsvRow[]>, maxChunks: number) {
  let [count, chunks] = [0, 0];
  for await (const chunk of chunksOf(rows)) {
    if (chunks === maxChunks) throw new ImportError(errors.tooManyChunks);
    await db.insert(importChunks).values({ import_id: id, position: chunks, rows: `[${chunk.join(",")}]` });
    chunks += 1;
    count += chunk.length;
  }
  return { rows: count, chunks };
}

async function* chunksOf(portions: AsyncIterable<CsvRow[]>): AsyncGenerator<string[]> {
  let chunk: string[] = [];
  let bytes = 0;
  for await (const portion of portions) {
    for (const row of portion) {
      const json = JSON.stringify(row);
      const size = encoder.encode(json).byteLength + 1;
      if (chunk.length === CHUNK_ROWS || (chunk.length > 0 && bytes + size > CHUNK_BYTES)) {
        yield chunk;
        [chunk, bytes] = [[], 0];
      }
      chunk.push(json);
      bytes += size;
    }
  }
  if (chunk.length > 0) yield chunk;
}

const encoder = new TextEncoder();

function shortName(name: string): string {
  return Array.from(name.replace(/\p{C}/gu, "")).slice(0, 100).join("") || "list.csv";
}
