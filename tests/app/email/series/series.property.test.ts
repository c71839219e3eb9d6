import { env } from "cloudflare:test";
import fc from "fast-check";
import { expect, test } from "vitest";
import { MAX_DAYS_LATE } from "#app/email/series/step-days.ts";
import { keyedHash } from "#app/server/address-hash.server.ts";
import { localDate, localHour, shiftDate, startOfDay } from "#app/server/time-zone-days.ts";
import { eraseEntry, unsubscribeEntry } from "#app/waitlist/entries.server.ts";
import { apiError } from "#scripts/lib/resend-rules.ts";
import { emptyDatabase } from "#tests/support/pool/database.ts";
import { fuzzCases, fuzzSeed } from "#tests/support/pool/fuzz.ts";
import { HOUR, MINUTE } from "#tests/support/pool/letter-harness.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { joinPeople, type SeriesHarness, seriesHarness } from "#tests/support/pool/series-harness.ts";

captureLog();

const seed = fuzzSeed();

/** Where clocks change in these days, where they do so at midnight, and far from UTC. */
const ZONES = ["Europe/London", "America/Santiago", "Asia/Kathmandu", "America/Los_Angeles"];

/** Emails an hour: more than are due, and so few that some wait for days. */
const LIMITS = [1_000_000, 4];

/** Close to each other, so that many people are due for two on one day. */
const STEP_DAYS = [1, 2, 4];

/** 26 March 2027: the clocks go forward two days later. */
const START = Date.UTC(2027, 2, 26, 6, 30);

const FAILURES = [
  "broken",
  "accepted-with-error",
  "accepted-without-response",
  apiError(503, "service_unavailable", "Try again."),
] as const;

type Leaving = "unsubscribe" | "suppress" | "erase" | "invite";

type Happening =
  | { kind: "join"; people: number; confirmAfter: number | null }
  | { kind: "leave"; who: number; how: Leaving }
  | { kind: "wait"; hours: number }
  | { kind: "minutes"; minutes: number }
  | { kind: "off" | "on" | "edit"; step: number }
  | { kind: "fail"; failures: number[] }
  | { kind: "outage"; hours: number };

const step = fc.nat(STEP_DAYS.length - 1);
const happening: fc.Arbitrary<Happening> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("join"),
      people: fc.integer({ min: 1, max: 3 }),
      // Hours until they confirm their address, if they have to.
      confirmAfter: fc.option(fc.integer({ min: 1, max: 100 }), { freq: 3 }),
    }),
  },
  // Up to midnight, and beyond.
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("minutes"), minutes: fc.integer({ min: 1, max: 59 }) }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("wait"), hours: fc.integer({ min: 1, max: 30 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("leave"),
      who: fc.nat(20),
      how: fc.constantFrom<Leaving[]>("unsubscribe", "suppress", "erase", "invite"),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom("off", "on", "on", "edit", "edit"), step }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("fail"), failures: fc.array(fc.nat(3), { maxLength: 4 }) }) },
  // The cron job does not run, for up to five days.
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("outage"), hours: fc.integer({ min: 20, max: 120 }) }) },
) as fc.Arbitrary<Happening>;

interface Person {
  id: number;
  joinedAt: number;
  leftAt: number | null;
  sent: { step: number; day: string }[];
}

interface StepLife {
  id: number;
  since: number;
  version: number;
  /** When it was switched off and on again. */
  off: { from: number; until: number }[];
}

const lives = fc.record({
  timeZone: fc.constantFrom(...ZONES),
  perHour: fc.constantFrom(...LIMITS),
  happenings: fc.array(happening, { minLength: 10, maxLength: 30 }),
});

test("whatever happens, each person is sent each step once, in order and in time, or there is a reason why not", async () => {
  await fc.assert(
    fc.asyncProperty(lives, async ({ timeZone, perHour, happenings }) => {
      await emptyDatabase();
      const life = await begin(timeZone, perHour);
      for (const what of happenings) await life.let(what);
      for (const at of STEP_DAYS.keys()) await life.let({ kind: "on", step: at });
      await life.let({ kind: "wait", hours: 10 * 24 });
      await life.checkReasons();
    }),
    { seed, numRuns: fuzzCases(25) },
  );
}, 600_000);

/** Follows a site, and checks each email that the provider accepts. */
async function begin(timeZone: string, perHour: number) {
  const site = await seriesHarness({ timeZone, perHour });
  const { clock } = site;
  clock.now = START;
  const people: Person[] = [];
  const steps: StepLife[] = [];
  for (const days of STEP_DAYS) {
    const { id } = await site.addOn({ days, subject: `${steps.length} 0` });
    steps.push({ id, since: clock.now, version: 0, off: [] });
  }
  let [accepted, hasFailures, mayBeLate] = [0, false, perHour < 100];

  async function hour() {
    await site.pass(HOUR);
    if (!(await site.sweep())) return;
    const emails = (await site.resend.state()).accepted;
    for (const { to, subject } of emails.slice(accepted)) check(to, subject);
    accepted = emails.length;
  }

  function check(to: string, subject: string) {
    const person = people[Number(/^person(\d+)@/.exec(to)?.[1]) - 1];
    const [step, version] = subject.split(" ").map(Number) as [number, number];
    if (person === undefined) throw new Error(`A stranger was written to: ${to}`);
    const day = localDate(clock.now, timeZone);
    const due = shiftDate(localDate(person.joinedAt, timeZone), STEP_DAYS[step] ?? 0);
    const what = { to, step, day, due, sent: person.sent };
    expect(person.leftAt, `${JSON.stringify(what)}: has left`).toBeNull();
    expect(day >= due && day <= shiftDate(due, MAX_DAYS_LATE), `${JSON.stringify(what)}: too early or too late`).toBe(
      true,
    );
    // A batch that the provider may have received is tried again at any hour.
    if (!hasFailures)
      expect(localHour(clock.now, timeZone), `${JSON.stringify(what)}: too early`).toBeGreaterThanOrEqual(9);
    for (const earlier of person.sent) {
      expect(earlier.step, `${JSON.stringify(what)}: twice, or in the wrong order`).toBeLessThan(step);
      expect(earlier.day, `${JSON.stringify(what)}: two on one day`).not.toBe(day);
    }
    // A batch that the provider may have received keeps its content.
    if (!hasFailures) expect(version, `${JSON.stringify(what)}: old content`).toBe(steps[step]?.version);
    person.sent.push({ step, day });
  }

  async function leave(person: Person | undefined, how: Leaving) {
    if (person === undefined || person.leftAt !== null) return;
    person.leftAt = clock.now;
    const { db } = site;
    if (how === "unsubscribe") await unsubscribeEntry(db, person.id, clock.now);
    else if (how === "erase") await eraseEntry(db, person.id, clock.now);
    else if (how === "invite") {
      await env.DB.prepare("UPDATE waitlist_emails SET invited_at = ? WHERE id = ?").bind(clock.now, person.id).run();
    } else {
      const hash = await keyedHash("address:v1", `person${people.indexOf(person) + 1}@example.com`, env.HASH_KEY);
      await env.DB.prepare("INSERT INTO suppressions (address_hash, reason, created_at) VALUES (?, 'complaint', ?)")
        .bind(hash, clock.now)
        .run();
    }
  }

  return {
    async let(what: Happening) {
      switch (what.kind) {
        case "join":
          await join(site, people, what.people, what.confirmAfter);
          break;
        case "leave":
          await leave(people[what.who % Math.max(1, people.length)], what.how);
          break;
        case "wait":
          for (let hours = 0; hours < what.hours; hours += 1) await hour();
          break;
        case "minutes":
          await site.pass(what.minutes * MINUTE);
          break;
        case "outage":
          mayBeLate = true;
          await site.pass(what.hours * HOUR);
          break;
        case "fail":
          hasFailures ||= what.failures.length > 0;
          mayBeLate ||= hasFailures;
          await site.resend.fail(...what.failures.map((index) => FAILURES[index] ?? "broken"));
          break;
        default:
          await change(what.kind, steps[what.step]);
      }
    },
    /** Whoever was not sent a step has left, or has a row with a reason, or joined before it was for them. */
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
        for (const [number, { id, since, off }] of steps.entries()) {
          const rows = results.filter(({ step_id, entry_id }) => step_id === id && entry_id === person.id);
          expect(rows.length, "rows of a person for a step").toBeLessThanOrEqual(1);
          if (person.sent.some(({ step }) => step === number) || person.leftAt !== null) continue;
          const due = shiftDate(localDate(person.joinedAt, timeZone), STEP_DAYS[number] ?? 0);
          const from = startOfDay(due, timeZone);
          const until = startOfDay(shiftDate(due, MAX_DAYS_LATE + 1), timeZone);
          const wasOff = off.some((time) => time.from < until && time.until > from);
          const missed = off.some((time) => time.from < until && time.until >= until);
          const reason = rows[0]?.reason ?? null;
          const isExplained = {
            late: mayBeLate || wasOff,
            overtaken: person.sent.some(({ step }) => step > number),
            // An email whose outcome is unknown was accepted, or the provider failed for a day.
            "never-confirmed": hasFailures,
            changed: hasFailures,
            none: person.joinedAt < since || missed,
          }[reason ?? "none"];
          const why = JSON.stringify({ person, number, since, off, due, rows });
          expect(isExplained, `not sent without a reason: ${why}`).toBe(true);
        }
      }
    },
  };

  async function change(kind: "off" | "on" | "edit", step: StepLife | undefined) {
    if (step === undefined) return;
    const isOn = (await site.find(step.id)).letter_id !== null;
    if (kind === "edit") {
      step.version += 1;
      await site.change(step.id, { subject: `${steps.indexOf(step)} ${step.version}` });
    } else if (kind === "off" && isOn) {
      await site.off(step.id);
      step.off.push({ from: clock.now, until: Number.POSITIVE_INFINITY });
    } else if (kind === "on" && !isOn) {
      await site.on(step.id);
      const last = step.off.at(-1);
      if (last !== undefined) last.until = clock.now;
    }
  }
}

async function join({ clock }: SeriesHarness, people: Person[], count: number, confirmAfter: number | null) {
  const first = people.length + 1;
  await joinPeople(count, { at: clock.now, first });
  const { results } = await env.DB.prepare("SELECT id FROM waitlist_emails ORDER BY id DESC LIMIT ?")
    .bind(count)
    .all<{ id: number }>();
  const joinedAt = clock.now + (confirmAfter ?? 0) * HOUR;
  if (confirmAfter !== null) {
    await env.DB.prepare("UPDATE waitlist_emails SET confirm_by = ?, confirmed_at = ? WHERE id >= ?")
      .bind(clock.now + 30 * 24 * HOUR, joinedAt, results.at(-1)?.id ?? 0)
      .run();
  }
  for (const { id } of results.reverse()) people.push({ id, joinedAt, leftAt: null, sent: [] });
}
