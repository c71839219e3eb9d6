import { expect, test } from "vitest";
import { rejoinSubject } from "#app/email/templates/rejoin-email.server.ts";
import type { Departure } from "#scripts/soak/people.ts";
import { type Evidence, judge } from "#scripts/soak/verdict.ts";

const ADA = "ada@example.com";

const acceptedAt = (at: number, to = ADA, subject = "Welcome") => ({
  key: `${to}-${at}`,
  to,
  emailId: null,
  tags: {},
  subject,
  links: [],
  at,
});

const visitAt = (at: number, kind: "new" | "return" | "invalid", status = 201, email = ADA) => ({
  visit: { kind, email, client: "198.18.0.0", requestsEmail: true },
  status,
  at,
  body: "",
  failedRequests: 0,
});

const departure = (kind: Departure["kind"], at = 100) => ({ email: ADA, kind, at });

const webhook = (type: string, { email = ADA } = {}) => {
  return { type, email, forged: false, status: 200, body: "", at: 100 };
};

const forgery = (status: number) => ({ ...webhook("email.complained"), forged: true, status });

const entry = { id: 1, email: ADA, status: "active" };
const sent = { id: "a", entry_id: 1, kind: "welcome", sent_at: 20, dead_at: null, attempts: 1 };
const refused = { ...sent, sent_at: null, dead_at: 20, reason: "address-refused" };

/** A visitor who joined at 10 and got the welcome email at 20. */
const evidence = (overrides: Partial<Evidence> = {}): Evidence => ({
  results: [visitAt(10, "new")],
  entries: [entry],
  outbox: [sent],
  accepted: [acceptedAt(20)],
  departures: [],
  webhooks: [],
  failedLinks: [],
  suppressed: new Set(),
  limits: { rateLimits: 0, quotas: 0 },
  ...overrides,
});

function lossesOf(overrides: Partial<Evidence>): string[] {
  const { losses } = judge(evidence(overrides));
  return Object.keys(losses).filter((kind) => losses[kind]?.length !== 0);
}

const second = [acceptedAt(20), acceptedAt(200)];
const rejoin = [acceptedAt(20), acceptedAt(200, ADA, rejoinSubject)];
const returned = [visitAt(10, "new"), visitAt(150, "return")];

test.each<[string, Partial<Evidence>]>([
  ["201 response but not listed", { entries: [] }],
  ["submitted but not listed", { entries: [] }],
  ["emailed but not listed", { entries: [] }],
  ["listed twice", { entries: [entry, { ...entry, id: 2 }] }],
  ["two 201 responses", { results: [visitAt(10, "new"), visitAt(11, "new")] }],
  ["active but not emailed", { accepted: [] }],
  ["emailed twice", { accepted: second }],
  ["email dead or waiting", { outbox: [{ ...sent, sent_at: null }] }],
  ["email dead or waiting", { outbox: [refused] }],
  ["returned but not emailed", { results: returned, departures: [departure("left")] }],
  ["returned but not emailed", { results: returned, departures: [departure("erased")] }],
  ["emailed after a complaint", { accepted: rejoin, results: returned, departures: [departure("complaint")] }],
  ["emailed after a bounce", { accepted: second, results: returned, departures: [departure("bounce")] }],
  ["emailed after leaving", { accepted: rejoin, departures: [departure("left")] }],
  ["emailed after leaving", { accepted: second, results: returned, departures: [departure("left")] }],
  [
    "emailed after leaving",
    {
      accepted: [...rejoin, acceptedAt(300, ADA, rejoinSubject)],
      results: returned,
      departures: [departure("left")],
    },
  ],
  ["emailed after erasure", { accepted: second, departures: [departure("erased")] }],
  [
    "emailed after erasure",
    { accepted: rejoin, results: returned, departures: [departure("left"), departure("erased", 160)] },
  ],
  ["forged webhook believed", { webhooks: [forgery(200)] }],
  ["forged webhook believed", { webhooks: [forgery(401)], suppressed: new Set([ADA]) }],
  ["webhook lost", { webhooks: [webhook("email.complained")] }],
  ["webhook lost", { webhooks: [webhook("email.bounced")] }],
  ["unexpected status", { results: [visitAt(10, "new", 500)] }],
  ["unexpected status", { results: [visitAt(10, "new"), visitAt(11, "invalid", 201, "x@example")] }],
  ["unexpected status", { webhooks: [{ ...webhook("email.opened"), status: 503 }] }],
  ["unexpected status", { failedLinks: [{ email: ADA, status: 404, body: "" }] }],
])("finds: %s", (kind, overrides) => {
  expect(lossesOf(overrides)).toContain(kind);
});

const suppressed = new Set([ADA]);

test.each<[string, Partial<Evidence>]>([
  ["a welcome email", {}],
  ["an email accepted before the complaint", { departures: [departure("complaint")], suppressed }],
  ["one rejoin email after leaving", { accepted: rejoin, results: returned, departures: [departure("left")] }],
  ["a new welcome after erasure", { accepted: second, results: returned, departures: [departure("erased")] }],
  ["an erased entry", { entries: [], outbox: [], departures: [departure("erased")] }],
  [
    "no email to a suppressed address",
    {
      outbox: [refused],
      departures: [departure("bounce")],
      webhooks: [webhook("email.bounced"), webhook("email.bounced/Transient", { email: "bob@example.com" })],
      suppressed,
    },
  ],
  [
    "a welcome that its recipient left",
    { entries: [{ ...entry, status: "unsubscribed" }], outbox: [{ ...sent, sent_at: null }] },
  ],
  ["a forged webhook that was refused", { webhooks: [forgery(401)] }],
])("accepts: %s", (_name, overrides) => {
  expect(lossesOf(overrides)).toEqual([]);
});
