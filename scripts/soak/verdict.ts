import { retryDelay } from "#app/email/retry-schedule.ts";
import type { AcceptedEmail } from "#scripts/lib/resend-server.ts";
import type { VisitResult } from "#scripts/soak/soak.ts";

type Row = Record<string, unknown>;

interface Evidence {
  results: VisitResult[];
  entries: Row[];
  outbox: Row[];
  accepted: AcceptedEmail[];
}

/** The result of a soak. It passes when all losses are empty. */
export interface Verdict {
  stats: Record<string, number>;
  /** Emails by number of attempts, with the total delay between attempts (minutes). */
  attempts: { attempts: number; emails: number; minutes: number }[];
  losses: Record<string, string[]>;
}

export function judge({ results, entries, outbox, accepted }: Evidence): Verdict {
  const listed = entries.map(({ email }) => String(email));
  const emailed = countBy(accepted.map(({ to }) => to));
  const joined = results.filter(({ status }) => status === 201).map(({ visit }) => visit.email.toLowerCase());
  const active = entries.filter(({ status }) => status === "active").map(({ email }) => String(email));
  const expected = results
    .filter(({ visit }) => visit.kind !== "invalid")
    .map(({ visit }) => visit.email.toLowerCase());
  const known = new Set(listed);

  return {
    stats: {
      visits: results.length,
      "201 responses": joined.length,
      "409 responses": results.filter(({ status }) => status === 409).length,
      "422 responses": results.filter(({ status }) => status === 422).length,
      "retried after a kill": results.filter(({ failedRequests }) => failedRequests > 0).length,
      entries: entries.length,
      "emails accepted": accepted.length,
    },
    attempts: attemptsAndDelays(outbox.map(({ attempts }) => Number(attempts))),
    losses: {
      "201 response but not listed": joined.filter((email) => !known.has(email)),
      "submitted but not listed": [...new Set(expected)].filter((email) => !known.has(email)),
      "listed twice": duplicates(countBy(listed)),
      "two 201 responses": duplicates(countBy(joined)),
      "active but not emailed": active.filter((email) => !emailed.has(email)),
      "emailed twice": duplicates(emailed),
      "emailed but not listed": [...emailed.keys()].filter((email) => !known.has(email)),
      "email dead or waiting": outbox.filter(({ sent_at }) => sent_at === null).map(({ id }) => String(id)),
      "unexpected status": results.filter(isUnexpected).map(({ visit, status }) => `${visit.email} ${status}`),
    },
  };
}

function isUnexpected({ visit, status }: VisitResult): boolean {
  return visit.kind === "invalid" ? status !== 422 : status !== 201 && status !== 409;
}

function attemptsAndDelays(counts: number[]): Verdict["attempts"] {
  const delays = (attempts: number) => Array.from({ length: attempts - 1 }, (_, n) => retryDelay(n + 1) / 60_000);
  const minutes = (attempts: number) => delays(attempts).reduce((sum, delay) => sum + delay, 0);
  return [...countBy(counts)]
    .map(([attempts, emails]) => ({ attempts, emails, minutes: minutes(attempts) }))
    .toSorted((a, b) => a.attempts - b.attempts);
}

function countBy<T>(values: T[]): Map<T, number> {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

function duplicates(counts: Map<string, number>): string[] {
  return [...counts].filter(([, count]) => count > 1).map(([value]) => value);
}
