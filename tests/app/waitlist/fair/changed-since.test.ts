import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { keyedHash } from "#app/server/address-hash.server.ts";
import { openDb } from "#app/server/db/client.server.ts";
import { unsubscribeEntry } from "#app/waitlist/entries.server.ts";
import { eraseOwnEntry } from "#app/waitlist/erase-entries.server.ts";
import { addDue } from "#app/waitlist/fair/add-due.server.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/database.ts";
import { armedDevice, decided, inbox } from "#tests/support/pool/fair.ts";
import { join } from "#tests/support/pool/join.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { needs } from "#tests/support/pool/needs.ts";
import { scheduledApp } from "#tests/support/pool/scheduled-app.ts";

/* What people have done between their sign-up on a tablet and its arrival, which may be a day later. */

needs("fair");
freshStorageForEachTest();
captureLog();

const ARMED = Date.UTC(2026, 10, 26, 9);
const HOUR = 3_600_000;
const TYPED = ARMED + HOUR;
const db = openDb(env.DB);

/** Someone typed their address at {@link TYPED}; it arrives at a time, and is added. */
async function arrive(now: number, vars = {}): Promise<void> {
  const tablet = await armedDevice({ now: ARMED, days: 3 });
  await tablet.store("ada@example.com", { at: TYPED, now });
  await addDue(scheduledApp(now, { vars }), "paid", { subrequests: 900, until: now + HOUR });
  expect(await inbox()).toEqual([]);
}

async function eraseOwn(id: number, now: number): Promise<void> {
  await eraseOwnEntry(db, id, await keyedHash("address:v1", "ada@example.com", env.HASH_KEY), now);
}

const emails = async () => (await rows("email_outbox")).map(({ kind }) => kind);

test("who unsubscribed since is not asked to come back", async () => {
  const id = await join("ada@example.com", { now: ARMED });
  await unsubscribeEntry(db, id, TYPED + HOUR);
  await arrive(TYPED + 2 * HOUR);
  expect(await rows("waitlist_emails")).toMatchObject([{ status: "unsubscribed" }]);
  expect(await emails()).not.toContain("rejoin");
  expect(await decided()).toBe(1);
});

test("who has erased their entry since is not added again", async () => {
  await eraseOwn(await join("ada@example.com", { now: ARMED }), TYPED + HOUR);
  await arrive(TYPED + 2 * HOUR);
  expect([await rows("waitlist_emails"), await emails()]).toEqual([[], []]);
  expect(await decided()).toBe(1);
});

test("who erased their entry, joined again and erased it once more since is not added", async () => {
  await eraseOwn(await join("ada@example.com", { now: ARMED }), ARMED + 1);
  await eraseOwn(await join("ada@example.com", { now: TYPED + HOUR }), TYPED + 2 * HOUR);
  await arrive(TYPED + 3 * HOUR);
  expect(await rows("waitlist_emails")).toEqual([]);
});

test("who had erased their entry before is added", async () => {
  await eraseOwn(await join("ada@example.com", { now: ARMED }), TYPED - 1);
  await arrive(TYPED + 2 * HOUR);
  expect(await rows("waitlist_emails")).toMatchObject([{ email: "ada@example.com", created_at: TYPED }]);
});

test("who was asked to confirm since is not asked again, even a day later", async () => {
  const vars = { CONFIRM_ADDRESSES: "on" };
  await join("ada@example.com", { now: TYPED + HOUR, mustConfirm: true });
  await env.DB.exec(`UPDATE email_outbox SET sent_at = ${TYPED + HOUR}`);
  await arrive(TYPED + 30 * HOUR, vars);
  expect(await rows("email_outbox")).toMatchObject([{ kind: "confirm", sent_at: TYPED + HOUR }]);
});

test("who was asked to confirm before is asked again", async () => {
  const vars = { CONFIRM_ADDRESSES: "on" };
  await join("ada@example.com", { now: ARMED, mustConfirm: true });
  await env.DB.exec(`UPDATE email_outbox SET sent_at = ${ARMED}`);
  await arrive(ARMED + 30 * HOUR, vars);
  expect(await rows("email_outbox")).toMatchObject([{ kind: "confirm", sent_at: null }]);
});
