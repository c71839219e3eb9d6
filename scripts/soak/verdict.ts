import { retryDelay } from "#app/email/retry-schedule.ts";
import type { AcceptedEmail } from "#scripts/lib/resend-server.ts";
import type { Answered } from "#scripts/soak/soak.ts";

type Row = Record<string, unknown>;

interface Evidence {
  answered: Answered[];
  entries: Row[];
  outbox: Row[];
  accepted: AcceptedEmail[];
}

/** What a soak came to: figures to print, and the losses, of which there may be none. */
export interface Verdict {
  figures: Record<string, number>;
  /** How many mails took how many tries, and how long the delays between those are together (minutes). */
  heldUp: { tries: number; mails: number; minutes: number }[];
  losses: Record<string, string[]>;
}

export function judge({ answered, entries, outbox, accepted }: Evidence): Verdict {
  const listed = entries.map(({ email }) => String(email));
  const mailed = countBy(accepted.map(({ to }) => to));
  const joined = answered.filter(({ status }) => status === 201).map(({ visit }) => visit.email.toLowerCase());
  const active = entries.filter(({ status }) => status === "active").map(({ email }) => String(email));
  const expected = answered
    .filter(({ visit }) => visit.kind !== "invalid")
    .map(({ visit }) => visit.email.toLowerCase());
  const known = new Set(listed);

  return {
    figures: {
      visits: answered.length,
      "answered 201": joined.length,
      "answered 409": answered.filter(({ status }) => status === 409).length,
      "answered 422": answered.filter(({ status }) => status === 422).length,
      "sent again after a kill": answered.filter(({ unanswered }) => unanswered > 0).length,
      entries: entries.length,
      "mails accepted": accepted.length,
    },
    heldUp: delays(outbox.map(({ attempts }) => Number(attempts))),
    losses: {
      "answered 201 but not listed": joined.filter((email) => !known.has(email)),
      "entered but not listed": [...new Set(expected)].filter((email) => !known.has(email)),
      "listed twice": doubled(countBy(listed)),
      "answered 201 twice": doubled(countBy(joined)),
      "active without a mail": active.filter((email) => !mailed.has(email)),
      "mailed twice": doubled(mailed),
      "mailed but not listed": [...mailed.keys()].filter((email) => !known.has(email)),
      "mail dead or waiting": outbox.filter(({ sent_at }) => sent_at === null).map(({ id }) => String(id)),
      "answered otherwise than the contract says": answered
        .filter(isWrong)
        .map(({ visit, status }) => `${visit.email} ${status}`),
    },
  };
}

function isWrong({ visit, status }: Answered): boolean {
  return visit.kind === "invalid" ? status !== 422 : status !== 201 && status !== 409;
}

function delays(attempts: number[]): Verdict["heldUp"] {
  const waits = (tries: number) => Array.from({ length: tries - 1 }, (_, n) => retryDelay(n + 1) / 60_000);
  return [...countBy(attempts)]
    .map(([tries, mails]) => ({ tries, mails, minutes: waits(tries).reduce((sum, minutes) => sum + minutes, 0) }))
    .toSorted((a, b) => a.tries - b.tries);
}

function countBy<T>(values: T[]): Map<T, number> {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

function doubled(counts: Map<string, number>): string[] {
  return [...counts].filter(([, count]) => count > 1).map(([value]) => value);
}
