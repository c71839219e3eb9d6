import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { keyedHash } from "#app/server/hashes/address-hash.server.ts";
import { unsubscribeEntry } from "#app/waitlist/entries/entries.server.ts";
import { eraseEntry, eraseOwnEntry } from "#app/waitlist/entries/erase-entries.server.ts";
import { addDue, armedDevice, decided, inbox } from "#tests/features/fair/pool/fair.ts";
import { db, execute, freshStorageForEachTest, join, needs, rows } from "#tests/support/pool/start.ts";

/* What people have done between their sign-up on a tablet and its arrival, which may be a day later. */

needs("fair");
freshStorageForEachTest();

const EMAIL = "ada@example.com";
const ARMED = Date.UTC(2026, 10, 26, 9);
const HOUR = 3_600_000;
const TYPED = ARMED + HOUR;
/** Someone typed their address at {@link TYPED}; it arrives at a time, and is added. */
async function arrive(now: number, vars = {}): Promise<void> {
  const tablet = await armedDevice({ now: ARMED, days: 3 });
  await tablet.store(EMAIL, { at: TYPED, now });
  await addDue(now, { vars });
  expect(await inbox()).toEqual([]);
  expect(await decided()).toBe(1);
}

const addressHash = () => keyedHash("address:v1", EMAIL, env.HASH_KEY);
const joined = () => join(EMAIL, { now: ARMED });

/** Leaves at a time, and is erased by an owner later. */
async function leaveAndBeErased(now: number): Promise<void> {
  const id = await joined();
  await execute("UPDATE waitlist_emails SET address_hash = ?", await addressHash());
  await unsubscribeEntry(db, id, now);
  await eraseEntry(db, id, TYPED + HOUR);
}

test.each<[string, () => Promise<unknown>, emails: string[], statuses: string[]]>([
  ["unsubscribed since", async () => unsubscribeEntry(db, await joined(), TYPED + HOUR), [], ["unsubscribed"]],
  ["erased themselves since", async () => eraseOwnEntry(db, await joined(), await addressHash(), TYPED + HOUR), [], []],
  ["left and was erased since", () => leaveAndBeErased(TYPED + 1), [], []],
  [
    "erased themselves before",
    async () => eraseOwnEntry(db, await joined(), await addressHash(), TYPED - 1),
    ["confirm"],
    ["active"],
  ],
  ["left before, and was erased", () => leaveAndBeErased(TYPED - 1), ["confirm"], ["active"]],
])(
  "who %s is added, and sent an email, only if they typed their address after that",
  async (_, change, ...expected) => {
    await change();
    await arrive(TYPED + 2 * HOUR);
    const emails = (await rows("email_outbox")).map(({ kind }) => kind);
    const statuses = (await rows("waitlist_emails")).map(({ status }) => status);
    expect([emails, statuses]).toEqual(expected);
  },
);

test.each([
  ["since is not asked again, even a day later", TYPED + HOUR, TYPED + HOUR],
  ["before is asked again", ARMED, null],
])("who was asked to confirm %s", async (_, askedAt, done_at) => {
  await join(EMAIL, { now: askedAt, mustConfirm: true });
  await env.DB.exec(`UPDATE email_outbox SET done_at = ${askedAt}`);
  await arrive(TYPED + 30 * HOUR, { CONFIRM_ADDRESSES: "on" });
  expect(await rows("email_outbox")).toMatchObject([{ kind: "confirm", done_at }]);
});
