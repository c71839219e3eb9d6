import { env } from "cloudflare:test";
import fc from "fast-check";
import { expect, test } from "vitest";
import { LEASE } from "#app/email/limits.ts";
import { claimDue } from "#app/email/outbox.server.ts";
import { repeatEmail, requeueDead, requeueWelcome } from "#app/email/requeue.server.ts";
import type { DeliveryDeps } from "#app/email/sender.server.ts";
import { confirmEntry, enqueueReminders } from "#app/waitlist/confirmation/confirmation.server.ts";
import { correctEntry } from "#app/waitlist/entries/correct-entry.server.ts";
import { enqueueDataLink, findEntry, rejoinEntry, unsubscribeEntry } from "#app/waitlist/entries/entries.server.ts";
import { addEntry } from "#app/waitlist/sign-up/add-entry.server.ts";
import { emailContext, emailRecorder, sendAll } from "#tests/support/pool/emails.ts";
import { fuzzCases, fuzzSeed } from "#tests/support/pool/fuzz.ts";
import { db, freshDatabaseForEachTest, rows } from "#tests/support/pool/start.ts";

freshDatabaseForEachTest();
const seed = fuzzSeed();

const DAY = 24 * 3_600_000;

const RUNS = fuzzCases(1_000);

const actions = [
  ...(["correct", "correct", "sweep", "failing sweep", "crash", "wait"] as const),
  ...(["confirm", "unsubscribe", "rejoin", "remind", "link", "resend", "ask again", "try again"] as const),
];

/** Whatever waits, has failed, is under way or is asked for again. */
test(`${RUNS} histories: no email goes to an address that an owner has replaced`, { timeout: 300_000 }, async () => {
  const clock = { now: Date.UTC(2026, 10, 21) };
  let people = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...actions), { maxLength: 12 }),
      fc.boolean(),
      async (steps, mustConfirm) => {
        people += 1;
        await live(clock, people, steps, mustConfirm);
      },
    ),
    { seed, numRuns: RUNS },
  );
});

async function live(clock: { now: number }, person: number, steps: (typeof actions)[number][], mustConfirm: boolean) {
  for (const table of ["waitlist_emails", "suppressions"]) await env.DB.exec(`DELETE FROM ${table}`);
  let fails = false;
  const { mailer, recorded } = emailRecorder(async () => {
    if (fails) throw new Error("sending failed");
  });
  const now = () => clock.now;
  const deps: DeliveryDeps = { db, mailer, emailsPerHour: 1_000_000, turnstile: null, emailContext, now };
  const correcting = { db, hashKey: env.HASH_KEY, disposableDomains: { has: async () => false }, mustConfirm, now };
  let [address, changes] = [`ada${person}@example.com`, 0];
  await addEntry(db, { email: address, source: "landing_page", columns: {}, now: now(), mustConfirm });
  const [{ id } = { id: 0 }] = await rows<{ id: number }>("waitlist_emails");
  const correct = async () => {
    const entry = await findEntry(db, id);
    const email = `ada${person}.${changes}@example.com`;
    if (entry === null || (await correctEntry(correcting, entry, { email, answers: {} })).kind !== "changed") return;
    [address, changes] = [email, changes + 1];
  };
  const perform: Record<(typeof actions)[number], () => Promise<unknown>> = {
    correct,
    sweep: () => sendAll(deps),
    "failing sweep": async () => {
      fails = true;
      await sendAll(deps);
      fails = false;
    },
    crash: () => claimDue(db, { now: now(), limit: 1, perHour: 1_000_000, owners: [] }),
    wait: async () => {
      clock.now += 3 * DAY;
    },
    confirm: async () =>
      confirmEntry(db, id, now(), { addressChangedAt: (await findEntry(db, id))?.address_changed_at ?? null }),
    unsubscribe: () => unsubscribeEntry(db, id, now()),
    rejoin: () => rejoinEntry(db, id, now()),
    remind: () => enqueueReminders(db, now()),
    link: () => enqueueDataLink(db, id, now()),
    resend: () => requeueWelcome(db, id, now()),
    "ask again": () => repeatEmail(db, id, { kind: "confirm" }, now()),
    "try again": () => requeueDead(db, now()),
  };
  const wrong: string[] = [];
  for (const step of [...steps, "wait", "sweep"] as const) {
    clock.now += LEASE + 1;
    const before = recorded.length;
    await perform[step]();
    for (const { to, kind } of recorded.slice(before)) if (to !== address) wrong.push(`${kind} to ${to} after ${step}`);
  }
  expect(wrong).toEqual([]);
}
