import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { applyProviderEvent } from "#app/email/provider-events.server.ts";
import { suppress } from "#app/server/db/suppressions.server.ts";
import { keyedHash } from "#app/server/hashes/address-hash.server.ts";
import { CONFIRM_PERIOD } from "#app/waitlist/confirmation/confirmation.ts";
import { type Correction, correctEntry } from "#app/waitlist/entries/correct-entry.server.ts";
import {
  type Entry,
  findEntry,
  noteOnEntry,
  setAnswers,
  unsubscribeEntry,
} from "#app/waitlist/entries/entries.server.ts";
import { eraseOwnEntry } from "#app/waitlist/entries/erase-entries.server.ts";
import { changeOwnEntry, readOwnEntry } from "#app/waitlist/my-data/own-entry.server.ts";
import { signDataToken } from "#app/waitlist/my-data/token.server.ts";
import { confirmationHarness } from "#tests/support/pool/emails.ts";
import { db, freshDatabaseForEachTest, rows } from "#tests/support/pool/start.ts";

freshDatabaseForEachTest();

const OLD = "ada@exmaple.com";
const NEW = "ada@example.com";
const MINUTE = 60_000;

const hashOf = (email: string) => keyedHash("address:v1", email, env.HASH_KEY);

/** A site and the entry of Ada, who mistyped her address. */
async function mistyped({ mustConfirm = false } = {}) {
  const site = confirmationHarness({ mustConfirm });
  await site.join(OLD);
  const read = async () => (await findEntry(db, 1)) as Entry;
  const correct = async (correction: Partial<Correction> = {}, entry?: Entry) => {
    const disposableDomains = { has: async () => false };
    const deps = { db, hashKey: env.HASH_KEY, disposableDomains, mustConfirm, now: site.now };
    return correctEntry(deps, entry ?? (await read()), { email: NEW, answers: {}, ...correction });
  };
  return { ...site, read, correct };
}

describe("a corrected address", () => {
  test("keeps the entry with its consent, note and answers, and is known by its own hashes", async () => {
    const { read, correct, outbox } = await mistyped();
    await noteOnEntry(db, 1, "Two stalls", outbox.clock.now);
    outbox.clock.now += MINUTE;
    const before = await read();
    expect(await correct({ answers: { role: "host" } })).toMatchObject({ kind: "changed", confirmId: null });
    const after = await read();
    const now = outbox.clock.now;
    expect(after).toEqual({
      ...before,
      email: NEW,
      answers: { role: "host" },
      address_hash: await hashOf(NEW),
      mailbox_hash: after.mailbox_hash,
      address_changed_at: now,
      changed_at: now,
    });
    expect(after.mailbox_hash).not.toBe(before.mailbox_hash);
  });

  test("gets the emails that waited, as new ones; what failed at the old one goes", async () => {
    const { correct, outbox, emails } = await mistyped();
    const [{ id } = { id: "" }] = await rows<{ id: string }>("email_outbox");
    outbox.clock.now += MINUTE;
    await correct();
    await outbox.sweep();
    expect(outbox.accepted).toEqual([NEW]);
    const [sent] = await rows<{ id: string; created_at: number }>("email_outbox");
    expect(sent?.id).not.toBe(id);
    expect(sent?.created_at).toBe(outbox.clock.now);
    await db.run("UPDATE email_outbox SET done_at = NULL, dead_at = 1, reason = 'address-refused'");
    await correct({ email: "ada@example.org" });
    expect(await emails()).toEqual([]);
  });

  test("has to be confirmed where addresses are, and only by a link that went to it", async () => {
    const { read, correct, confirm, outbox, emails } = await mistyped({ mustConfirm: true });
    await outbox.sweep();
    await confirm();
    await outbox.sweep();
    expect(await emails()).toEqual(["+confirm", "+welcome"]);
    // As after 90 days.
    await db.run("UPDATE waitlist_emails SET welcomed_at = 1");
    await db.run("DELETE FROM email_outbox WHERE kind = 'welcome'");
    outbox.clock.now += MINUTE;
    const corrected = await correct();
    expect(await read()).toMatchObject({ confirmed_at: null, confirm_by: outbox.clock.now + CONFIRM_PERIOD });
    await outbox.sweep();
    expect(outbox.accepted).toEqual([OLD, OLD, NEW]);
    expect(await rows("email_outbox")).toMatchObject([{ kind: "confirm" }]);
    expect(corrected).toMatchObject({ confirmId: (await rows<{ id: string }>("email_outbox"))[0]?.id });
    expect(await confirm()).toBeNull();
    const text = outbox.sent.at(-1)?.text ?? "";
    expect(text).toContain(`/confirm/1-${outbox.clock.now.toString(36)}.`);
    expect(await confirm(1, outbox.clock.now)).toBe(NEW);
    await outbox.sweep();
    expect(outbox.accepted, "no second welcome").toHaveLength(3);
  });

  test("has to be confirmed if the old one was still to be, also once the site asks no one any more", async () => {
    const { outbox, correct, read } = await mistyped({ mustConfirm: true });
    const entry = await read();
    await db.run("UPDATE waitlist_emails SET confirm_by = 1");
    outbox.clock.now += MINUTE;
    const deps = { db, hashKey: env.HASH_KEY, disposableDomains: { has: async () => false }, mustConfirm: false };
    const correction = { email: NEW, answers: {} };
    expect(await correctEntry({ ...deps, now: () => outbox.clock.now }, entry, correction)).toMatchObject({
      confirmId: expect.any(String),
    });
    expect(await correct({ email: OLD })).toMatchObject({ confirmId: expect.any(String) });
  });

  test("shows nothing to links that were emailed to the old one, which can ask for a new link", async () => {
    const { outbox, correct, read } = await mistyped();
    const own = { linkSecrets: [env.LINK_SECRET], hashKey: env.HASH_KEY, mustConfirm: false, entryHooks: {} };
    const deps = { db, ...own, now: () => outbox.clock.now };
    const link = await signDataToken(1, outbox.clock.now, env.LINK_SECRET);
    expect(await readOwnEntry(deps, link)).toMatchObject({ kind: "found" });
    outbox.clock.now += MINUTE;
    await correct();
    expect(await readOwnEntry(deps, link)).toEqual({ kind: "expired" });
    expect(await changeOwnEntry(deps, link, "erase")).toEqual({ kind: "expired" });
    expect(await read()).toMatchObject({ email: NEW });
    const later = await signDataToken(1, outbox.clock.now, env.LINK_SECRET);
    expect(await readOwnEntry(deps, later)).toMatchObject({ kind: "found" });
  });

  test.each(["hard-bounce", "complaint"] as const)("does not suffer from a %s at the old one", async (kind) => {
    const { outbox, correct, read } = await mistyped();
    await outbox.sweep();
    const [{ id: emailId } = { id: "" }] = await rows<{ id: string }>("email_outbox");
    outbox.clock.now += MINUTE;
    await correct();
    await applyProviderEvent(outbox.deps, { id: "event", kind, about: { emailId }, recipient: OLD });
    expect(await read()).toMatchObject({ status: "active" });
    expect(await rows("suppressions")).toMatchObject([{ address_hash: await hashOf(OLD) }]);
  });
});

/** What is known of the new address, and what the page says of it. */
const taken: [name: string, prepare: (site: Awaited<ReturnType<typeof mistyped>>) => Promise<unknown>, object][] = [
  ["is on the list", ({ join }) => join(NEW), { kind: "taken", id: 2, status: "active" }],
  [
    "has unsubscribed",
    async ({ join, now }) => {
      await join(NEW);
      await unsubscribeEntry(db, 2, now());
    },
    { kind: "taken", id: 2, status: "unsubscribed" },
  ],
  [
    "gets no email",
    async ({ now }) => suppress(db, { hashes: [await hashOf(NEW)], reason: "blocked", until: null }, now()),
    { kind: "suppressed", suppression: { reason: "blocked", until: null } },
  ],
  [
    "erased its person's entry",
    async ({ join, now }) => {
      await join(NEW);
      await eraseOwnEntry(db, 2, await hashOf(NEW), now());
    },
    { kind: "erased" },
  ],
];

test.each(taken)("an address that %s is refused, and nothing changes", async (_, prepare, refusal) => {
  const site = await mistyped();
  await prepare(site);
  const before = [await rows("waitlist_emails"), await rows("email_outbox")];
  expect(await site.correct({ answers: { role: "host" } })).toEqual(refusal);
  expect([await rows("waitlist_emails"), await rows("email_outbox")]).toEqual(before);
});

const byWish = (reason: "complaint" | "never") => async (site: Awaited<ReturnType<typeof mistyped>>) =>
  suppress(db, { hashes: [await hashOf(OLD)], reason, until: null }, site.now());

/** The state of the entry, and what becomes of a new address and of an answer. */
const states: [name: string, prepare: (site: Awaited<ReturnType<typeof mistyped>>) => Promise<unknown>, string][] = [
  ["active", async () => {}, "changed"],
  ["unconfirmed", async () => db.run("UPDATE waitlist_emails SET confirm_by = 1"), "changed"],
  ["unsubscribed", ({ now }) => unsubscribeEntry(db, 1, now()), "unsubscribed"],
  ["unsubscribed by an owner", ({ now }) => unsubscribeEntry(db, 1, now(), "owner"), "unsubscribed"],
  [
    "suppressed after a bounce",
    async ({ now }) => suppress(db, { hashes: [await hashOf(OLD)], reason: "hard-bounce", until: now() + 1 }, now()),
    "changed",
  ],
  ["suppressed after a complaint", byWish("complaint"), "wants-none"],
  ["suppressed for good by its person", byWish("never"), "wants-none"],
];

test.each(states)("%s: a new address, and an answer", async (_, prepare, kind) => {
  const site = await mistyped();
  await prepare(site);
  expect((await site.correct()).kind).toBe(kind);
  const { email } = await site.read();
  expect(email).toBe(kind === "changed" ? NEW : OLD);
  expect((await site.correct({ email, answers: { role: "host" } })).kind).toBe("changed");
  expect((await site.correct({ email, answers: { role: "host" } })).kind).toBe("unchanged");
  expect((await site.read()).answers).toEqual({ role: "host" });
});

test("what was changed since the entry was read is not replaced", async () => {
  const { outbox, read, correct } = await mistyped();
  const early = await read();
  outbox.clock.now += MINUTE;
  await correct();
  outbox.clock.now += MINUTE;
  expect(await correct({ email: "ada@example.org" }, early)).toEqual({ kind: "outdated" });
  expect(await correct({ email: early.email, answers: { role: "host" } }, early)).toEqual({ kind: "outdated" });
  expect(await read()).toMatchObject({ email: NEW, answers: null });
  const later = await read();
  outbox.clock.now += MINUTE;
  await setAnswers(db, 1, { role: "stallholder" }, outbox.clock.now);
  expect(await correct({ email: later.email, answers: { role: "host" } }, later)).toEqual({ kind: "outdated" });
});
