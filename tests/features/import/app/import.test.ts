import { env } from "cloudflare:test";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { streamExport } from "#app/features/entries/export.server.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { keyedHash } from "#app/server/hashes/address-hash.server.ts";
import { hashMailbox } from "#app/server/hashes/mailbox.server.ts";
import { confirmEntry } from "#app/waitlist/confirmation/confirmation.server.ts";
import { neverEmailEntry, unsubscribeEntry } from "#app/waitlist/entries/entries.server.ts";
import { optionalColumnNames } from "#app/waitlist/entries/entry-columns.server.ts";
import { eraseEntry } from "#app/waitlist/entries/erase-entries.server.ts";
import { addEntry } from "#app/waitlist/sign-up/add-entry.server.ts";
import { newsOnly } from "#app/waitlist/sign-up/consent-wording.ts";
import { importHarness, NOW } from "#tests/features/import/pool/imports.ts";
import { exportDeps } from "#tests/support/pool/exports.ts";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/start.ts";

const log = freshDatabaseForEachTest();

type Row = Record<string, unknown>;

/** Signs up on the site. @returns the entry's id */
async function join(email: string, mustConfirm = false): Promise<number> {
  const { db } = importHarness();
  const now = Date.UTC(2026, 9, 1);
  const hashes = { mailboxHash: await hashMailbox(email, env.HASH_KEY), addressHash: await addressHash(email) };
  const given = { email, source: "landing_page", columns: {}, consentVersion: newsOnly.version };
  const added = await addEntry(db, { ...given, mustConfirm, ...hashes, now });
  if (added.kind !== "new") throw new Error(added.kind);
  return added.id;
}

const noColumns = Object.fromEntries(optionalColumnNames.map((name) => [name, null]));

const addressHash = (email: string) => keyedHash("address:v1", email, env.HASH_KEY);

test("nothing is on the list until it is confirmed; then each column has its value", async () => {
  const imports = importHarness();
  const file = `E-Mail,Name,Joined on,Date of consent,Role,Source,Campaign,Notes
"\u200b\tAda@Example.com\u00a0\ufeff",Ada,05/10/2026,2026-10-06,Host,Autumn Fair,=1+1,'=SUM(A1)
ada+x@mailinator.com,,,,,,,`;
  const { id, report } = await imports.check(file);
  const none = { listed: 0, unsubscribed: 0, bounced: 0, complained: 0, leftOut: 0, ambiguousDates: 0 };
  expect(report).toEqual({ rows: 2, ready: 2, undated: 1, ...none, problems: {}, first: [] });
  await imports.run();
  expect(await rows("waitlist_emails")).toEqual([]);

  expect(await imports.confirm(id)).toBe(true);
  await imports.run();
  const [ada, other] = await rows("waitlist_emails");
  expect(ada).toEqual({
    ...noColumns,
    id: 1,
    email: "ada@example.com",
    source: "autumn_fair",
    status: "active",
    early_adopter: 1,
    metadata: JSON.stringify({ signup_platform: "import", signup_date: "2026-10-04T23:00:00.000Z" }),
    utm_campaign: "=1+1",
    answers: '{"role":"host"}',
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
    bulk_action_id: null,
    reminded_at: null,
    welcomed_at: null,
    invited_at: null,
    address_hash: await addressHash("ada@example.com"),
    mailbox_hash: await hashMailbox("ada@example.com", env.HASH_KEY),
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

  const lines = [...names, "new", "NEW"].map(
    (name) => `${name}@example.com,${name === "listed" ? "unsubscribed" : ""}`,
  );
  const file = ["email,status", ...lines].join("\n");
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
    "4 future-date consent",
    "4 unknown-value status",
    "4 unknown-value consent_version",
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
  // Also answers that no question allows any more.
  const answers = { fairs: "none", gone: "=1+1", role: "both", tent: "gone", town: 'Leeds, "east"' };
  await db.update(waitlistEmails).set({ answers }).where(eq(waitlistEmails.id, 3));
  const before = await rows<Row>("waitlist_emails");
  const exported = await new Response(streamExport(exportDeps(db), {}, "csv")).text();

  await env.DB.exec("DELETE FROM waitlist_emails");
  // To another site, where no one has left.
  await env.DB.exec("DELETE FROM erased_addresses");
  const { report } = await imports.import(exported, { consentDate: null, note: "Restored" });
  expect(report).toMatchObject({ ready: 5, leftOut: 0 });
  const after = await rows<Row>("waitlist_emails");
  // An entry's number is never used again.
  const kept = ({ id: _, import_id: __, metadata: ___, confirm_by, ...columnsOf }: Row) => ({
    ...columnsOf,
    answers: JSON.parse(String(columnsOf["answers"] ?? null)),
    // Only those who are still to confirm have a date until which they must.
    confirm_by: columnsOf["confirmed_at"] === null ? confirm_by : null,
  });
  const byEmail = (a: Row, b: Row) => (String(a["email"]) < String(b["email"]) ? -1 : 1);
  expect(after.map(kept).toSorted(byEmail)).toEqual(before.map(kept).toSorted(byEmail));
  // What is exported then is the same, number aside.
  const withoutIds = (text: string) => text.replaceAll(/^"\d+",/gm, "");
  expect(withoutIds(await new Response(streamExport(exportDeps(db), {}, "csv")).text())).toBe(withoutIds(exported));
});
