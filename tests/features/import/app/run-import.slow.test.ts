import { expect, test } from "vitest";
import { deleteOldImports } from "#app/features/import/imports.server.ts";
import { planLimits } from "#app/server/config/plan-limits.ts";
import { findEntry } from "#app/waitlist/entries/entries.server.ts";
import { peopleCsv } from "#tests/features/import/import-files.ts";
import { importHarness, NOW } from "#tests/features/import/pool/imports.ts";
import { meteredD1 } from "#tests/support/pool/d1.ts";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/start.ts";

freshDatabaseForEachTest();

const DAY = 24 * 3_600_000;

test("a person takes 4 rows, and 5 with the email; a turn eight statements", async () => {
  const meter = meteredD1();
  const imports = importHarness(meter.d1);
  const { id } = await imports.check(peopleCsv(3_000), { welcome: true });
  await imports.confirm(id);
  meter.reset();
  expect(await imports.run()).toBe(3);
  // One more to find nothing left.
  expect(meter.executed).toHaveLength(3 * 8 + 1);
  const written = (pattern: RegExp) =>
    meter.executed.filter(({ sql }) => pattern.test(sql)).reduce((sum, { rowsWritten }) => sum + rowsWritten, 0);
  expect(written(/into "waitlist_emails"/) / 3_000).toBeCloseTo(4, 1);
  expect(written(/into "email_outbox"/) / 3_000).toBeCloseTo(5, 1);
});

test("on the free plan no more rows are imported than the day allows; the rest waits for the next day (UTC)", async () => {
  const imports = importHarness();
  const { importedADay } = planLimits.free;
  const { id } = await imports.check(peopleCsv(importedADay + 100));
  await imports.confirm(id);
  await imports.run(1_000, 50, NOW, importedADay);
  expect(await rows("imports")).toMatchObject([
    { state: "running", added: importedADay, imported_today: importedADay },
  ]);
  await imports.run(1_000, 50, NOW + DAY / 2 - 1, importedADay);
  expect(await rows("imports")).toMatchObject([{ state: "running", added: importedADay }]);
  await imports.run(1_000, 50, NOW + DAY / 2, importedADay);
  expect(await rows("imports")).toMatchObject([{ state: "done", added: importedADay + 100, imported_today: 100 }]);
});

test("chunks hold at most 500 KB", async () => {
  const note = "é".repeat(1_000);
  await importHarness().stage(`email,note\n${`a@example.com,${note}\n`.repeat(1_500)}`);
  const chunks = await rows<{ rows: string }>("import_chunks");
  expect(chunks.length).toBeGreaterThan(6);
  for (const chunk of chunks) expect(new TextEncoder().encode(chunk.rows).byteLength).toBeLessThanOrEqual(500_002);
});

test("the longest entries that a chunk can hold fit into a string of D1", async () => {
  const columns = ["email", "utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content", "referrer_host"];
  const dates = ["joined", "consent", "confirmed", "unsubscribed"];
  const row = (nth: number) =>
    [
      `${nth}@example.com`,
      ..."smcter".split("").map((name) => name + "\u00e9".repeat(32)),
      ...dates.map(() => "2026-10-05"),
    ]
      .map((cell) => `"${cell}"`)
      .join(",");
  const file = [[...columns, ...dates].join(","), ...Array.from({ length: 1_000 }, (_, nth) => row(nth))].join("\n");
  const meter = meteredD1();
  const { found } = await importHarness(meter.d1).import(file, { note: "\u3042".repeat(300) });
  expect(found).toMatchObject({ chunks: 1, added: 1_000 });
  const [staged] = meter.executed.filter(({ sql }) => /into "import_chunks"/.test(sql));
  expect(longest(staged?.params ?? [])).toBeGreaterThan(480_000);
  for (const { params } of meter.executed) expect(longest(params)).toBeLessThan(2_000_000);
});

/** The bytes of the longest string. */
function longest(params: unknown[]): number {
  const texts = params.filter((param) => typeof param === "string");
  return Math.max(0, ...texts.map((text) => new TextEncoder().encode(text).byteLength));
}

test("notes are stored as typed ones are", async () => {
  const file = 'email,consent_note,owner_note\na@example.com,"On\nthe\u0007list","Two\r\nlines\u0007"\n';
  await importHarness().import(file);
  expect(await rows("waitlist_emails")).toMatchObject([{ consent_note: "On the list", owner_note: "Two\nlines" }]);
});

test("files that were not confirmed are deleted after a day, with their rows", async () => {
  const imports = importHarness();
  await imports.stage(peopleCsv(10));
  const { id } = await imports.check(peopleCsv(10));
  await imports.confirm(id);
  expect(await deleteOldImports(imports.db, NOW + DAY)).toBe(0);
  expect(await deleteOldImports(imports.db, NOW + DAY + 1)).toBe(1);
  expect(await rows("imports")).toMatchObject([{ state: "running" }]);
  expect(await rows("import_chunks")).toHaveLength(1);
  await imports.run();
  expect(await deleteOldImports(imports.db, NOW + 760 * DAY)).toBe(1);
  expect(await findEntry(imports.db, 1)).not.toBeNull();
});
