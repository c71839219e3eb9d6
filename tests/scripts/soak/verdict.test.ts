import { expect, test } from "vitest";
import { rejoinSubject } from "#app/email/templates/rejoin-email.server.ts";
import type { Exchange } from "#scripts/soak/requests.ts";
import { type Evidence, judge } from "#scripts/soak/verdict.ts";

const ADA = "ada@example.com";

const acceptedAt = (at: number, to = ADA, subject = "Welcome", tags: Record<string, string> = {}) => ({
  key: `${to}-${at}`,
  to,
  emailId: null,
  from: "hello@waitlist-site.example",
  tags,
  subject,
  replyTo: "hello@waitlist-site.example",
  links: [],
  at,
});

const exchange = (kind: Exchange["kind"], at: number, status: number, email = ADA): Exchange => {
  return { kind, email, status, body: "", failedRequests: 0, sentAt: at, at };
};

const visit = exchange("new", 10, 201);
const comeback = exchange("return", 150, 201);
const complaint = exchange("email.complained", 100, 200);
const bounce = exchange("email.bounced", 100, 200);
const left = exchange("left", 100, 200);
const erased = exchange("erased", 100, 303);
const forgery = (status: number) => ({ ...exchange("email.complained", 100, status), forged: true });

const entry = { id: 1, email: ADA, status: "active" };
const sent = { id: "a", entry_id: 1, kind: "welcome", sent_at: 20, dead_at: null, attempts: 1 };
const refused = { ...sent, sent_at: null, dead_at: 20, reason: "address-refused" };

/** A visitor who joined at 10 and got the welcome email at 20. @param later what happened after that */
const evidence = (later: Exchange[], overrides: Partial<Evidence>): Evidence => ({
  exchanges: [visit, ...later],
  entries: [entry],
  outbox: [sent],
  recipients: [],
  accepted: [acceptedAt(20)],
  suppressed: new Set(),
  ...overrides,
});

function lossesOf(later: Exchange[], overrides: Partial<Evidence>): string[] {
  const { losses } = judge(evidence(later, overrides));
  return Object.keys(losses).filter((kind) => losses[kind]?.length !== 0);
}

const second = [acceptedAt(20), acceptedAt(200)];
const rejoin = [acceptedAt(20), acceptedAt(200, ADA, rejoinSubject)];
const suppressed = new Set([ADA]);
const letterAt = (at: number) => acceptedAt(at, ADA, "News", { letter: "a" });
const withLetter = [acceptedAt(20), letterAt(200)];
const recipient = (state: string) => ({ recipients: [{ email: ADA, state }] });
const never = exchange("never", 100, 303);
const waiting = { ...sent, sent_at: null, reason: "sign-up-bounces" };

test.each<[string, Exchange[], Partial<Evidence>]>([
  ["201 response but not listed", [], { entries: [] }],
  ["submitted but not listed", [], { entries: [] }],
  ["emailed but not listed", [], { entries: [] }],
  ["listed twice", [], { entries: [entry, { ...entry, id: 2 }] }],
  ["two 201 responses", [exchange("new", 11, 201)], {}],
  ["active but not emailed", [], { accepted: [] }],
  ["emailed twice", [], { accepted: second }],
  ["email dead or waiting", [], { outbox: [{ ...sent, sent_at: null }] }],
  ["email dead or waiting", [], { outbox: [refused] }],
  ["returned but not emailed", [left, comeback], {}],
  ["returned but not emailed", [erased, comeback], {}],
  ["emailed after a complaint", [complaint, comeback], { accepted: rejoin }],
  ["emailed after a bounce", [bounce, comeback], { accepted: second }],
  ["emailed after leaving", [left], { accepted: rejoin }],
  ["emailed after leaving", [left, comeback], { accepted: second }],
  ["emailed after leaving", [left, comeback], { accepted: [...rejoin, acceptedAt(300, ADA, rejoinSubject)] }],
  ["emailed after erasure", [erased], { accepted: second }],
  ["emailed after erasure", [left, comeback, exchange("erased", 160, 303)], { accepted: rejoin }],
  ["active but not emailed", [], { accepted: [letterAt(200)] }],
  ["letter sent twice", [], { accepted: [...withLetter, letterAt(300)] }],
  ["letter lost", [], recipient("sent")],
  ["letter lost", [], recipient("pending")],
  ["letter sent but not counted", [], { accepted: withLetter, ...recipient("skipped") }],
  ["emailed after leaving", [left], { accepted: withLetter }],
  ["emailed after asking for no email", [never], { accepted: withLetter }],
  ["forged webhook believed", [forgery(200)], {}],
  ["forged webhook believed", [forgery(401)], { suppressed }],
  ["webhook lost", [complaint], {}],
  ["webhook lost", [bounce], {}],
  ["unexpected status", [exchange("new", 11, 500)], {}],
  ["unexpected status", [exchange("invalid", 11, 201, "x@example")], {}],
  ["unexpected status", [exchange("email.opened", 100, 503)], {}],
  ["unexpected status", [exchange("left", 100, 404)], {}],
  ["unexpected status", [exchange("flood", 11, 500)], {}],
  ["unexpected status", [exchange("erased", 100, 200)], {}],
])("finds: %s", (kind, later, overrides) => {
  expect(lossesOf(later, overrides)).toContain(kind);
});

test.each<[string, Exchange[], Partial<Evidence>]>([
  ["a welcome email", [], {}],
  ["an email accepted before the complaint", [complaint], { suppressed }],
  ["one rejoin email after leaving", [left, comeback], { accepted: rejoin }],
  ["a new welcome after erasure", [erased, comeback], { accepted: second }],
  ["an erased entry", [erased], { entries: [], outbox: [] }],
  [
    "no email to a suppressed address",
    [bounce, exchange("email.bounced/Transient", 100, 200, "bob@example.com")],
    { outbox: [refused], suppressed },
  ],
  [
    "a welcome that its recipient left",
    [],
    { entries: [{ ...entry, status: "unsubscribed" }], outbox: [{ ...sent, sent_at: null }] },
  ],
  ["a forged webhook that was refused", [forgery(401)], {}],
  ["a letter besides the welcome email", [], { accepted: withLetter, ...recipient("sent") }],
  [
    "a letter before its recipient left",
    [exchange("left", 210, 200)],
    { accepted: withLetter, ...recipient("unknown") },
  ],
  ["a recipient who left and was skipped", [never], recipient("skipped")],
  ["a sign-up whose email waits", [], { accepted: [], outbox: [waiting] }],
  ["a flood's sign-ups, beyond the limit", [exchange("flood", 11, 429)], {}],
])("accepts: %s", (_name, later, overrides) => {
  expect(lossesOf(later, overrides)).toEqual([]);
});
