import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { streamExport } from "#app/owner/export.server.ts";
import { errors } from "#app/owner/import/import-error.ts";
import { deleteOldImports, discardImport, stopImport } from "#app/owner/import/imports.server.ts";
import { keyedHash } from "#app/server/address-hash.server.ts";
import { mailboxHash } from "#app/server/mailbox.server.ts";
import { addEntry } from "#app/waitlist/add-entry.server.ts";
import { confirmEntry } from "#app/waitlist/confirmation.server.ts";
import { eraseEntry, findEntry, neverEmailEntry, unsubscribeEntry } from "#app/waitlist/entries.server.ts";
import { peopleCsv } from "#tests/support/import-files.ts";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/database.ts";
import { exportDeps } from "#tests/support/pool/exports.ts";
import { importHarness, NOW } from "#tests/support/pool/imports.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { meteredD1 } from "#tests/support/pool/metered-d1.ts";
import { scheduledApp } from "#tests/support/pool/scheduled-app.ts";
import { runScheduled } from "#worker/scheduled.ts";

freshDatabaseForEachTest();
const log = captureLog();

type Row = Record<string, unknown>;

/** Signs up on the site. @returns the entry's id */
async function join(email: string, mustConfirm = false): Promise<number> {
  const { db } = importHarness();
  const now = Date.UTC(2026, 9, 1);
  const mailbox = await mailboxHash(email, env.HASH_KEY);
  const hashes = { mailbox, addressHash: await addressHash(email) };
  const added = await addEntry(db, { email, source: "landing_page", columns: {}, mustConfirm, ...hashes, now });
  if (added.kind !== "new") throw new Error(added.kind);
  return added.id;
}

const addressHash = (email: string) => keyedHash("address:v1", email, env.HASH_KEY);

test("nothing is on the list until it is confirmed; then each column has its value", async () => {
  const imports = importHarness();
  const file = `E-Mail,Name,Joined on,Date of consent,Role,Source,Campaign,Notes
 Ada@Example.com ,Ada,05/10/2026,2026-10-06,Host,Autumn Fair,=1+1,'=SUM(A1)
ada+x@mailinator.com,,,,,,,`;
  const { id, report } = await imports.check(file);
  expect(report).toEqual({ rows: 2, ready: 2, listed: 0, unsubscribed: 0, leftOut: 0, problems: {}, first: [] });
  await imports.run();
  expect(await rows("waitlist_emails")).toEqual([]);

  expect(await imports.confirm(id)).toBe(true);
  await imports.run();
  const [ada, other] = await rows("waitlist_emails");
  expect(ada).toEqual({
    id: 1,
    email: "ada@example.com",
    source: "autumn_fair",
    status: "active",
    early_adopter: 1,
    metadata: JSON.stringify({ signup_platform: "import", signup_date: "2026-10-04T23:00:00.000Z" }),
    utm_source: null,
    utm_medium: null,
    utm_campaign: "=1+1",
    utm_term: null,
    utm_content: null,
    referrer_host: null,
    role: "host",
    // The owner is in London, where summer time was in force.
    created_at: Date.UTC(2026, 9, 4, 23),
    consent_at: Date.UTC(2026, 9, 5, 23),
    consent_version: null,
    consent_note: "Paper list at the fair",
    import_id: id,
    owner_note: "=SUM(A1)",
    unsubscribed_at: null,
    unsubscribe_reason: null,
    confirm_by: null,
    confirmed_at: null,
    reminded_at: null,
    invited_at: null,
    address_hash: await addressHash("ada@example.com"),
    mailbox_hash: await mailboxHash("ada@example.com", env.HASH_KEY),
    verified: 0,
    disposable: 0,
  });
  expect(other).toMatchObject({
    source: "import",
    created_at: NOW,
    consent_at: Date.UTC(2026, 9, 4, 23),
    disposable: 1,
  });
  expect(await rows("imports")).toMatchObject([{ state: "done", added: 2, position: 1, finished_at: NOW }]);
  expect(await rows("import_chunks")).toEqual([]);
  expect(await rows("email_outbox")).toEqual([]);
  expect(log.join()).not.toContain("@");
});

test("people who are on the list, have unsubscribed or want no email stay as they are", async () => {
  const imports = importHarness();
  const { db } = imports;
  const names = ["listed", "gone", "never", "erased-never", "bounced", "recovered"];
  const ids = Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await join(`${name}@example.com`)] as const)),
  );
  await unsubscribeEntry(db, ids["gone"] ?? 0, NOW);
  for (const name of ["never", "erased-never"]) {
    await neverEmailEntry(db, ids[name] ?? 0, await addressHash(`${name}@example.com`), NOW);
  }
  for (const name of ["erased-never", "bounced", "recovered"]) await eraseEntry(db, ids[name] ?? 0, NOW);
  const bounce = env.DB.prepare("INSERT INTO suppressions VALUES (?, 'hard-bounce', ?, 1)");
  await bounce.bind(await addressHash("bounced@example.com"), NOW + 1).run();
  await bounce.bind(await addressHash("recovered@example.com"), NOW).run();
  const before = await rows("waitlist_emails");
  const emails = await rows("email_outbox");

  const file = `email\n${[...names, "new"].map((name) => `${name}@example.com`).join("\n")}\nNEW@example.com\n`;
  const { report, found } = await imports.import(file, { welcome: true });
  expect(report).toMatchObject({
    rows: 8,
    ready: 7,
    listed: 3,
    leftOut: 1,
    first: [{ line: 9, code: "duplicate", first: 8 }],
  });
  // Suppressed: never, erased-never and bounced.
  expect(found).toMatchObject({ added: 2, suppressed: 3, state: "done" });
  const after = await rows<Row>("waitlist_emails");
  expect(after.slice(0, before.length)).toEqual(before);
  expect(after.slice(before.length)).toMatchObject([{ email: "recovered@example.com" }, { email: "new@example.com" }]);
  expect((await rows("email_outbox")).slice(emails.length)).toHaveLength(2);
});

test("every problem is found by its line, and its row is left out", async () => {
  const file = `email,joined,consent,role,status,unsubscribed,consent_version,note
ok@example.com,,,,,,,
,,,,,,,
bad@,2026-02-30,2031-01-01,painter,maybe,,1999-01,
old@example.com,2024-11-20,,,,,,
future@example.com,2026-11-22,,,,,,
ok@example.com,,,,,,,
"x"y,,,,,,,
a@example.com,,,,,,,,extra
\u0007b@example.com,,,,,,,
long@example.com,,,,,,,${"x".repeat(2_001)}
,2026-10-01,,,,,,
undated@example.com,,yesterday,,,,,`;
  const { report } = await importHarness().check(file);
  expect(report.first.map(({ line, code, field }) => [line, code, field ?? ""].join(" ").trim())).toEqual([
    "4 invalid-address",
    "4 invalid-date joined",
    "4 unknown-value status",
    "4 future-date consent",
    "4 unknown-value consent_version",
    "4 unknown-value role",
    "5 too-old joined",
    "6 future-date joined",
    "7 duplicate",
    "8 quotes",
    "9 columns",
    "10 invalid-address",
    "11 too-long owner_note",
    "12 no-address",
    "13 invalid-date consent",
  ]);
  expect(report).toMatchObject({ rows: 11, ready: 1, leftOut: 10, problems: { duplicate: 1, "invalid-address": 2 } });
  expect(await rows("waitlist_emails")).toEqual([]);
});

test("a person without a date of consent is left out; one who has unsubscribed needs none", async () => {
  const file =
    "email,consent,status,unsub_time\na@example.com,,,\nb@example.com,,unsubscribed,\nc@example.com,,,2026-11-01 10:00\n";
  const { report, found } = await importHarness().import(file, { consentDate: null, welcome: true });
  expect(report).toMatchObject({ ready: 2, unsubscribed: 2, first: [{ line: 2, code: "no-consent-date" }] });
  expect(found).toMatchObject({ added: 2 });
  expect(await rows("waitlist_emails")).toMatchObject([
    { status: "unsubscribed", unsubscribed_at: NOW, consent_at: null },
    { status: "unsubscribed", unsubscribed_at: Date.UTC(2026, 10, 1, 10) },
  ]);
  expect(await rows("email_outbox")).toEqual([]);
});

test.each([
  ["03/04/2026", false, Date.UTC(2026, 3, 2, 23)],
  ["03/04/2026", true, Date.UTC(2026, 2, 4)],
  ["3.4.2026", false, Date.UTC(2026, 3, 2, 23)],
  ["2026-04-03 10:05", false, Date.UTC(2026, 3, 3, 9, 5)],
  ["2026-04-03T10:05:06.700Z", false, Date.UTC(2026, 3, 3, 10, 5, 6, 700)],
  ["2026-04-03T10:05:06+02:00", false, Date.UTC(2026, 3, 3, 8, 5, 6)],
])("the date %s is read, with the month first: %s", async (text, monthFirst, time) => {
  await importHarness().import(`email,joined\na@example.com,${text}\n`, { monthFirst });
  expect(await rows("waitlist_emails")).toMatchObject([{ created_at: time }]);
});

test("the export is imported again without loss", async () => {
  const imports = importHarness();
  const { db } = imports;
  await imports.import(
    `email,joined,consent,consent_note,role,utm_campaign,owner_note
=cmd@example.com,2026-10-01T10:00:00.123Z,2026-10-02T10:00:00Z,"Said ""yes"", twice",both,"@SUM(1+1); x","'=1
second line"
bob@mailinator.com,2026-10-01,2026-10-02,,,,`,
  );
  const left = await join("left@example.com");
  await unsubscribeEntry(db, left, NOW - 1_000, "complaint");
  await join("unconfirmed@example.com", true);
  await confirmEntry(db, await join("confirmed@example.com", true), NOW - 5_000);
  await env.DB.exec(
    "UPDATE waitlist_emails SET early_adopter = 0, utm_term = 'a|b', invited_at = 1790000000000 WHERE id = 3",
  );
  const before = await rows<Row>("waitlist_emails");
  const exported = await new Response(streamExport(exportDeps(db), {}, "csv")).text();

  await env.DB.exec("DELETE FROM waitlist_emails");
  const { report } = await imports.import(exported, { consentDate: null, note: "Restored" });
  expect(report).toMatchObject({ ready: 5, leftOut: 0 });
  const after = await rows<Row>("waitlist_emails");
  // An entry's number is never used again.
  const kept = ({ id: _, import_id: __, metadata: ___, confirm_by, ...columnsOf }: Row) => ({
    ...columnsOf,
    // Only those who are still to confirm have a date until which they must.
    confirm_by: columnsOf["confirmed_at"] === null ? confirm_by : null,
  });
  expect(after.map(kept)).toEqual(before.map(kept));
  // What is exported then is the same, number aside.
  const withoutIds = (text: string) => text.replaceAll(/^"\d+",/gm, "");
  expect(withoutIds(await new Response(streamExport(exportDeps(db), {}, "csv")).text())).toBe(withoutIds(exported));
});

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
  // The same chunk once more, as if the batch's position had been lost.
  await env.DB.exec(`UPDATE imports SET state = 'running', position = 0, added = 0`);
  await env.DB.prepare("INSERT INTO import_chunks VALUES (?, 0, ?)")
    .bind(id, '[[2,["a@example.com"]],[3,["b@example.com"]]]')
    .run();
  await imports.run();
  expect(await rows("email_outbox")).toHaveLength(2);
  expect(await rows("imports")).toMatchObject([{ state: "done", added: 2 }]);
});

test("an import that is interrupted and continued, even by several runs at once, adds each person once", async () => {
  const imports = importHarness();
  const { id } = await imports.check(peopleCsv(3_500), { welcome: true });
  expect(await rows("import_chunks")).toHaveLength(4);
  await imports.confirm(id);
  expect(await imports.run(10)).toBe(10);
  expect(await rows("waitlist_emails")).toHaveLength(2_000);
  const failing = meteredD1((sql) => {
    if (/^delete from "import_chunks"/.test(sql)) throw new Error("D1_ERROR: out of order");
  });
  await expect(importHarness(failing.d1).run()).rejects.toThrow();
  expect(await rows("waitlist_emails")).toHaveLength(2_000);
  await Promise.all([imports.run(), imports.run(), imports.run()]);
  expect(await rows("waitlist_emails")).toHaveLength(3_500);
  expect(await rows("email_outbox")).toHaveLength(3_500);
  expect(await rows("imports")).toMatchObject([{ state: "done", added: 3_500, suppressed: 0 }]);
  expect(await rows("import_chunks")).toEqual([]);
});

test("each chunk takes five statements; a person 4 rows, and 5 with the email", async () => {
  const meter = meteredD1();
  const imports = importHarness(meter.d1);
  const { id } = await imports.check(peopleCsv(3_000), { welcome: true });
  await imports.confirm(id);
  meter.reset();
  // One more to find nothing left.
  expect(await imports.run()).toBe(16);
  expect(meter.executed).toHaveLength(16);
  const written = (pattern: RegExp) =>
    meter.executed.filter(({ sql }) => pattern.test(sql)).reduce((sum, { rowsWritten }) => sum + rowsWritten, 0);
  expect(written(/into "waitlist_emails"/) / 3_000).toBeCloseTo(4, 1);
  expect(written(/into "email_outbox"/) / 3_000).toBeCloseTo(5, 1);
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

test("an import is stopped after one chunk has failed ten times, and says why", async () => {
  const { d1 } = meteredD1((sql) => {
    if (/^insert into "waitlist_emails"/.test(sql)) throw new Error("D1_ERROR: string or blob too big");
  });
  const imports = importHarness();
  const { id } = await imports.check(peopleCsv(1_500));
  await imports.confirm(id);
  await imports.run(5);
  const failing = importHarness(d1);
  for (let nth = 1; nth <= 9; nth += 1) await expect(failing.run()).rejects.toThrow("too big");
  expect(await rows("imports")).toMatchObject([{ state: "running", failures: 9, stop_reason: null }]);
  expect(await rows("import_chunks")).toHaveLength(1);
  await expect(failing.run()).rejects.toThrow("too big");
  expect(await rows("imports")).toMatchObject([{ state: "stopped", stop_reason: "failures", finished_at: NOW }]);
  expect(await rows("import_chunks")).toEqual([]);
  expect(log.join()).toContain('"event":"import-stopped"');
  expect(await failing.run()).toBe(1);
});

test("failures of a chunk that succeeds in the end are forgotten", async () => {
  const imports = importHarness();
  const { id } = await imports.check(peopleCsv(1_500));
  await imports.confirm(id);
  await env.DB.exec("UPDATE imports SET failures = 9");
  await imports.run(5);
  expect(await rows("imports")).toMatchObject([{ state: "running", position: 1, failures: 0 }]);
});

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
  await imports.run(5);
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
  const day = 24 * 3_600_000;
  expect(await deleteOldImports(imports.db, NOW + day)).toBe(0);
  expect(await deleteOldImports(imports.db, NOW + day + 1)).toBe(1);
  expect(await rows("imports")).toMatchObject([{ state: "running" }]);
  expect(await rows("import_chunks")).toHaveLength(1);
  await imports.run();
  expect(await deleteOldImports(imports.db, NOW + 760 * day)).toBe(1);
  expect(await findEntry(imports.db, 1)).not.toBeNull();
});
