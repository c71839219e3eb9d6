import { type EmailPause, formatNext, formatUntil, type Pause } from "#app/email/pauses.server.ts";
import type { FailedAttempt, LetterStats } from "#app/features/letters/send/letter-stats.server.ts";
import type { ShownLetter } from "#app/features/letters/send/letters.server.ts";
import { counted, formatNumber, formatTime } from "#app/owner/ui/labels.ts";
import { emailReasonText, reasonSettings } from "#app/server/db/email-reasons.ts";
import type { PauseReason } from "#app/server/db/schema/email.server.ts";
import type { EpochMillis } from "#app/server/time/units.ts";

/** Where a letter stands, in two sentences: what is the case, and what happens next. */
export interface LetterStatus {
  current: string;
  next: string;
  /** Whether it needs the owner, or waits for something that went wrong. */
  isProblem: boolean;
  /** Settings to look at, for those who run the site. */
  advanced: string | null;
}

export interface Clock {
  timeZone: string;
  now: EpochMillis;
}

export interface StatusContext extends Clock {
  /** Scheduled or started. */
  letter: ShownLetter;
  stats: Pick<LetterStats, "expected" | "pending" | "sent">;
  /** Why emails of the whole site wait, or null. */
  pause: EmailPause | null;
  /** Why emails of this letter wait for another attempt, or null. */
  failed: FailedAttempt | null;
  /** How many people match now, of a scheduled letter. */
  present?: number;
}

export function describeStatus(context: StatusContext): LetterStatus {
  const { letter, stats, timeZone, present = stats.expected } = context;
  const sent = `${formatNumber(stats.sent)} of ${counted(stats.expected, "person", "people")}`;
  switch (letter.state) {
    case "scheduled": {
      if (letter.pause !== null) return describeAudiencePause(present, stats.expected);
      const time = formatTime(letter.scheduled_for ?? 0, timeZone);
      const next = `It starts automatically, and who matches then gets it: ${about(present)} now. Until then you can cancel that and make it a draft again.`;
      return calm(`Starts on ${time} (${timeZone}).`, next);
    }
    case "stopped":
      return calm(`Stopped after it was sent to ${sent}.`, "No one else is sent it.");
    case "finished":
      return calm(`Sent to ${sent}.`, "Bounces and people who unsubscribe are counted below as they come in.");
    default:
      return letter.pause === null ? describeSending(context) : describeLetterPause(letter.pause, context);
  }
}

function describeAudiencePause(present: number, confirmed: number): LetterStatus {
  const match = `${counted(present, "person matches", "people match")} now, and you confirmed ${formatNumber(confirmed)}`;
  const next =
    present === 0 ? "Change its audience, or wait until someone matches." : "Send it to those, or change it.";
  return problem(`Not started: ${match}.`, next);
}

/** How many people match now, of those who may be others later. */
export function about(people: number): string {
  return `about ${counted(people, "person", "people")}`;
}

function describeSending(context: StatusContext): LetterStatus {
  const { stats, pause, failed } = context;
  if (pause !== null) return waiting(pause.reason, pause.until, context);
  if (failed !== null) return waiting(failed.reason, failed.nextAt, context);
  const done = stats.expected - stats.pending;
  const percent = stats.expected === 0 ? 100 : Math.floor((done / stats.expected) * 100);
  return calm(`Sending: ${percent}% done.`, "You can leave this page: sending continues automatically.");
}

function waiting(reason: string, until: EpochMillis, context: StatusContext): LetterStatus {
  const next = `The site tries again ${at(until, context)}. Nothing is lost.`;
  return problem(`Waiting: ${inSentence(emailReasonText(reason))}.`, next, reasonSettings([reason]));
}

export function describeLetterPause({ reason, until }: Pause, clock: Clock): LetterStatus {
  const current = `Paused: ${inSentence(pauseText(reason))}.`;
  switch (reason) {
    case "owner":
      return calm(`${pauseText(reason)}.`, "Nothing more is sent until you choose Resume.");
    case "first-recipients": {
      const isOver = until === null || until <= clock.now;
      const when = isOver ? "for less than a minute" : `until ${formatUntil(until, clock.now, clock.timeZone)}`;
      return calm(`Paused ${when}, so that bounces can arrive.`, "Then the rest follows automatically.");
    }
    case "complaints":
      return problem(current, "Find out why before you choose Resume.");
    case "bounces":
      return problem(current, "Check where these addresses came from before you choose Resume.");
  }
  if (until === null) {
    const next = "Nothing more is sent until that is mended and you choose Resume.";
    return problem(current, next, reasonSettings([reason]));
  }
  return problem(current, `The site tries again ${at(until, clock)}. Sending then continues automatically.`);
}

function calm(current: string, next: string): LetterStatus {
  return { current, next, isProblem: false, advanced: null };
}

function problem(current: string, next: string, advanced: string | null = null): LetterStatus {
  return { current, next, isProblem: true, advanced };
}

function at(time: EpochMillis, { now, timeZone }: Clock): string {
  return formatNext(time, now, timeZone);
}

const pauses: Partial<Record<PauseReason, string>> = {
  owner: "You paused it",
  "first-recipients": "After the first 1,000 emails, so that bounces can arrive",
  complaints: "Too many recipients reported it as spam",
  bounces: "Too many emails bounced",
  "audience-changed": "Its audience is not as you confirmed it",
};

export function pauseText(reason: PauseReason): string {
  return pauses[reason] ?? emailReasonText(reason);
}

/** `is paused: too many emails bounced` */
export function pausedBecause(reason: PauseReason): string {
  return `is paused: ${inSentence(pauseText(reason))}`;
}

/** A sentence after a colon. */
function inSentence(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
