import { env } from "cloudflare:test";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type DeliveryDeps, sendWelcome, sweepOutbox } from "#app/email/deliver.server.ts";
import { claimDue, LEASE } from "#app/email/outbox.server.ts";
import { openDb } from "#app/server/db/client.server.ts";
import type { EmailKind } from "#app/server/db/schema.server.ts";
import { maxSubrequests } from "#app/server/plan-limits.ts";
import { addEntry } from "#app/waitlist/add-entry.server.ts";
import { confirmEntry, enqueueReminders } from "#app/waitlist/confirmation.server.ts";
import { confirmationOf } from "#app/waitlist/confirmation.ts";
import { eraseEntry, eraseExpired, rejoinEntry, unsubscribeEntry } from "#app/waitlist/entries.server.ts";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/database.ts";
import { emailRecorder } from "#tests/support/pool/email-recorder.ts";
import { fuzzCases, fuzzSeed } from "#tests/support/pool/fuzz.ts";
import { captureLog } from "#tests/support/pool/log.ts";

freshDatabaseForEachTest();
const seed = fuzzSeed();
captureLog();

const RUNS = fuzzCases(200);
const HALF_DAY = 12 * 3_600_000;
const THREE_DAYS = 6 * HALF_DAY;

/** `crash` is a sender that claims an email and is killed; `expire` erases entries that were not confirmed in time. */
const actions = [
  "sign up",
  "request welcome",
  "confirm",
  "remind",
  "unsubscribe",
  "rejoin",
  "erase",
  "expire",
  "sweep",
  "crash",
] as const;

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
    arbitrary: fc.constantFrom("request welcome", "sweep", "unsubscribe", "rejoin", "confirm", "sign up"),
  }),
  person: fc.constantFrom(0, 0, 0, 1),
});
const anyRound: fc.Arbitrary<Round> = fc.record({
  actions: fc.array(anyAction, { minLength: 1, maxLength: 5 }),
  pause: fc.constantFrom(0, 60_000, LEASE, HALF_DAY, THREE_DAYS, 5 * THREE_DAYS),
});
const firstRound: Round = { actions: [{ name: "sign up", person: 0 }], pause: 0 };
const anyScenario = fc.record({
  rounds: fc.array(anyRound, { minLength: 2, maxLength: 8 }).map((rounds) => [firstRound, ...rounds]),
  failures: fc.infiniteStream(fc.boolean()),
  /** Whether each sign-up has to be confirmed, where the site's setting changes. */
  mustConfirm: fc.oneof(fc.constant([true]), fc.constant([false]), fc.constant([true, false])),
});

interface Entry {
  id: number;
  email: string;
  status: "active" | "unsubscribed";
  confirm_by: number | null;
  confirmed_at: number | null;
}

/** What an entry's emails depend on. */
function stateOf(entry: Entry | undefined) {
  if (entry === undefined) return "no entry";
  if (entry.status === "unsubscribed") return "unsubscribed";
  return confirmationOf(entry) === "unconfirmed" ? "unconfirmed" : "listed";
}

/** For each kind of email the state that it fits, and the concurrent actions that lead to it. */
const fitting: Partial<Record<EmailKind, { state: ReturnType<typeof stateOf>; after: Action["name"][] }>> = {
  welcome: { state: "listed", after: ["rejoin", "confirm"] },
  rejoin: { state: "unsubscribed", after: ["unsubscribe"] },
  confirm: { state: "unconfirmed", after: [] },
  "confirm-reminder": { state: "unconfirmed", after: [] },
};

test(`${RUNS} scenarios of concurrent actions: every queued email is sent once, and none that no longer fits; nobody unconfirmed is sent a welcome, one welcome and one reminder per person, and no sign-up takes a confirmation back`, {
  timeout: 120_000,
}, async () => {
  const clock = { now: Date.UTC(2026, 10, 21) };
  let scenarios = 0;
  await fc.assert(
    fc.asyncProperty(anyScenario, async (scenario) => {
      scenarios += 1;
      await run(scenarios, clock, scenario);
    }),
    { seed, numRuns: RUNS },
  );
});

interface Scenario {
  rounds: Round[];
  failures: fc.Stream<boolean>;
  mustConfirm: readonly boolean[];
}

async function run(scenario: number, clock: { now: number }, { rounds, failures, mustConfirm }: Scenario) {
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
    const state = stateOf(before.get(entryId));
    const { state: wanted, after = [] } = fitting[kind] ?? {};
    const hasJustChanged = state === "no entry" ? did("sign up") : after.some(did);
    if (state !== wanted && !hasJustChanged) wrong.push(`${kind} to ${state}`);
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
      controller: { name: env.CONTROLLER_NAME, address: env.CONTROLLER_ADDRESS },
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
  let signUps = 0;
  async function signUp(email: string) {
    signUps += 1;
    const mustConfirmNow = mustConfirm[signUps % mustConfirm.length] ?? false;
    const entry = { email, source: "landing_page", columns: {}, now: clock.now, mustConfirm: mustConfirmNow };
    const added = await addEntry(db, entry);
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
      case "confirm":
        return confirmEntry(db, id, clock.now);
      case "remind":
        return enqueueReminders(db, clock.now);
      case "expire":
        return eraseExpired(db, clock.now, { unconfirmed: true });
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
    for (const { id, status, confirm_by, confirmed_at } of before.values()) {
      const later = after.get(id)?.status ?? "erased";
      const isOverdue = confirmed_at === null && confirm_by !== null && confirm_by <= clock.now;
      if (later === "erased") expect(did("erase") || (did("expire") && isOverdue)).toBe(true);
      else
        expect(
          after.get(id)?.confirmed_at === confirmed_at || (confirmed_at === null && (did("confirm") || did("rejoin"))),
        ).toBe(true);
      if (later === "erased") continue;
      if (later !== status) expect(did(status === "active" ? "unsubscribe" : "rejoin")).toBe(true);
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
  const sent = (kind: EmailKind, id: number) =>
    recorded.filter((email) => email.kind === kind && email.entryId === id && email.accepted);
  for (const entry of before.values()) {
    const state = stateOf(entry);
    if (state === "listed") expect(sent("welcome", entry.id)).toHaveLength(1);
    if (confirmationOf(entry) === "unconfirmed") expect(sent("welcome", entry.id)).toEqual([]);
    if (state === "unconfirmed") expect(sent("confirm", entry.id).length).toBeGreaterThanOrEqual(1);
  }
  for (const { entryId } of recorded) {
    expect(sent("welcome", entryId).length).toBeLessThanOrEqual(1);
    expect(sent("confirm-reminder", entryId).length).toBeLessThanOrEqual(1);
  }
  const queued = await rows<{ entry_id: number; sent_at: number | null; dead_at: number | null }>("email_outbox");
  expect(queued.filter(({ dead_at }) => dead_at !== null)).toEqual([]);
  const erased = await rows<{ count: number }>("erased_totals");
  expect(before.size + erased.reduce((sum, { count }) => sum + count, 0)).toBe(joined);
}
