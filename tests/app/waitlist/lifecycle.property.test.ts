import { env } from "cloudflare:test";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type DeliveryDeps, sendWelcome, sweepOutbox } from "#app/email/deliver.server.ts";
import { claimDue, LEASE } from "#app/email/outbox.server.ts";
import { openDb } from "#app/server/db/client.server.ts";
import { maxSubrequests } from "#app/server/plan-limits.ts";
import { addEntry, eraseEntry, rejoinEntry, unsubscribeEntry } from "#app/waitlist/entries.server.ts";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/database.ts";
import { emailRecorder } from "#tests/support/pool/email-recorder.ts";
import { fuzzCases, fuzzSeed } from "#tests/support/pool/fuzz.ts";
import { captureLog } from "#tests/support/pool/log.ts";

freshDatabaseForEachTest();
const seed = fuzzSeed();
captureLog();

const RUNS = fuzzCases(200);
const HALF_DAY = 12 * 3_600_000;

/** `crash` is a sender that claims an email and is killed. */
const actions = ["sign up", "request welcome", "unsubscribe", "rejoin", "erase", "sweep", "crash"] as const;

interface Action {
  name: (typeof actions)[number];
  /** Index of the person. */
  person: number;
}

/** Concurrent actions, and the pause after them (milliseconds). */
interface Round {
  actions: Action[];
  pause: number;
}

/** Weighted towards one person and the actions that race. */
const anyAction = fc.record({
  name: fc.oneof(fc.constantFrom(...actions), {
    weight: 2,
    arbitrary: fc.constantFrom("request welcome", "sweep", "unsubscribe", "rejoin"),
  }),
  person: fc.constantFrom(0, 0, 0, 1),
});
const anyRound: fc.Arbitrary<Round> = fc.record({
  actions: fc.array(anyAction, { minLength: 1, maxLength: 5 }),
  pause: fc.constantFrom(0, 60_000, LEASE, HALF_DAY),
});
const firstRound: Round = { actions: [{ name: "sign up", person: 0 }], pause: 0 };
const anyScenario = fc.record({
  rounds: fc.array(anyRound, { minLength: 2, maxLength: 8 }).map((rounds) => [firstRound, ...rounds]),
  failures: fc.infiniteStream(fc.boolean()),
});

type Entry = { id: number; email: string; status: "active" | "unsubscribed" };

test(`${RUNS} scenarios of concurrent actions: every queued email is sent once, and none that no longer fits`, {
  timeout: 120_000,
}, async () => {
  const clock = { now: Date.UTC(2026, 10, 21) };
  let scenarios = 0;
  await fc.assert(
    fc.asyncProperty(anyScenario, async ({ rounds, failures }) => {
      scenarios += 1;
      await run(scenarios, clock, rounds, failures);
    }),
    { seed, numRuns: RUNS },
  );
});

async function run(scenario: number, clock: { now: number }, rounds: Round[], failures: fc.Stream<boolean>) {
  const db = openDb(env.DB);
  await env.DB.exec("DELETE FROM waitlist_emails");
  await env.DB.exec("DELETE FROM erased_totals");
  const emails = [`ada${scenario}@example.com`, `grace${scenario}@example.com`];
  let before = new Map<number, Entry>();
  let current: Action[] = [];
  let failuresEnabled = true;
  const wrong: string[] = [];
  const { mailer, recorded } = emailRecorder(async ({ kind, entryId }) => {
    // A concurrent action may come too late for an email that is being sent; an earlier one may not.
    const entry = before.get(entryId);
    const wanted = kind === "welcome" ? "active" : "unsubscribed";
    const hasJustChanged = entry === undefined ? did("sign up") : did(kind === "welcome" ? "rejoin" : "unsubscribe");
    if (entry?.status !== wanted && !hasJustChanged) wrong.push(`${kind} to ${entry?.status ?? "no entry"}`);
    await env.DB.prepare("SELECT 1").run();
    if (failuresEnabled && failures.next().value) throw new Error("sending failed");
  });
  const did = (name: Action["name"]) => current.some((action) => action.name === name);
  const deps: DeliveryDeps = {
    db,
    mailer,
    emailsPerHour: 1_000_000,
    maxSubrequests: maxSubrequests.paid,
    emailContext: {
      siteUrl: env.SITE_URL,
      replyTo: env.CONTACT_EMAIL,
      linkSecret: env.LINK_SECRET,
      hashKey: env.HASH_KEY,
      ownerEmail: null,
      ownerTimeZone: "UTC",
    },
    now: () => clock.now,
  };

  const lastIds = new Map<string, number>();
  async function readEntries(): Promise<Map<number, Entry>> {
    const entries = await rows<Entry>("waitlist_emails");
    for (const { email, id } of entries) lastIds.set(email, id);
    return new Map(entries.map((entry) => [entry.id, entry]));
  }
  let joined = 0;
  async function signUp(email: string) {
    const added = await addEntry(db, { email, source: "landing_page", columns: {}, now: clock.now });
    if (added.kind === "new") joined += 1;
  }
  function act({ name, person }: Action): Promise<unknown> {
    const email = emails[person] ?? "";
    // The link of the latest email, even if its entry was erased.
    const id = lastIds.get(email) ?? 0;
    switch (name) {
      case "sign up":
        return signUp(email);
      case "request welcome":
        return sendWelcome(deps, email);
      case "unsubscribe":
        return unsubscribeEntry(db, id, clock.now);
      case "rejoin":
        return rejoinEntry(db, id, clock.now);
      case "erase":
        return eraseEntry(db, id, clock.now);
      case "sweep":
        return sweepOutbox(deps);
      case "crash":
        return claimDue(db, {
          now: clock.now,
          limit: 1,
          perHour: 1_000_000,
          hasOwner: false,
          only: { address: email },
        });
    }
  }

  for (const round of rounds) {
    before = await readEntries();
    current = round.actions;
    await Promise.all(round.actions.map(act));
    const after = await readEntries();
    for (const { id, status } of before.values()) {
      const later = after.get(id)?.status ?? "erased";
      if (later === "erased") expect(did("erase")).toBe(true);
      else if (later !== status) expect(did(status === "active" ? "unsubscribe" : "rejoin")).toBe(true);
    }
    clock.now += round.pause;
  }

  // From here nothing fails, and everything is due.
  failuresEnabled = false;
  current = [];
  clock.now += 2 * HALF_DAY;
  before = await readEntries();
  await sweepOutbox(deps);
  expect(wrong).toEqual([]);
  const welcomed = (id: number) =>
    recorded.filter((email) => email.kind === "welcome" && email.entryId === id && email.accepted);
  for (const { id, status } of before.values()) {
    if (status === "active") expect(welcomed(id)).toHaveLength(1);
    else expect(welcomed(id).length).toBeLessThanOrEqual(1);
  }
  const queued = await rows<{ entry_id: number; sent_at: number | null; dead_at: number | null }>("email_outbox");
  expect(queued.filter(({ dead_at }) => dead_at !== null)).toEqual([]);
  const erased = await rows<{ count: number }>("erased_totals");
  expect(before.size + erased.reduce((sum, { count }) => sum + count, 0)).toBe(joined);
}
