import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { rejoinSubject } from "#app/email/templates/entry-emails.server.ts";
import { localSecrets } from "#app/server/config/local-secrets.server.ts";
import { keyedHash } from "#app/server/hashes/address-hash.server.ts";
import type { AcceptedEmail } from "#scripts/lib/resend-account.ts";
import type { Exchange } from "#scripts/soak/requests.ts";
import { judge } from "#scripts/soak/verdict.ts";

const ADA = "ada@example.com";

/** Rows of the site's tables, and what the provider accepted. */
interface Evidence {
  waitlist_emails: object[];
  email_outbox: object[];
  letter_recipients: object[];
  suppressions: object[];
  accepted: AcceptedEmail[];
}

/** What the verdict reads of them. */
const columns = {
  waitlist_emails: ["id", "email", "status"],
  email_outbox: ["id", "entry_id", "kind", "reason", "done_at", "dead_at"],
  letter_recipients: ["entry_id", "state"],
  suppressions: ["address_hash"],
};

const acceptedAt = (at: number, subject = "Welcome", tags: Record<string, string> = {}): AcceptedEmail => {
  return { key: `${at}`, to: ADA, from: "hello@example.com", tags, subject, replyTo: "", links: [], at };
};

const exchange = (kind: Exchange["kind"], at: number, status: number): Exchange => {
  return { kind, email: ADA, status, body: "", failedRequests: 0, sentAt: at, at };
};

const visit = exchange("new", 10, 201);
const comeback = exchange("return", 150, 201);
const complaint = exchange("email.complained", 100, 200);
const bounce = exchange("email.bounced", 100, 200);
const left = exchange("left", 100, 200);
const erased = exchange("erased", 100, 303);

const entry = { id: 1, email: ADA, status: "active" };
const sent = { id: "a", entry_id: 1, kind: "welcome", done_at: 20, dead_at: null, attempts: 1 };
const refused = { ...sent, done_at: null, dead_at: 20, reason: "address-refused" };

/** A visitor who joined at 10 and got the welcome email at 20. @param later what happened after that */
async function lossesOf(later: Exchange[], { accepted = [acceptedAt(20)], ...changes }: Partial<Evidence>) {
  const site = { waitlist_emails: [entry], email_outbox: [sent], letter_recipients: [], suppressions: [], ...changes };
  using database = new DatabaseSync(":memory:");
  for (const [table, names] of Object.entries(columns)) {
    const values = names.map((name) => `value ->> '${name}' AS ${name}`).join(", ");
    const rows = JSON.stringify(site[table as keyof typeof site]);
    database.prepare(`CREATE TABLE ${table} AS SELECT ${values} FROM json_each(?)`).run(rows);
  }
  const { losses } = await judge(database, [visit, ...later], accepted);
  return Object.keys(losses).filter((kind) => losses[kind]?.length !== 0);
}

const second = [acceptedAt(20), acceptedAt(200)];
const rejoin = [acceptedAt(20), acceptedAt(200, rejoinSubject)];
const suppressions = [{ address_hash: await keyedHash("address:v1", ADA, localSecrets.HASH_KEY) }];
const letterAt = (at: number) => acceptedAt(at, "News", { letter: "a" });
const withLetter = [acceptedAt(20), letterAt(200)];
const recipient = (state: string) => ({ letter_recipients: [{ entry_id: 1, state }] });
const never = exchange("never", 100, 303);
const waiting = { ...sent, done_at: null, reason: "sign-up-bounces" };

test.each<[string, Exchange[], Partial<Evidence>]>([
  ["signed up but not listed", [], { waitlist_emails: [] }],
  ["emailed but not listed", [], { waitlist_emails: [] }],
  ["active but not emailed", [], { accepted: [letterAt(200)] }],
  ["emailed twice", [], { accepted: second }],
  ["email dead or waiting", [], { email_outbox: [{ ...sent, done_at: null }] }],
  ["returned but not emailed", [left, comeback], {}],
  ["returned but not emailed", [erased, comeback], {}],
  ["emailed after departure", [complaint, comeback], { accepted: rejoin }],
  ["emailed after departure", [left], { accepted: withLetter }],
  ["emailed after departure", [left, comeback], { accepted: second }],
  ["emailed after departure", [left, comeback, exchange("erased", 160, 303)], { accepted: rejoin }],
  ["letter sent twice", [], { accepted: [...withLetter, letterAt(300)] }],
  ["letter lost or not counted", [], recipient("sent")],
  ["letter lost or not counted", [], { accepted: withLetter, ...recipient("skipped") }],
  ["webhook lost", [bounce], {}],
  ["unexpected status", [exchange("new", 11, 500)], {}],
  ["unexpected status", [exchange("email.delivered", 100, 503)], {}],
])("finds: %s", async (kind, later, overrides) => {
  expect(await lossesOf(later, overrides)).toContain(kind);
});

test.each<[string, Exchange[], Partial<Evidence>]>([
  ["a welcome email", [], {}],
  ["one rejoin email after leaving", [left, comeback], { accepted: rejoin }],
  ["a new welcome after erasure", [erased, comeback], { accepted: second }],
  ["no email to a suppressed address", [bounce], { email_outbox: [refused], suppressions }],
  ["a letter besides the welcome email", [], { accepted: withLetter, ...recipient("sent") }],
  ["a recipient who left and was skipped", [never], recipient("skipped")],
  ["a sign-up whose email waits", [], { accepted: [], email_outbox: [waiting] }],
  ["a flood's sign-ups, beyond the limit", [exchange("flood", 11, 429)], {}],
])("accepts: %s", async (_name, later, overrides) => {
  expect(await lossesOf(later, overrides)).toEqual([]);
});
