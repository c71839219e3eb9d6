import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { streamExport } from "#app/features/entries/export.server.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { importHarness } from "#tests/features/import/pool/imports.ts";
import { exportDeps } from "#tests/support/pool/exports.ts";
import { db, freshDatabaseForEachTest, join } from "#tests/support/pool/start.ts";

freshDatabaseForEachTest();

const JOINED = Date.UTC(2026, 9, 3, 9, 30);

const notes: Record<string, string | null> = {
  "ada@example.com": 'Makes pots, "blue" ones;\nasked for a corner pitch',
  "bob@example.com": "=1+1",
  "cyd@example.com": "🧶".repeat(1_000),
  "eve@example.com": null,
};

/** Ghost's file of people with these notes, who are then gone. */
async function exported(notes: Record<string, string | null>): Promise<string> {
  for (const [email, owner_note] of Object.entries(notes)) {
    const id = await join(email, { now: JOINED });
    await db
      .update(waitlistEmails)
      .set({ owner_note, answers: { role: "host" } })
      .where(eq(waitlistEmails.id, id));
  }
  const file = await new Response(streamExport(exportDeps(db), { mayGetEmail: true }, "ghost")).text();
  await db.delete(waitlistEmails);
  return file;
}

test("notes and answers survive the way to Ghost and back, with the time of joining; a second time changes nothing", async () => {
  const file = await exported(notes);
  await importHarness().import(file);
  const rows = await db.select().from(waitlistEmails).orderBy(waitlistEmails.email);
  expect(rows.map(({ answers }) => answers)).toEqual(rows.map(() => ({ role: "host" })));
  const { report } = await importHarness().import(file);
  expect(report).toMatchObject({ active: 0, unchanged: rows.length, leftOut: 0 });
  expect(await db.select().from(waitlistEmails).orderBy(waitlistEmails.email)).toEqual(rows);
  expect(Object.fromEntries(rows.map(({ email, owner_note }) => [email, owner_note]))).toEqual(notes);
  expect(rows.map(({ created_at }) => created_at)).toEqual(rows.map(() => JOINED));
});

test("a note is cut where Ghost would refuse its member", async () => {
  const file = await exported({ "ada@example.com": "🧶".repeat(2_001) });
  expect(Array.from(file.matchAll(/🧶/gu))).toHaveLength(2_000);
});
