import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { errors } from "#app/owner/import/import-error.ts";
import { deleteOldImports, discardImport, stopImport } from "#app/owner/import/imports.server.ts";
import { planLimits } from "#app/server/plan-limits.ts";
import { findEntry } from "#app/waitlist/entries.server.ts";
import { peopleCsv } from "#tests/support/import-files.ts";
import { meteredD1 } from "#tests/support/pool/d1.ts";
import { scheduledApp } from "#tests/support/pool/emails.ts";
import { importHarness, NOW } from "#tests/support/pool/imports.ts";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/start.ts";
import { runScheduled } from "#worker/scheduled.ts";

freshDatabaseForEachTest();

const DAY = 24 * 3_600_000;

test("welcome emails come after those of sign-ups, once for each person", async () => {
  const imports = importHarness();
  const { id } = await imports.check("email\na@example.com\nb@example.com\n", { welcome: true });
  await imports.confirm(id);
  await imports.run();
  const uuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
  for (const { id: key } of await rows<{ id: string }>("email_outbox")) expect(key).toMatch(uuid);
  expect(await rows("email_outbox")).toMatchObject([
    { dedupe_key: "welcome:1", kind: "welcome", priority: 4, reason: "import-limit", sent_at: null },
    { dedupe_key: "welcome:2" },
  ]);
});

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

test("a file that needs more statements than the plan allows is refused, and nothing stays stored", async () => {
  await expect(importHarness().stage(peopleCsv(3_001), 3)).rejects.toThrow(errors.tooManyChunks);
  await expect(importHarness().stage(`${peopleCsv(2_500)}"open`)).rejects.toThrow("line 2502");
  expect(await rows("imports")).toEqual([]);
  expect(await rows("import_chunks")).toEqual([]);
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

test("an import goes on with the time zone that it was checked with", async () => {
  const imports = importHarness();
  const { id } = await imports.check("email,joined\na@example.com,2026-10-05\n", { timeZone: "Asia/Tokyo" });
  await imports.confirm(id);
  await runScheduled(scheduledApp(NOW, { vars: { OWNER_TIME_ZONE: "America/New_York" } }));
  expect(await rows("waitlist_emails")).toMatchObject([{ created_at: Date.UTC(2026, 9, 4, 15) }]);
});

test("notes are stored as typed ones are", async () => {
  const file = 'email,consent_note,owner_note\na@example.com,"On\nthe\u0007list","Two\r\nlines\u0007"\n';
  await importHarness().import(file);
  expect(await rows("waitlist_emails")).toMatchObject([{ consent_note: "On the list", owner_note: "Two\nlines" }]);
});

test("only what was seen can be confirmed; a running import can be stopped, a waiting one discarded", async () => {
  const imports = importHarness();
  const { id } = await imports.check(peopleCsv(1_500));
  await env.DB.exec(`UPDATE imports SET checked_at = ${NOW + 1}`);
  expect(await imports.confirm(id)).toBe(false);
  await env.DB.exec(`UPDATE imports SET checked_at = ${NOW}`);
  expect(await imports.confirm(id)).toBe(true);
  expect(await discardImport(imports.db, id)).toBe(false);
  await imports.run(1);
  expect(await stopImport(imports.db, id, NOW)).toBe(true);
  expect(await stopImport(imports.db, id, NOW)).toBe(false);
  await imports.run();
  expect(await rows("waitlist_emails")).toHaveLength(1_000);
  expect(await rows("imports")).toMatchObject([{ state: "stopped", stop_reason: "owner", added: 1_000 }]);
  expect(await rows("import_chunks")).toEqual([]);
  expect(await discardImport(imports.db, await imports.stage(peopleCsv(1)))).toBe(true);
  expect(await rows("imports")).toHaveLength(1);
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
