import { letters } from "#app/server/db/schema/letters.server.ts";
import { db } from "#tests/support/pool/start.ts";

/** Stores a letter that was sent, unless its fields say otherwise. @returns its id */
export async function storeLetter(letter: Partial<typeof letters.$inferInsert> = {}): Promise<number> {
  const content = { subject: "News", preview_line: "", body: "Hello", audience: { filter: {} } };
  const row = {
    key: crypto.randomUUID(),
    state: "finished",
    ...content,
    created_at: 0,
    updated_at: 0,
    ...letter,
  } as const;
  const [stored] = await db.insert(letters).values(row).returning({ id: letters.id });
  return stored?.id ?? 0;
}
