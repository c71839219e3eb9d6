import { MAX_DAYS_LATE, MAX_STEPS } from "#app/email/series/step-days.ts";
import { localDate, shiftDate, startOfDay } from "#app/server/time-zone-days.ts";

/** How people leave. Those who unsubscribe may rejoin. */
export type Leaving = "unsubscribe" | "suppress" | "erase" | "invite";

/** A time (milliseconds since 1970). `until` is infinite while it lasts. */
interface Time {
  from: number;
  until: number;
}

export interface Person {
  id: number;
  joinedAt: number;
  leftAt: number | null;
  how: Leaving | null;
  /** When they were not on the list, for those who rejoined. */
  away: Time[];
  sent: { step: StepLife; day: string }[];
}

export interface StepLife {
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

/**
 * Whether anything may have caused that someone was not sent a step. It does not follow in which order things happened.
 *
 * @param reason of the recipient's row; `none` without one
 */
export function isExplained(person: Person, step: StepLife, reason: string, state: SiteState): boolean {
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
