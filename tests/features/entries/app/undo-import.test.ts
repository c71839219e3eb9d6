import { expect, test } from "vitest";
import { eraseUndoneImport, stopBulkAction } from "#app/features/entries/bulk/bulk-actions.server.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { confirmEntry } from "#app/waitlist/confirmation/confirmation.server.ts";
import {
  enqueueDataLink,
  noteOnEntry,
  rejoinEntry,
  setAnswers,
  unsubscribeEntry,
} from "#app/waitlist/entries/entries.server.ts";
import { finishBulk, startUndo, startUnsubscribing } from "#tests/features/entries/pool/unsubscribe-many.ts";
import { db, execute, freshDatabaseForEachTest, rows } from "#tests/support/pool/start.ts";
import { storeLetter } from "#tests/support/pool/stored-letter.ts";

/* An import is undone: those of its people whom no one has touched since are unsubscribed, and erased after 30 days. */

freshDatabaseForEachTest();

const NOW = Date.UTC(2026, 10, 21, 12);
const MONTH = 30 * 24 * 3_600_000;

/** Adds a person of an import; null for someone who joined by themselves. */
async function add(name: string, import_id: number | null = 3): Promise<number> {
  const metadata = { signup_platform: "import" as const, signup_date: "2026-11-21T12:00:00.000Z" };
  const email = `${name}@example.com`;
  const entry = { email, metadata, created_at: NOW, import_id, address_hash: name };
  const [added] = await db.insert(waitlistEmails).values(entry).returning({ id: waitlistEmails.id });
  return added?.id ?? 0;
}

async function undoImport(): Promise<number> {
  const id = await startUnsubscribing({ imported: 3, untouched: true }, NOW);
  await finishBulk(id, NOW);
  return id;
}

/** What the cron job does at a time. @returns who is left */
async function cron(now: number): Promise<string[]> {
  await eraseUndoneImport(db, now);
  for (const { id } of await rows<{ id: number }>("bulk_actions")) await finishBulk(id, now);
  return left();
}

const people = () => rows<{ email: string; status: string }>("waitlist_emails");
const left = async () => (await people()).map(({ email }) => email.split("@")[0] ?? "");
const erasures = async () => (await rows("bulk_actions")).filter(({ kind }) => kind === "erase").length;
const active = async () =>
  (await people()).flatMap(({ email, status }) => (status === "active" ? email.split("@")[0] : []));

function addRow(table: string, row: Record<string, string | number>): Promise<void> {
  const places = Object.keys(row).map(() => "?");
  return execute(`INSERT INTO ${table} (${Object.keys(row)}) VALUES (${places})`, ...Object.values(row));
}

const touches: [string, (id: number) => Promise<unknown>][] = [
  ["answered", (id) => setAnswers(db, id, { town: "Usk" }, NOW)],
  ["answered, and took it back", (id) => setAnswers(db, id, { town: "Usk" }, NOW).then(() => forget(id))],
  ["has a note", (id) => noteOnEntry(db, id, "Knows Ada.", NOW)],
  [
    "confirmed",
    (id) => execute(`UPDATE waitlist_emails SET confirm_by = ${NOW}`).then(() => confirmEntry(db, id, NOW)),
  ],
  ["rejoined", (id) => unsubscribeEntry(db, id, NOW).then(() => rejoinEntry(db, id, NOW))],
  [
    "has a letter",
    async (id) => addRow("letter_recipients", { letter_id: await storeLetter(), position: 0, entry_id: id }),
  ],
  ["came through a friend", (id) => addRow("referrals", { entry_id: id })],
  ["brought a friend", (id) => addRow("referrals", { entry_id: 4, referrer_id: id })],
  ["brought a friend who is erased", (id) => addRow("referrers", { entry_id: id, counted: 1 })],
  ["asked for a new link", (id) => enqueueDataLink(db, id, NOW)],
];

const forget = (id: number) => setAnswers(db, id, { town: null }, NOW);

const waiting = { kind: "welcome", priority: 4, next_attempt_at: NOW, created_at: NOW };

test.each(touches)("someone who %s stays; those of other imports, and who joined here, too", async (_, touch) => {
  const touched = await add("touched");
  for (const entry_id of [touched, await add("untouched")])
    await addRow("email_outbox", { ...waiting, id: `${entry_id}`, entry_id, dedupe_key: `welcome:${entry_id}` });
  await add("other", 4);
  await add("joined", null);
  await touch(touched);
  await undoImport();
  expect(await active()).toEqual(["touched", "other", "joined"]);
  expect(await rows("email_outbox")).toContainEqual(expect.objectContaining({ entry_id: touched, kind: "welcome" }));
  expect(await rows("email_outbox")).not.toContainEqual(expect.objectContaining({ entry_id: 2 }));
});

test("those who are not put back are erased 30 days after it ended, no minute earlier, and once; nothing of them stays", async () => {
  const [, leaver, returner] = [await add("ada"), await add("leaver"), await add("returner")];
  const undone = await undoImport();
  await unsubscribeEntry(db, leaver, NOW + 1);
  await rejoinEntry(db, returner, NOW + 1);
  expect(await cron(NOW + MONTH - 60_000)).toEqual(["ada", "leaver", "returner"]);
  for (const _ of [1, 2]) expect(await cron(NOW + MONTH)).toEqual(["leaver", "returner"]);
  expect(await rows("bulk_actions")).toMatchObject([{ id: undone }, { kind: "erase", state: "done", affected: 1 }]);
  expect(await rows("erased_addresses")).toEqual([]);
});

test("those who were put back stay", async () => {
  await add("ada");
  await finishBulk(await startUndo(await undoImport(), NOW + MONTH - 1), NOW + MONTH - 1);
  expect(await cron(NOW + MONTH)).toEqual(["ada"]);
  expect([await active(), await erasures()]).toEqual([["ada"], 0]);
});

test("others who were unsubscribed together stay, however long ago; so do people while another change runs", async () => {
  await add("ada");
  for (const selection of [{ imported: 3 }, { imported: true, untouched: true }, { untouched: true }]) {
    await finishBulk(await startUnsubscribing(selection, NOW), NOW);
    await execute("UPDATE waitlist_emails SET status = 'active'");
  }
  expect([await cron(NOW + MONTH), await erasures()]).toEqual([["ada"], 0]);
  await undoImport();
  await add("bob");
  const running = await startUnsubscribing({ imported: 3 }, NOW);
  await eraseUndoneImport(db, NOW + MONTH);
  expect(await erasures()).toBe(0);
  await stopBulkAction(db, running, NOW + MONTH);
  expect(await cron(NOW + MONTH)).toEqual(["bob"]);
});

test.each([
  ["import", ["gone"]],
  ["own-choice", ["gone"]],
  ["owner", []],
] as const)("erasing someone who left by the reason %s remembers %j", async (reason, remembered) => {
  const id = await add("gone");
  await unsubscribeEntry(db, id, NOW, reason);
  await execute("DELETE FROM waitlist_emails");
  const hashes = await rows<{ address_hash: string }>("erased_addresses");
  expect(hashes.map(({ address_hash }) => address_hash)).toEqual(remembered);
});

test("who leaves by themselves after a file has unsubscribed them has left by themselves, and can rejoin", async () => {
  const id = await add("ada");
  await unsubscribeEntry(db, id, NOW, "import");
  expect(await unsubscribeEntry(db, id, NOW + 1)).toBe(true);
  expect(await people()).toMatchObject([{ unsubscribe_reason: "own-choice", unsubscribed_at: NOW + 1 }]);
  expect(await rejoinEntry(db, id, NOW + 2)).toBe(true);
  expect(await people()).toMatchObject([{ status: "active", unsubscribe_reason: null, changed_at: NOW + 2 }]);
});
