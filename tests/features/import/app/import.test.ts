import { env } from "cloudflare:test";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { streamExport } from "#app/features/entries/export.server.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { keyedHash } from "#app/server/hashes/address-hash.server.ts";
import { hashMailbox } from "#app/server/hashes/mailbox.server.ts";
import { confirmEntry } from "#app/waitlist/confirmation/confirmation.server.ts";
import { rejoinEntry, unsubscribeEntry } from "#app/waitlist/entries/entries.server.ts";
import { addEntry } from "#app/waitlist/sign-up/add-entry.server.ts";
import { newsOnly } from "#app/waitlist/sign-up/consent-wording.ts";
import { importHarness, NOW } from "#tests/features/import/pool/imports.ts";
import { exportDeps } from "#tests/support/pool/exports.ts";
import { db, freshDatabaseForEachTest, rows } from "#tests/support/pool/start.ts";

const log = freshDatabaseForEachTest();

const imports = importHarness();
const addressHash = (email: string) => keyedHash("address:v1", email, env.HASH_KEY);

/** Signs up on the site, which queues an email. @returns the entry's id */
async function join(email: string, mustConfirm = false): Promise<number> {
  const hashes = { mailboxHash: await hashMailbox(email, env.HASH_KEY), addressHash: await addressHash(email) };
  const given = { email, source: "landing_page", columns: {}, consentVersion: newsOnly.version };
  const added = await addEntry(db, { ...given, mustConfirm, ...hashes, now: Date.UTC(2026, 9, 1) });
  if (added.kind !== "new") throw new Error(added.kind);
  return added.id;
}

test("nothing is on the list until it is confirmed; then each column has its value", async () => {
  const file = `E-Mail,Name,Joined on,Date of consent,Tags,Source,Campaign,Notes
"\u200b\tAda@Example.com\u00a0\ufeff",Ada,05/10/2026,2026-10-06,"fair, role: Host",Autumn Fair,=1+1,"'=SUM(A1)\r\n2\u0007"
ada+x@mailinator.com,,,,,,,`;
  const { id, report } = await imports.check(file);
  expect(report).toMatchObject({ rows: 2, people: 2, active: 2, undated: 1, unchanged: 0, leftOut: 0, first: [] });
  await imports.run();
  expect(await rows("waitlist_emails")).toEqual([]);
  expect([await imports.confirm(id), await imports.confirm(id)]).toEqual([true, false]);
  await imports.run();
  const metadata = JSON.stringify({ signup_platform: "import", signup_date: "2026-10-04T23:00:00.000Z" });
  // The owner is in London, where summer time was in force.
  const times = { created_at: Date.UTC(2026, 9, 4, 23), consent_at: Date.UTC(2026, 9, 5, 23), confirm_by: null };
  const texts = { source: "autumn_fair", utm_campaign: "=1+1", utm_term: null, answers: '{"role":"host"}' };
  const notes = { consent_version: null, consent_note: "Paper list at the fair", owner_note: "=SUM(A1)\n2" };
  const hashes = [await addressHash("ada@example.com"), await hashMailbox("ada@example.com", env.HASH_KEY)];
  const ada = { address_hash: hashes[0], mailbox_hash: hashes[1], verified: 0, disposable: 0, early_adopter: 1 };
  expect(await rows("waitlist_emails")).toMatchObject([
    { email: "ada@example.com", status: "active", import_id: id, metadata, ...times, ...texts, ...notes, ...ada },
    { source: "import", created_at: NOW, consent_at: Date.UTC(2026, 9, 4, 23), disposable: 1 },
  ]);
  expect(await rows("imports")).toMatchObject([{ state: "done", added: 2, position: 1, finished_at: NOW }]);
  expect([await rows("import_chunks"), await rows("email_outbox")]).toEqual([[], []]);
  expect(log.join()).not.toContain("@");
});

test.each([true, false])(
  "active entries that the file marks as opted out are unsubscribed: %s; all others stay",
  async (unsubscribe) => {
    const names = ["listed", "left", "gone", "back"];
    const [, left = 0, gone = 0, back = 0] = await Promise.all(names.map((name) => join(`${name}@example.com`)));
    await unsubscribeEntry(db, gone, NOW);
    const [listed = {}, , unsubscribed = {}] = await rows("waitlist_emails");
    const lines = [...names, "new"].map(
      (name) => `${name}@example.com,${/left|back/.test(name) ? "opted out" : "active"}`,
    );
    // The second time, no one is unsubscribed.
    for (const [now, isFirst] of [
      [NOW + 3, true],
      [NOW + 5, false],
    ] as const) {
      const settings = { welcome: true, unsubscribe: unsubscribe && isFirst };
      await imports.confirm((await imports.check(["email,status", ...lines].join("\n"), settings)).id);
      await unsubscribeEntry(db, back, NOW + 1);
      await rejoinEntry(db, back, NOW + 2);
      await imports.run(1_000, 1_000, now);
      const reason = {
        unsubscribe_reason: unsubscribe ? "import" : null,
        unsubscribed_at: unsubscribe ? NOW : null,
      };
      const others = [
        { email: "back@example.com", status: "active" },
        { status: "active", import_id: 1 },
      ];
      expect(await rows("waitlist_emails")).toMatchObject([listed, reason, unsubscribed, ...others]);
      const emails = await rows("email_outbox");
      expect(emails.some(({ entry_id }) => entry_id === left)).toBe(!unsubscribe);
      expect(emails.filter(({ priority }) => priority === 4)).toHaveLength(1);
    }
    const counts = (await rows("imports")).map((one) => [one["added"], one["unsubscribed"]]);
    expect(counts).toEqual([
      [1, unsubscribe ? 1 : 0],
      [0, 0],
    ]);
  },
);

test("an export is imported again without loss", async () => {
  await imports.import(`email,joined,consent,consent_note,role,utm_campaign,owner_note
=cmd@example.com,2026-10-01T10:00:00.123Z,2026-10-02T10:00:00Z,"Said ""yes"", twice",both,"@SUM(1+1); x","'=1
second line"
bob@mailinator.com,2026-10-01,2026-10-02,,,,`);
  await unsubscribeEntry(db, await join("left@example.com"), NOW - 1_000, "complaint");
  await join("unconfirmed@example.com", true);
  const confirmed = await join("confirmed@example.com", true);
  await confirmEntry(db, confirmed, NOW - 5_000);
  // Also answers that no question allows any more.
  const answers = { fairs: "none", gone: "=1+1", role: "both", tent: "gone", town: 'Leeds, "east"' };
  const rest = { early_adopter: false, utm_term: "a|b", invited_at: 1_790_000_000_000, answers };
  await db.update(waitlistEmails).set(rest).where(eq(waitlistEmails.id, confirmed));
  // An entry's number is never used again, and only who is still to confirm has a date until which they must.
  const people = async () =>
    (await db.select().from(waitlistEmails).orderBy(waitlistEmails.email)).map((entry) => {
      const { id: _, import_id: __, metadata: ___, changed_at: ____, confirm_by, ...columns } = entry;
      return { ...columns, confirm_by: entry.confirmed_at === null ? confirm_by : null };
    });
  const before = await people();
  const exported = await new Response(streamExport(exportDeps(db), {}, "csv")).text();
  // To another site, where no one has left.
  await env.DB.exec("DELETE FROM waitlist_emails; DELETE FROM erased_addresses");
  await imports.import(exported, { consentDate: null, note: "Restored" });
  expect(await people()).toEqual(before);
});
