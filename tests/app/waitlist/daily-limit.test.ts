import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { openDb } from "#app/server/db/client.server.ts";
import { hashMailbox } from "#app/server/hashes/mailbox.server.ts";
import { enqueueReminders } from "#app/waitlist/confirmation/confirmation.server.ts";
import { unsubscribeEntry } from "#app/waitlist/entries/entries.server.ts";
import { addEntry } from "#app/waitlist/sign-up/add-entry.server.ts";
import { meteredD1 } from "#tests/support/pool/d1.ts";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/start.ts";

freshDatabaseForEachTest();

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const REMIND_AFTER = 3 * DAY;
const NOON = Date.UTC(2026, 10, 21, 12);
const meter = meteredD1();
const db = openDb(meter.d1);

/** Spellings of one Gmail mailbox, none with a tag: the bits of a number say where dots are. */
const spelling = (n: number) =>
  `${[..."adalovelace"].map((letter, place) => ((n >> place) & 1 ? `${letter}.` : letter)).join("")}@gmail.com`;

async function join(email: string, now = NOON) {
  const mailboxHash = await hashMailbox(email, env.HASH_KEY);
  return addEntry(db, { email, source: "landing_page", columns: {}, mailboxHash, now });
}

const emails = async () => (await rows("email_outbox")).map(({ entry_id, kind }) => `${kind} ${entry_id}`);

test("the fourth address of one mailbox within a day is refused until the first email is a day old", async () => {
  for (const n of [1, 2, 3])
    expect(await join(spelling(n), NOON + n * HOUR)).toEqual({
      kind: "new",
      id: n,
      emailId: expect.any(String),
    });
  const inADay = (DAY - 3 * HOUR) / 1000;
  expect(await join(spelling(4), NOON + 4 * HOUR)).toEqual({ kind: "limited", retryAfter: inADay });
  expect(await join(spelling(4), NOON + DAY + HOUR - 1)).toEqual({ kind: "limited", retryAfter: 1 });
  expect(await join(spelling(4), NOON + DAY + HOUR)).toMatchObject({ kind: "new" });
  expect(await join(spelling(5), NOON + DAY + HOUR)).toEqual({ kind: "limited", retryAfter: 3_600 });
  expect(await rows("waitlist_emails")).toHaveLength(4);
});

test("a tagged address is refused after two emails, until the last but one is a day old", async () => {
  for (const n of [1, 2]) expect(await join(`ada+${n}@example.com`, NOON + n * HOUR)).toMatchObject({ kind: "new" });
  const inADay = (DAY - 2 * HOUR) / 1000;
  expect(await join("ada+3@example.com", NOON + 3 * HOUR)).toEqual({ kind: "limited", retryAfter: inADay });
  expect(await join("ada@example.com", NOON + 4 * HOUR)).toMatchObject({ kind: "new" });
  expect(await join("ada+3@example.com", NOON + DAY + HOUR)).toEqual({ kind: "limited", retryAfter: 3_600 });
  expect(await join("ada+3@example.com", NOON + DAY + 2 * HOUR)).toMatchObject({ kind: "new" });
});

test("names at a person's Fastmail domain, and Proton's spellings of one address, share a limit", async () => {
  for (const victim of [
    ["a@ada.fastmail.com", "b@ada.fastmail.com", "ada@fastmail.com", "ada@ada.fastmail.com"],
    ["ada.l@proton.me", "ada-l@pm.me", "adal@protonmail.com", "a.dal@proton.me"],
  ]) {
    const outcomes: string[] = [];
    for (const email of victim) outcomes.push((await join(email)).kind);
    expect(outcomes).toEqual(["new", "new", "new", "limited"]);
  }
});

test("an entry with the mailbox hash of former rules stays, and joins and leaves as before", async () => {
  const former = await hashMailbox("ada.l@example.com", env.HASH_KEY);
  const added = {
    email: "ada.l@proton.me",
    source: "landing_page",
    columns: {},
    mailboxHash: former,
    now: NOON,
  } as const;
  await addEntry(db, added);
  expect(await join("ada.l@proton.me")).toEqual({ kind: "listed" });
  await unsubscribeEntry(db, 1, NOON);
  expect(await join("ada.l@proton.me")).toEqual({ kind: "unsubscribed", id: 1, emailId: expect.any(String) });
  expect(await rows("waitlist_emails")).toMatchObject([{ id: 1, mailbox_hash: former }]);
  expect(await emails()).toContain("rejoin 1");
});

test("a refused sign-up writes no row", async () => {
  for (const n of [1, 2, 3]) await join(spelling(n));
  meter.reset();
  expect(await join(spelling(4))).toMatchObject({ kind: "limited" });
  expect(meter.executed.length).toBeGreaterThan(1);
  expect(meter.rowsWritten()).toBe(0);
});

test("of 50 concurrent sign-ups for one mailbox, three are added", async () => {
  const added = await Promise.all(Array.from({ length: 50 }, (_, n) => join(spelling(n))));
  expect(added.filter(({ kind }) => kind === "new")).toHaveLength(3);
  expect(added.filter(({ kind }) => kind === "limited")).toHaveLength(47);
  expect(await rows("waitlist_emails")).toHaveLength(3);
  expect(await rows("email_outbox")).toHaveLength(3);
});

test("other mailboxes, and other providers' addresses with dots, are not affected", async () => {
  for (const email of ["ada@example.com", "ada+1@example.com", "ada+2@example.com"]) await join(email);
  for (const email of ["a.da@example.com", "ada@example.org", "bob+ada@example.com"]) {
    expect(await join(email)).toMatchObject({ kind: "new" });
  }
});

describe("at the limit", () => {
  test("a listed address gets the usual response", async () => {
    for (const n of [1, 2, 3]) await join(spelling(n));
    expect(await join(spelling(1))).toEqual({ kind: "listed" });
  });

  test("an unsubscribed address is refused like a new one, and is sent no rejoin email until the next day", async () => {
    for (const n of [1, 2, 3]) await join(spelling(n));
    await unsubscribeEntry(db, 1, NOON);
    // Unsubscribing deleted an email that was not sent yet, so there is room for another one.
    await join(spelling(4));
    expect(await emails()).toEqual(["welcome 2", "welcome 3", "welcome 4"]);
    expect(await join(spelling(1))).toEqual({ kind: "limited", retryAfter: DAY / 1000 });
    expect(await join(spelling(5))).toEqual({ kind: "limited", retryAfter: DAY / 1000 });
    expect(await emails()).toEqual(["welcome 2", "welcome 3", "welcome 4"]);
    expect(await join(spelling(1), NOON + DAY)).toEqual({
      kind: "unsubscribed",
      id: 1,
      emailId: expect.any(String),
    });
    expect(await emails()).toContain("rejoin 1");
  });
});

test("a welcome email that was not sent to a suppressed address is not queued again beyond the limit", async () => {
  for (const n of [1, 2, 3]) await join(spelling(n));
  await env.DB.exec("UPDATE email_outbox SET dead_at = created_at, reason = 'address-refused' WHERE entry_id = 1");
  await join(spelling(4));
  expect(await emails()).toEqual(["welcome 1", "welcome 2", "welcome 3"]);
  await join(spelling(1));
  const [first] = await rows("email_outbox");
  expect(first).toMatchObject({ entry_id: 1, reason: "address-refused", dead_at: expect.any(Number) });
});

test("rejoin emails count towards the limit", async () => {
  for (const n of [1, 2]) await join(spelling(n), NOON - 2 * DAY);
  for (const id of [1, 2]) await unsubscribeEntry(db, id, NOON - DAY);
  for (const n of [1, 2])
    expect(await join(spelling(n))).toEqual({ kind: "unsubscribed", id: n, emailId: expect.any(String) });
  expect(await join(spelling(3))).toMatchObject({ kind: "new" });
  expect(await join(spelling(4))).toMatchObject({ kind: "limited" });
});

describe("reminders", () => {
  const sentWithin = (from: number) =>
    rows<{ created_at: number }>("email_outbox").then(
      (all) => all.filter(({ created_at }) => created_at > from).length,
    );

  async function joinUnconfirmed(email: string, now: number, verified: boolean | null = null) {
    const mailboxHash = await hashMailbox(email, env.HASH_KEY);
    await addEntry(db, { email, source: "stall", columns: {}, mailboxHash, verified, now, mustConfirm: true });
    await env.DB.exec("UPDATE email_outbox SET done_at = created_at");
  }

  test("count towards the daily limit, and wait for another day once it is reached", async () => {
    for (const n of [1, 2, 3]) await joinUnconfirmed(spelling(n), NOON);
    const later = NOON + REMIND_AFTER;
    for (const n of [4, 5]) await joinUnconfirmed(spelling(n), later);
    for (let hour = 0; hour < 24; hour += 1) {
      await enqueueReminders(db, later + hour * HOUR);
      expect(await sentWithin(later + hour * HOUR - DAY)).toBeLessThanOrEqual(3);
    }
    for (let hour = 24; hour < 72; hour += 1) await enqueueReminders(db, later + hour * HOUR);
    const reminders = await emails();
    for (const id of [1, 2, 3]) expect(reminders).toContain(`confirm-reminder ${id}`);
  });

  test("have the priority of the confirmation email, so that unverified sign-ups use only their share", async () => {
    await joinUnconfirmed("ada@example.com", NOON, false);
    await joinUnconfirmed("grace@example.com", NOON, true);
    for (const n of [0, 1]) await enqueueReminders(db, NOON + REMIND_AFTER + n * HOUR);
    const queued = await rows<{ kind: string; entry_id: number; priority: number }>("email_outbox");
    expect(queued.filter(({ kind }) => kind === "confirm-reminder")).toMatchObject([
      { entry_id: 1, priority: 3 },
      { entry_id: 2, priority: 1 },
    ]);
  });
});
