import { rejoinSubject } from "#app/email/templates/rejoin-email.server.ts";
import type { AcceptedEmail } from "#scripts/lib/resend-account.ts";
import type { Exchange } from "#scripts/soak/insist.ts";

type Row = Record<string, unknown>;

export interface Evidence {
  exchanges: Exchange[];
  entries: Row[];
  outbox: Row[];
  accepted: AcceptedEmail[];
  /** Addresses that are suppressed in the end. */
  suppressed: Set<string>;
}

/** The result of a soak. It passes when all losses are empty. */
export interface Verdict {
  stats: Record<string, number>;
  losses: Record<string, string[]>;
}

export function judge(evidence: Evidence): Verdict {
  const { exchanges, entries, outbox, accepted, suppressed } = evidence;
  const emailsOf = (isOne: (exchange: Exchange) => boolean) => exchanges.filter(isOne).map(({ email }) => email);
  const joined = emailsOf(({ kind, status }) => kind !== "return" && status === 201);
  const submitted = emailsOf(({ kind }) => kind === "new" || kind === "duplicate");
  const listed = entries.map(({ email }) => String(email));
  const active = entries.filter(({ status }) => status === "active").map(({ email }) => String(email));
  const emailed = countBy(accepted.map(({ to }) => to));
  const returned = firstReturns(exchanges);
  const cameBack = ({ email, at }: Exchange) => (returned.get(email) ?? 0) > at;
  const known = new Set([...listed, ...emailsOf((one) => one.kind === "erased" && isDeparture(one) && !cameBack(one))]);
  // Each of these returns may cause one more email.
  const undone = countBy(
    emailsOf((one) => (one.kind === "left" || one.kind === "erased") && isDeparture(one) && cameBack(one)),
  );
  return {
    stats: {
      ...Object.fromEntries(countBy(exchanges.map(describeReply))),
      "repeated after a kill": exchanges.filter(({ failedRequests }) => failedRequests > 0).length,
      entries: entries.length,
      "emails accepted": accepted.length,
    },
    losses: {
      "201 response but not listed": joined.filter((email) => !known.has(email)),
      "submitted but not listed": submitted.filter((email) => !known.has(email)),
      "listed twice": duplicates(listed),
      "two 201 responses": duplicates(joined),
      "active but not emailed": active.filter((email) => !emailed.has(email)),
      "returned but not emailed": [...undone.keys()].filter(isOwed(evidence, returned)),
      "emailed twice": [...emailed].filter(([email, n]) => n > 1 + (undone.get(email) ?? 0)).map(([email]) => email),
      "emailed but not listed": [...emailed.keys()].filter((email) => !known.has(email)),
      "email dead or waiting": outbox.filter(isUnsent(entries, suppressed)).map(({ id }) => String(id)),
      "emailed after a complaint": emailsOf(isIgnored("email.complained", evidence, returned)),
      "emailed after a bounce": emailsOf(isIgnored("email.bounced", evidence, returned)),
      "emailed after leaving": emailsOf(isIgnored("left", evidence, returned)),
      "emailed after erasure": emailsOf(isIgnored("erased", evidence, returned)),
      "forged webhook believed": emailsOf(
        ({ forged, status, email }) => forged === true && (status < 400 || suppressed.has(email)),
      ),
      "webhook lost": emailsOf(
        ({ kind, forged, email }) =>
          (kind === "email.complained" || kind === "email.bounced") && !forged && !suppressed.has(email),
      ),
      "unexpected status": exchanges
        .filter((one) => !isExpected(one))
        .map((one) => `${one.email} ${describeReply(one)} ${one.body.slice(0, 200)}`),
    },
  };
}

function describeReply({ kind, forged, status }: Exchange): string {
  return `${kind}${forged ? ", forged" : ""}: ${status}`;
}

function isExpected({ kind, forged, status }: Exchange): boolean {
  if (kind === "new" || kind === "duplicate" || kind === "return") return status === 201 || status === 409;
  if (kind === "invalid") return status === 422;
  if (kind === "erased") return status === 303;
  return status === (forged ? 401 : 200);
}

/** Whether it ended email to an address: a report of the provider, or the use of a link. */
function isDeparture(one: Exchange): boolean {
  const { kind, forged } = one;
  const ends = kind === "email.complained" || kind === "email.bounced" || kind === "left" || kind === "erased";
  return ends && !forged && isExpected(one);
}

/** When people entered their address again, by address. */
function firstReturns(exchanges: Exchange[]): Map<string, number> {
  const returns = exchanges.filter(({ kind }) => kind === "return").toSorted((a, b) => b.sentAt - a.sentAt);
  return new Map(returns.map(({ email, sentAt }) => [email, sentAt]));
}

/** Finds returning people who got no email although nothing ruled it out. */
function isOwed({ accepted, exchanges, suppressed }: Evidence, returned: Map<string, number>) {
  return (email: string): boolean => {
    const since = returned.get(email) ?? 0;
    const hasLeft = exchanges.some((one) => one.email === email && one.at > since && isDeparture(one));
    return !suppressed.has(email) && !hasLeft && !accepted.some(({ to, at }) => to === email && at >= since);
  };
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

/**
 * Finds departures of one kind after which the provider accepted an unwanted email. After a return, people who left may
 * get one email that asks whether they want to rejoin, and people who were erased are new.
 */
function isIgnored(kind: Exchange["kind"], { accepted }: Evidence, returned: Map<string, number>) {
  const emails = Map.groupBy(accepted, ({ to }) => to);
  return (departure: Exchange): boolean => {
    const since = returned.get(departure.email) ?? Number.POSITIVE_INFINITY;
    const isWanted = ({ at, subject }: AcceptedEmail, nth: number) =>
      since >= departure.at &&
      since <= at &&
      (kind === "erased" || (kind === "left" && nth === 0 && subject === rejoinSubject));
    const later = (emails.get(departure.email) ?? []).filter(({ at }) => at > departure.at);
    return departure.kind === kind && isDeparture(departure) && !later.every(isWanted);
  };
}

function countBy<T>(values: T[]): Map<T, number> {
  return new Map([...Map.groupBy(values, (value) => value)].map(([value, group]) => [value, group.length]));
}

function duplicates(values: string[]): string[] {
  return [...countBy(values)].filter(([, count]) => count > 1).map(([value]) => value);
}
