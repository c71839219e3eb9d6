import { env } from "cloudflare:test";
import fc from "fast-check";
import { expect, test } from "vitest";
import { sweepOutbox } from "#app/email/deliver.server.ts";
import { claimDue, LEASE } from "#app/email/outbox.server.ts";
import { applyProviderEvent, type ProviderEvent } from "#app/email/provider-events.server.ts";
import { keyedHash } from "#app/server/address-hash.server.ts";
import { findSuppressed } from "#app/server/db/suppressions.server.ts";
import { eraseEntry, neverEmailEntry, rejoinEntry, unsubscribeEntry } from "#app/waitlist/entries.server.ts";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/database.ts";
import { fuzzCases, fuzzSeed } from "#tests/support/pool/fuzz.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { outboxHarness } from "#tests/support/pool/outbox-harness.ts";

freshDatabaseForEachTest();
const seed = fuzzSeed();
captureLog();

const RUNS = fuzzCases(200);
const DAY = 24 * 3_600_000;
const WEEK = 7 * DAY;

/** `repeat` delivers a random earlier event again; `crash` is a sender that claims an email and is killed. */
const anyAction = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("sign up", "sweep") },
  fc.constantFrom("leave", "rejoin", "never", "erase", "crash", "repeat"),
  fc.constantFrom("hard-bounce", "soft-bounce", "complaint", "failed"),
);
const anyStep = fc.record({
  action: anyAction,
  pick: fc.nat(999),
  pause: fc.constantFrom(0, 1, LEASE, DAY, WEEK - 1, WEEK),
});

test(`${RUNS} scenarios: blocked addresses get nothing, only the person lifts a complaint, one rejoin email per departure`, {
  timeout: 120_000,
}, async () => {
  let scenario = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 3, maxLength: 25 }), async (steps) => {
      scenario += 1;
      await run(scenario, steps);
    }),
    { seed, numRuns: RUNS },
  );
});

type Step = typeof anyStep extends fc.Arbitrary<infer Value> ? Value : never;

async function run(scenario: number, steps: Step[]) {
  const address = `ada${scenario}@example.com`;
  const hash = await keyedHash("address:v1", address, env.HASH_KEY);
  const outbox = outboxHarness();
  const { db, clock, deps } = outbox;
  await env.DB.exec("DELETE FROM waitlist_emails");
  let id = 0;
  /** What the person and the provider said last, kept apart from the code under test. */
  const model = { forGood: false, bouncedUntil: 0, asked: 0 };
  const events: ProviderEvent[] = [];
  const applied = new Set<string>();
  const accepted: string[] = [];
  const wrong: string[] = [];
  deps.mailer = {
    keyLifetime: 0,
    async send({ to, subject }, emailId) {
      if (to !== address) return { state: "sent" };
      if (model.forGood) wrong.push(`${subject} after a complaint`);
      if (clock.now < model.bouncedUntil) wrong.push(`${subject} after a bounce`);
      if (subject.includes("back on") && ++model.asked > 1) wrong.push("asked twice to rejoin");
      accepted.push(emailId);
      return { state: "sent" };
    },
  };

  async function deliver(event: ProviderEvent) {
    await applyProviderEvent(deps, event);
    if (applied.has(event.id)) return;
    applied.add(event.id);
    if (event.kind === "complaint") {
      model.forGood = true;
      const [entry] = await rows<{ status: string }>("waitlist_emails");
      expect(entry?.status).not.toBe("active");
    }
    if (event.kind === "hard-bounce") model.bouncedUntil = Math.max(model.bouncedUntil, clock.now + WEEK);
  }

  async function act({ action, pick }: Step) {
    const now = clock.now;
    switch (action) {
      case "sign up": {
        const added = await outbox.join(address);
        if (added.kind === "new") id = added.id;
        if (added.kind === "new") model.asked = 0;
        return;
      }
      case "sweep":
        return void (await sweepOutbox(deps));
      case "crash":
        return void (await claimDue(db, { now, limit: 1, perHour: 500, hasOwner: false }));
      case "leave":
        if (await unsubscribeEntry(db, id, now)) model.asked = 0;
        return;
      case "erase":
        return void (await eraseEntry(db, id, now));
      case "never":
        await neverEmailEntry(db, id, hash, now);
        model.forGood = true;
        return;
      case "rejoin":
        await rejoinEntry(db, id, now, hash);
        model.forGood = false;
        return;
      case "repeat": {
        const event = events[pick % Math.max(events.length, 1)];
        return event === undefined ? undefined : deliver(event);
      }
      default: {
        const emailId = accepted[pick % Math.max(accepted.length, 1)];
        if (emailId === undefined) return;
        const event = { id: crypto.randomUUID(), kind: action, emailId, recipient: address } as ProviderEvent;
        events.push(event);
        return deliver(event);
      }
    }
  }

  for (const step of steps) {
    await act(step);
    const suppressed = (await findSuppressed(db, [hash], clock.now)).get(hash);
    expect(suppressed?.until === null).toBe(model.forGood);
    clock.now += step.pause;
  }
  await sweepOutbox(deps);
  expect(wrong).toEqual([]);
  expect((await rows("provider_events")).length).toBeGreaterThanOrEqual(applied.size);
}
