import { retryDelay } from "#app/email/retry-schedule.ts";
import type { AcceptedEmail } from "#scripts/lib/resend-server.ts";
import type { Departure, FailedLink } from "#scripts/soak/people.ts";
import type { VisitResult } from "#scripts/soak/soak.ts";
import { unwantedEmails } from "#scripts/soak/unwanted.ts";
import type { SentWebhook } from "#scripts/soak/webhooks.ts";

type Row = Record<string, unknown>;

export interface Evidence {
  results: VisitResult[];
  entries: Row[];
  outbox: Row[];
  accepted: AcceptedEmail[];
  departures: Departure[];
  webhooks: SentWebhook[];
  failedLinks: FailedLink[];
  /** Addresses that are suppressed in the end. */
  suppressed: Set<string>;
  /** Responses of the provider that put all email on hold. */
  limits: { rateLimits: number; quotas: number };
}

/** The result of a soak. It passes when all losses are empty. */
export interface Verdict {
  stats: Record<string, number>;
  /** Emails by number of attempts, with the total delay between attempts (minutes). */
  attempts: { attempts: number; emails: number; minutes: number }[];
  losses: Record<string, string[]>;
}

export function judge(evidence: Evidence): Verdict {
  const { results, entries, outbox, accepted, departures, webhooks, failedLinks, suppressed, limits } = evidence;
  const visits = results.filter(({ visit }) => visit.kind !== "return");
  const returned = new Map<string, number>();
  for (const { visit, at } of results) {
    const first = returned.get(visit.email) ?? at;
    if (visit.kind === "return") returned.set(visit.email, Math.min(first, at));
  }
  const listed = entries.map(({ email }) => String(email));
  const emailed = countBy(accepted.map(({ to }) => to));
  const joined = visits.filter(({ status }) => status === 201).map(({ visit }) => visit.email.toLowerCase());
  const active = entries.filter(({ status }) => status === "active").map(({ email }) => String(email));
  const expected = visits.filter(({ visit }) => visit.kind !== "invalid").map(({ visit }) => visit.email.toLowerCase());
  const cameBack = ({ email, at }: Departure) => (returned.get(email) ?? 0) > at;
  const gone = new Set(departures.filter((one) => one.kind === "erased" && !cameBack(one)).map(({ email }) => email));
  const known = new Set([...listed, ...gone]);
  // Each of these returns may cause one more email.
  const undone = departures.filter((one) => (one.kind === "left" || one.kind === "erased") && cameBack(one));
  const maximum = (email: string) => 1 + undone.filter((one) => one.email === email).length;
  const reports = webhooks.filter(({ forged }) => !forged);
  const kinds = countBy(departures.map(({ kind }) => kind));

  return {
    stats: {
      visits: visits.length,
      "201 responses": joined.length,
      "409 responses": visits.filter(({ status }) => status === 409).length,
      "422 responses": visits.filter(({ status }) => status === 422).length,
      "retried after a kill": results.filter(({ failedRequests }) => failedRequests > 0).length,
      returns: returned.size,
      entries: entries.length,
      "emails accepted": accepted.length,
      "rate limits": limits.rateLimits,
      "daily quotas": limits.quotas,
      "webhooks, valid": reports.length,
      "webhooks, forged": webhooks.length - reports.length,
      complaints: kinds.get("complaint") ?? 0,
      bounces: kinds.get("bounce") ?? 0,
      left: kinds.get("left") ?? 0,
      erased: kinds.get("erased") ?? 0,
    },
    attempts: attemptsAndDelays(outbox.map(({ attempts }) => Number(attempts))),
    losses: {
      "201 response but not listed": joined.filter((email) => !known.has(email)),
      "submitted but not listed": [...new Set(expected)].filter((email) => !known.has(email)),
      "listed twice": duplicates(countBy(listed)),
      "two 201 responses": duplicates(countBy(joined)),
      "active but not emailed": active.filter((email) => !emailed.has(email)),
      "returned but not emailed": [...new Set(undone.map(({ email }) => email))].filter((email) =>
        isOwed(email, returned.get(email) ?? 0, evidence),
      ),
      "emailed twice": [...emailed].filter(([email, count]) => count > maximum(email)).map(([email]) => email),
      "emailed but not listed": [...emailed.keys()].filter((email) => !known.has(email)),
      "email dead or waiting": outbox.filter(isUnsent(entries, suppressed)).map(({ id }) => String(id)),
      ...unwantedEmails(evidence, returned),
      "forged webhook believed": webhooks
        .filter(({ forged, status, email }) => forged && (status < 400 || suppressed.has(email)))
        .map(({ email }) => email),
      "webhook lost": reports.filter((sent) => mustSuppress(sent) && !suppressed.has(sent.email)).map(describe),
      "unexpected status": [
        ...results
          .filter(isUnexpected)
          .map(({ visit, status, body }) => `${visit.email} ${status} ${body.slice(0, 200)}`),
        ...webhooks.filter(({ forged, status }) => status !== (forged ? 401 : 200)).map(describe),
        ...failedLinks.map(({ email, status, body }) => `${email} ${status} ${body.slice(0, 200)}`),
      ],
    },
  };
}

function describe({ type, email, status, body }: SentWebhook): string {
  return `${type} ${email} ${status} ${body.slice(0, 200)}`;
}

function mustSuppress({ type }: SentWebhook): boolean {
  return type === "email.complained" || type === "email.bounced";
}

/** Whether a returning person got no email although nothing ruled it out. */
function isOwed(email: string, since: number, { accepted, departures, suppressed }: Evidence): boolean {
  const mayBeEmailed = !suppressed.has(email) && !departures.some((one) => one.email === email && one.at > since);
  return mayBeEmailed && !accepted.some(({ to, at }) => to === email && at >= since);
}

/** Finds emails that were not sent although they should have been: their recipients neither left nor are suppressed. */
function isUnsent(entries: Row[], suppressed: Set<string>) {
  const byId = new Map(entries.map((entry) => [entry["id"], entry]));
  return ({ sent_at, dead_at, kind, reason, entry_id }: Row): boolean => {
    const entry = byId.get(entry_id);
    const isSuppressed = reason === "complaint" || reason === "address-refused";
    if (dead_at && isSuppressed && suppressed.has(String(entry?.["email"]))) return false;
    if (kind === "welcome" && entry?.["status"] === "unsubscribed") return false;
    return sent_at === null;
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
