import { env } from "cloudflare:test";
import { expect } from "vitest";
import { MAX_DAYS_LATE, MAX_STEPS } from "#app/features/letters/series/step-days.ts";
import { deleteStep, extendBack } from "#app/features/letters/series/steps.server.ts";
import { keyedHash } from "#app/server/hashes/address-hash.server.ts";
import { localDate, localHour, shiftDate, startOfDay } from "#app/server/time/time-zone-days.ts";
import { rejoinEntry, unsubscribeEntry } from "#app/waitlist/entries/entries.server.ts";
import { eraseEntry } from "#app/waitlist/entries/erase-entries.server.ts";
import { followUpVersions } from "#app/waitlist/sign-up/consent-wording.ts";
import { apiError } from "#scripts/lib/resend-rules.ts";
import { HOUR, MINUTE } from "#tests/features/letters/pool/letter-harness.ts";
import { DAY, joinPeople, type SeriesHarness, seriesHarness } from "#tests/features/letters/pool/series-harness.ts";
import { execute } from "#tests/support/pool/start.ts";

/** The days of the steps at first: close to each other, so that many people are due for two on one day. */
export const STEP_DAYS = [1, 2, 4];

/** 26 March 2027: the clocks of London go forward two days later. */
const START = Date.UTC(2027, 2, 26, 6, 30);

export const FAILURES = [
  "broken",
  "accepted-with-error",
  "accepted-without-response",
  apiError(503, "service_unavailable", "Try again."),
] as const;

/** How people leave. Those who unsubscribe may rejoin. */
export type Leaving = "unsubscribe" | "suppress" | "erase" | "invite";

/** A time (milliseconds since 1970). `until` is infinite while it lasts. */
interface Time {
  from: number;
  until: number;
}

interface Person {
  id: number;
  joinedAt: number;
  leftAt: number | null;
  how: Leaving | null;
  /** When they were not on the list, for those who rejoined. */
  away: Time[];
  sent: { step: StepLife; day: string }[];
}

interface StepLife {
  id: number;
  /** In its subject. */
  number: number;
  version: number;
  days: number;
  /** All that it ever had. */
  allDays: number[];
  /** It is for people who joined since. */
  since: number;
  extendedAt: number[];
  off: Time[];
  isDeleted: boolean;
}

/** What has happened to a site. */
interface SiteState {
  timeZone: string;
  /** Emails had to wait: for the send limit, after a failure, or for the cron job. */
  mayBeLate: boolean;
  /** The provider has failed. */
  hasFailures: boolean;
}

/** What happens to a site. `step` is a step's position; `who` picks one of the people who are concerned. */
export type Happening =
  | { kind: "join"; people: number; confirmAfter: number | null }
  | { kind: "leave"; who: number; how: Leaving }
  | { kind: "rejoin"; who: number }
  | { kind: "wait"; hours: number }
  | { kind: "minutes"; minutes: number }
  | { kind: "off" | "on" | "edit" | "replace"; step: number }
  | { kind: "move" | "extend"; step: number; days: number }
  | { kind: "fail"; failures: number[] }
  | { kind: "outage"; hours: number };

/** Follows a site's series, and checks each email that the provider accepts. */
export async function beginSeries(timeZone: string, perHour: number) {
  const site = await seriesHarness({ timeZone, perHour });
  const { clock, db, stepDeps } = site;
  clock.now = START;
  const people: Person[] = [];
  const everyStep: StepLife[] = [];
  const steps: StepLife[] = [];
  for (const [at, days] of STEP_DAYS.entries()) steps[at] = await addStep(days);
  let [accepted, hasFailures, mayBeLate] = [0, false, perHour < 100];

  async function addStep(days: number): Promise<StepLife> {
    const number = everyStep.length;
    const { id } = await site.addOn({ days, subject: `${number} 0` });
    const since = clock.now;
    const step = { id, number, version: 0, days, allDays: [days], since, extendedAt: [], off: [], isDeleted: false };
    everyStep.push(step);
    return step;
  }

  async function hour() {
    await site.pass(HOUR);
    if (!(await site.sweep())) return;
    const emails = await site.accepted();
    for (const { to, subject } of emails.slice(accepted)) check(to, subject);
    accepted = emails.length;
  }

  function check(to: string, subject: string) {
    const person = people[Number(/^person(\d+)@/.exec(to)?.[1]) - 1];
    const [number = -1, version] = subject.split(" ").map(Number);
    const step = everyStep[number];
    if (person === undefined || step === undefined) throw new Error(`Not of this site: ${to}, ${subject}`);
    const day = localDate(clock.now, timeZone);
    const joinedOn = localDate(person.joinedAt, timeZone);
    const dues = (hasFailures ? step.allDays : [step.days]).map((days) => shiftDate(joinedOn, days));
    const what = (problem: string) => `${JSON.stringify({ to, step, day, dues, sent: person.sent })}: ${problem}`;
    expect(person.leftAt, what("has left")).toBeNull();
    const isInTime = dues.some((due) => day >= due && day <= shiftDate(due, MAX_DAYS_LATE));
    expect(isInTime, what("too early or too late")).toBe(true);
    // After a failure, a batch is tried again as it was, at any hour.
    if (!hasFailures) {
      expect(step.isDeleted, what("deleted")).toBe(false);
      expect(localHour(clock.now, timeZone), what("too early")).toBeGreaterThanOrEqual(9);
      expect(version, what("old content")).toBe(step.version);
    }
    expect(person.sent.length, what("more than the form promises")).toBeLessThan(MAX_STEPS);
    for (const earlier of person.sent) {
      expect(earlier.day, what("two on one day")).not.toBe(day);
      expect(earlier.step, what("twice")).not.toBe(step);
      // While a batch waits, the days of the steps may change.
      const before = mayBeLate ? Math.min(...earlier.step.allDays) : earlier.step.days;
      const days = hasFailures ? Math.max(...step.allDays) : step.days;
      expect(before < days || earlier.step.isDeleted, what("in the wrong order")).toBe(true);
    }
    person.sent.push({ step, day });
  }

  const addressHash = (person: Person) =>
    keyedHash("address:v1", `person${people.indexOf(person) + 1}@example.com`, env.HASH_KEY);

  async function leave(person: Person | undefined, how: Leaving) {
    if (person === undefined || person.leftAt !== null) return;
    Object.assign(person, { leftAt: clock.now, how });
    if (how === "unsubscribe") await unsubscribeEntry(db, person.id, clock.now);
    else if (how === "erase") await eraseEntry(db, person.id, clock.now);
    else if (how === "invite") {
      await execute("UPDATE waitlist_emails SET invited_at = ? WHERE id = ?", clock.now, person.id);
    } else {
      const insert = "INSERT INTO suppressions (address_hash, reason, created_at) VALUES (?, 'complaint', ?)";
      await execute(insert, await addressHash(person), clock.now);
    }
  }

  async function rejoin(person: Person | undefined) {
    if (person === undefined || person.leftAt === null) return;
    await rejoinEntry(db, person.id, clock.now, {
      consentVersion: followUpVersions[0] ?? null,
      addressHash: await addressHash(person),
    });
    person.away.push({ from: person.leftAt, until: clock.now });
    Object.assign(person, { leftAt: null, how: null });
  }

  async function change(kind: "off" | "on" | "edit" | "replace", at: number) {
    const step = steps[at];
    if (step === undefined) return;
    const isOn = (await site.find(step.id)).letter_id !== null;
    if (kind === "edit") {
      step.version += 1;
      await site.change(step.id, { subject: `${step.number} ${step.version}` });
    } else if (kind === "replace") {
      await deleteStep(stepDeps, await site.find(step.id));
      step.isDeleted = true;
      steps[at] = await addStep(step.days);
    } else if (kind === "off" && isOn) {
      await site.off(step.id);
      step.off.push({ from: clock.now, until: Number.POSITIVE_INFINITY });
    } else if (kind === "on" && !isOn) {
      await site.on(step.id);
      const last = step.off.at(-1);
      if (last !== undefined) last.until = clock.now;
    }
  }

  async function move(step: StepLife | undefined, days: number) {
    if (step === undefined || steps.some((other) => other.days === days)) return;
    await site.change(step.id, { days });
    step.days = days;
    step.allDays.push(days);
  }

  async function extend(step: StepLife | undefined, days: number) {
    if (step === undefined) return;
    await extendBack(stepDeps, await site.find(step.id), days);
    step.since = Math.min(step.since, clock.now - days * DAY);
    step.extendedAt.push(clock.now);
  }

  return {
    async let(what: Happening) {
      const gone = people.filter(({ how }) => how === "unsubscribe");
      const pick = (of: Person[], who: number) => of[who % Math.max(1, of.length)];
      if (what.kind === "join") await join(site, people, what.people, what.confirmAfter);
      else if (what.kind === "leave") await leave(pick(people, what.who), what.how);
      else if (what.kind === "rejoin") await rejoin(pick(gone, what.who));
      else if (what.kind === "wait") for (let hours = 0; hours < what.hours; hours += 1) await hour();
      else if (what.kind === "minutes") await site.pass(what.minutes * MINUTE);
      else if (what.kind === "move") await move(steps[what.step], what.days);
      else if (what.kind === "extend") await extend(steps[what.step], what.days);
      else if (what.kind === "outage") {
        mayBeLate = true;
        await site.pass(what.hours * HOUR);
      } else if (what.kind === "fail") {
        hasFailures ||= what.failures.length > 0;
        mayBeLate ||= hasFailures;
        await site.resend.fail(...what.failures.map((index) => FAILURES[index] ?? "broken"));
      } else await change(what.kind, what.step);
    },

    /** Checks that everyone who was not sent a step has left, or that there is a reason. */
    async checkReasons() {
      const { results } = await env.DB.prepare(`SELECT step_id, entry_id, letter_recipients.state, reason
        FROM letter_recipients JOIN letters ON letters.id = letter_id`).all<{
        step_id: number;
        entry_id: number | null;
        state: string;
        reason: string | null;
      }>();
      expect(results.filter(({ state }) => state === "pending")).toEqual([]);
      for (const person of people) {
        for (const step of steps) {
          const rows = results.filter(({ step_id, entry_id }) => step_id === step.id && entry_id === person.id);
          expect(rows.length, "rows of a person for a step").toBeLessThanOrEqual(1);
          if (person.leftAt !== null || person.sent.some((sent) => sent.step === step)) continue;
          const reason = rows[0]?.reason ?? "none";
          const why = JSON.stringify({ person, step, reason });
          expect(
            isExplained(person, step, reason, { timeZone, mayBeLate, hasFailures }),
            `not sent without a reason: ${why}`,
          ).toBe(true);
        }
      }
    },
  };
}

async function join({ clock }: SeriesHarness, people: Person[], count: number, confirmAfter: number | null) {
  const first = people.length + 1;
  await joinPeople(count, { at: clock.now, first });
  const { results } = await env.DB.prepare("SELECT id FROM waitlist_emails ORDER BY id DESC LIMIT ?")
    .bind(count)
    .all<{ id: number }>();
  const joinedAt = clock.now + (confirmAfter ?? 0) * HOUR;
  if (confirmAfter !== null) {
    const confirm = "UPDATE waitlist_emails SET confirm_by = ?, confirmed_at = ? WHERE id >= ?";
    await execute(confirm, clock.now + 30 * DAY, joinedAt, results.at(-1)?.id ?? 0);
  }
  for (const { id } of results.reverse()) people.push({ id, joinedAt, leftAt: null, how: null, away: [], sent: [] });
}

/**
 * Whether anything may have caused that someone was not sent a step. It does not follow in which order things happened.
 *
 * @param reason of the recipient's row; `none` without one
 */
function isExplained(person: Person, step: StepLife, reason: string, state: SiteState): boolean {
  const { timeZone, mayBeLate, hasFailures } = state;
  const joinedOn = localDate(person.joinedAt, timeZone);
  // For each of its days: what was decided before they changed stays so.
  const ends = step.allDays.map((days) => startOfDay(shiftDate(joinedOn, days + MAX_DAYS_LATE + 1), timeZone));
  const blocked = [...step.off, ...person.away].filter(({ until }) => until > person.joinedAt);
  switch (reason) {
    case "late":
      return mayBeLate || ends.length > 1 || blocked.length > 0 || step.extendedAt.some((at) => at >= (ends[0] ?? at));
    case "overtaken":
      return hasFailures || person.sent.some((sent) => Math.max(...sent.step.allDays) > Math.min(...step.allDays));
    case "enough":
      return hasFailures || person.sent.length >= MAX_STEPS;
    case "unsubscribed":
      return person.away.length > 0;
    // An email whose outcome is unknown was accepted, or the provider failed for a day.
    case "never-confirmed":
    case "changed":
      return hasFailures;
    // Before the step was for them, or it was off or they were away when it was too late.
    case "none":
      return person.joinedAt < step.since || blocked.some(({ until }) => ends.some((end) => until >= end));
    default:
      return false;
  }
}
