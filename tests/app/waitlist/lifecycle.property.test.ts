import { env } from "cloudflare:test";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { ProviderEvent } from "#app/email/provider-events.server.ts";
import { applyProviderEvent } from "#app/email/provider-events.server.ts";
import { type DeliveryDeps, sendEmail } from "#app/email/sender.server.ts";
import type { EmailKind } from "#app/server/db/schema/email.server.ts";
import { findSuppressed } from "#app/server/db/suppressions.server.ts";
import { keyedHash } from "#app/server/hashes/address-hash.server.ts";
import { confirmationOf } from "#app/waitlist/confirmation/confirmation.ts";
import { addEntry } from "#app/waitlist/sign-up/add-entry.server.ts";
import { emailContext, emailRecorder, type RecordedEmail, sendAll } from "#tests/support/pool/emails.ts";
import { fuzzCases, fuzzSeed } from "#tests/support/pool/fuzz.ts";
import * as lifecycle from "#tests/support/pool/lifecycle.ts";
import { type Action, type ActionName, type Entry, stateOf } from "#tests/support/pool/lifecycle.ts";
import { db, freshDatabaseForEachTest, rows } from "#tests/support/pool/start.ts";

freshDatabaseForEachTest();
const seed = fuzzSeed();

const RUNS = fuzzCases(200);

test(`${RUNS} scenarios of concurrent actions: every queued email is sent once, and none that no longer fits; no unconfirmed person gets a welcome; one welcome and one reminder per person, one confirmation email a day, one rejoin email per departure; blocked addresses get nothing; only the person lifts a complaint or rejoins; no sign-up takes a confirmation back`, {
  timeout: 300_000,
}, async () => {
  const clock = { now: Date.UTC(2026, 10, 21) };
  let scenarios = 0;
  await fc.assert(
    fc.asyncProperty(lifecycle.anyScenario, async (scenario) => {
      scenarios += 1;
      await run(scenarios, clock, scenario);
    }),
    { seed, numRuns: RUNS },
  );
});

/** What the person and the provider said last, kept apart from the code under test. */
interface Person {
  email: string;
  hash: string;
  /** The latest entry, even if it was erased: its links still exist. */
  entryId: number;
  /** After a complaint, or the wish for no more email. */
  forGood: boolean;
  /** Blocked when the round began, as the database has it. */
  blocked: boolean;
  bouncedUntil: number;
  /** An email may have got lost: one was refused, or not queued because of that. */
  disturbed: boolean;
}

async function run(
  scenario: number,
  clock: { now: number },
  { rounds, failures, early, ...given }: lifecycle.Scenario,
) {
  for (const table of ["waitlist_emails", "erased_totals", "suppressions", "provider_events"])
    await env.DB.exec(`DELETE FROM ${table}`);
  const people = await Promise.all(
    ["ada", "grace"].map(async (name): Promise<Person> => {
      const email = `${name}${scenario}@example.com`;
      const hash = await keyedHash("address:v1", email, env.HASH_KEY);
      return { email, hash, entryId: 0, forGood: false, blocked: false, bouncedUntil: 0, disturbed: false };
    }),
  );
  let before = new Map<number, Entry>();
  let happened = new Map<Person, Set<ActionName>>();
  const did = (person: Person, ...names: ActionName[]) => names.some((name) => happened.get(person)?.has(name));
  const personOf = (email: string) => people.find((person) => person.email === email) as Person;
  let failuresEnabled = true;
  const wrong: string[] = [];
  const counts = new Map<string, number>();
  const add = (what: string, id: number) => counts.set(`${what} ${id}`, count(what, id) + 1);
  const count = (what: string, id: number) => counts.get(`${what} ${id}`) ?? 0;
  const confirmationSent = new Map<number, number>();

  const { mailer, recorded } = emailRecorder(async (email) => {
    const { kind, entryId, to } = email;
    const person = personOf(to);
    // A concurrent action may come too late for an email that is being sent; an earlier one may not.
    const state = stateOf(before.get(entryId));
    const { state: wanted = state, after = [] } = lifecycle.fitting[kind] ?? {};
    const hasJustChanged = state === "no entry" ? did(person, "sign up") : did(person, ...after);
    if (state !== wanted && !hasJustChanged) wrong.push(`${kind} to ${state}`);
    if ((person.forGood || person.blocked) && !did(person, "rejoin")) wrong.push(`${kind} to a blocked address`);
    const isLifted = did(person, "rejoin") && (person.forGood || did(person, "complaint", "never"));
    if (clock.now < person.bouncedUntil && !isLifted) wrong.push(`${kind} after a bounce`);
    await env.DB.prepare("SELECT 1").run();
    if (!failuresEnabled) return;
    if (failures.next().value) throw new Error("sending failed");
    const event = early.next().value;
    if (event !== null) await report(event, email);
    if (kind !== "confirm") return;
    const last = confirmationSent.get(entryId) ?? 0;
    if (clock.now - last < lifecycle.DAY) wrong.push("two confirmation emails within a day");
    confirmationSent.set(entryId, clock.now);
  });
  const deps: DeliveryDeps = {
    db,
    mailer,
    emailsPerHour: 1_000_000,
    turnstile: null,
    emailContext,
    now: () => clock.now,
  };

  const events: ProviderEvent[] = [];
  const applied = new Set<string>();
  const bounces = new Map<Person, number>();
  function report(kind: lifecycle.EventKind, { id: emailId, to: recipient, kind: emailKind, entryId }: RecordedEmail) {
    const event: ProviderEvent = { id: crypto.randomUUID(), kind, about: { emailId }, recipient };
    events.push(event);
    // The email did not arrive, so another one may follow.
    if (kind === "hard-bounce" || kind === "failed") add(`lost ${emailKind}`, entryId);
    return apply(event);
  }
  async function apply(event: ProviderEvent) {
    const person = personOf(event.recipient);
    if (!applied.has(event.id)) {
      applied.add(event.id);
      person.disturbed = true;
      happened.get(person)?.add(event.kind);
      if (event.kind === "hard-bounce") bounces.set(person, clock.now + lifecycle.WEEK);
      if (event.kind === "complaint") depart(person);
    }
    await applyProviderEvent(deps, event);
  }
  function depart(person: Person) {
    if (before.get(person.entryId)?.status !== "unsubscribed" || did(person, "rejoin"))
      add("departures", person.entryId);
  }

  async function readEntries(): Promise<Map<number, Entry>> {
    const entries = await rows<Entry>("waitlist_emails");
    for (const { email, id } of entries) personOf(email).entryId = id;
    return new Map(entries.map((entry) => [entry.id, entry]));
  }
  let joined = 0;
  let signUps = 0;
  async function signUp(person: Person) {
    signUps += 1;
    if (person.forGood || did(person, "never")) person.disturbed = true;
    const mustConfirm = given.mustConfirm[signUps % given.mustConfirm.length] ?? false;
    const { email } = person;
    const added = await addEntry(db, { email, source: "landing_page", columns: {}, now: clock.now, mustConfirm });
    if (added.kind === "new") joined += 1;
  }
  async function act({ name, person: index, pick }: Action) {
    const person = people[index] as Person;
    const { email, entryId } = person;
    const reported = recorded.filter(({ to }) => to === email);
    switch (name) {
      case "sign up":
        return signUp(person);
      case "request welcome":
        return sendEmail(deps, { email });
      case "sweep":
        return sendAll(deps);
      case "repeat":
        return events.length === 0 ? undefined : apply(events[pick % events.length] as ProviderEvent);
      case "hard-bounce":
      case "soft-bounce":
      case "complaint":
      case "failed":
        return reported.length === 0 ? undefined : report(name, reported[pick % reported.length] as RecordedEmail);
    }
    const changed = await lifecycle.perform(deps, name, entryId, email);
    if (!changed) return;
    if (name === "never") depart(person);
    if (name === "unsubscribe" || name === "owner unsubscribes") add("departures", entryId);
    if (name === "owner resends") add("resends", entryId);
  }

  for (const round of rounds) {
    before = await readEntries();
    happened = new Map(people.map((person) => [person, new Set()]));
    // Events count only once they are applied.
    for (const { name, person } of round.actions)
      if (!isEvent(name))
        for (const each of isForAll(name) ? people : [people[person] as Person]) happened.get(each)?.add(name);
    await Promise.all(round.actions.map(act));
    const after = await readEntries();
    for (const entry of before.values()) expectAllowed(entry, after.get(entry.id));
    for (const person of people) await expectSuppression(person);
    clock.now += round.pause;
    for (const person of people) person.blocked = (await suppressionOf(person)) !== undefined;
  }

  function expectAllowed({ email, status, confirm_by, confirmed_at }: Entry, later: Entry | undefined) {
    const person = personOf(email);
    const isOverdue = confirmed_at === null && confirm_by !== null && confirm_by <= clock.now;
    if (later === undefined) return expect(did(person, "erase") || (did(person, "expire") && isOverdue)).toBe(true);
    const isConfirmed = confirmed_at === null && did(person, "confirm", "rejoin");
    expect(later.confirmed_at === confirmed_at || isConfirmed).toBe(true);
    const changes: ActionName[] = status === "active" ? lifecycle.leaving : ["rejoin"];
    expect(later.status === status || did(person, ...changes)).toBe(true);
    if (did(person, "complaint") && !did(person, "rejoin")) expect(later.status).toBe("unsubscribed");
  }

  async function suppressionOf({ hash }: Person) {
    return (await findSuppressed(db, [hash], clock.now)).get(hash);
  }

  async function expectSuppression(person: Person) {
    const isForGood = (await suppressionOf(person))?.until === null;
    const neverAgain = did(person, "complaint") || (did(person, "never") && hasEntry(person));
    // Concurrently with a rejoin, either may come last.
    if (!did(person, "rejoin")) expect(isForGood || !(person.forGood || neverAgain)).toBe(true);
    if (!did(person, "complaint", "never")) expect(isForGood && !person.forGood).toBe(false);
    if (did(person, "rejoin") && !did(person, "complaint", "never", "erase", "expire") && hasEntry(person))
      expect(isForGood).toBe(false);
    person.bouncedUntil = bounces.get(person) ?? 0;
    if (did(person, "rejoin") && (person.forGood || did(person, "complaint", "never"))) {
      person.bouncedUntil = 0;
      bounces.delete(person);
    }
    person.forGood = isForGood;
  }
  function hasEntry({ email }: Person) {
    return [...before.values()].some((entry) => entry.email === email && !did(personOf(email), "erase", "expire"));
  }

  // From here nothing fails, and everything is due.
  failuresEnabled = false;
  happened = new Map();
  clock.now += lifecycle.DAY;
  before = await readEntries();
  for (const person of people) person.blocked = (await suppressionOf(person)) !== undefined;
  await sendAll(deps);
  expect(wrong).toEqual([]);
  const sent = (kind: EmailKind, id: number) =>
    recorded.filter((email) => email.kind === kind && email.entryId === id && email.accepted).length;
  for (const entry of before.values()) {
    const state = stateOf(entry);
    const { disturbed } = personOf(entry.email);
    if (state === "listed" && !disturbed) expect(sent("welcome", entry.id)).toBeGreaterThanOrEqual(1);
    if (confirmationOf(entry) === "unconfirmed") expect(sent("welcome", entry.id)).toBe(0);
    if (state === "unconfirmed" && !disturbed) expect(sent("confirm", entry.id)).toBeGreaterThanOrEqual(1);
  }
  for (const { entryId: id } of recorded) {
    expect(sent("welcome", id)).toBeLessThanOrEqual(1 + count("resends", id) + count("lost welcome", id));
    expect(sent("confirm-reminder", id)).toBeLessThanOrEqual(1);
    expect(sent("rejoin", id)).toBeLessThanOrEqual(count("departures", id) + count("lost rejoin", id));
  }
  const dead = await rows<{ entry_id: number; dead_at: number | null; reason: string }>("email_outbox");
  const isExpected = (id: number, reason: string) =>
    reason === "never" || personOf(before.get(id)?.email ?? "")?.disturbed;
  expect(dead.filter(({ entry_id, dead_at, reason }) => dead_at !== null && !isExpected(entry_id, reason))).toEqual([]);
  const erased = await rows<{ count: number }>("erased_totals");
  expect(before.size + erased.reduce((sum, { count }) => sum + count, 0)).toBe(joined);
}

function isEvent(name: ActionName): boolean {
  return ["hard-bounce", "soft-bounce", "complaint", "failed", "repeat"].includes(name);
}

function isForAll(name: ActionName): boolean {
  return ["expire", "remind", "sweep"].includes(name);
}
