import { env } from "cloudflare:test";
import { expect, onTestFinished, test, vi } from "vitest";
import { resendMailer } from "#app/email/providers/resend/mailer.server.ts";
import { sendEmail } from "#app/email/sender.server.ts";
import type { Failure } from "#scripts/lib/resend-account.ts";
import { type AccountOptions, apiError } from "#scripts/lib/resend-rules.ts";
import { outboxHarness } from "#tests/support/pool/emails.ts";
import { ownerReads } from "#tests/support/pool/owner-reads.ts";
import { openResendAccount } from "#tests/support/pool/resend-account.ts";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/start.ts";

const EMAIL_TIMEOUT = 10_000;

const log = freshDatabaseForEachTest();

/** 01:00 in Tokyo on the 22nd, where Resend's day ends at 09:00. */
const NOW = Date.UTC(2026, 10, 21, 16);
const WAITS = "Waiting since 22 Nov 2026, 01:00";
const DEAD = "Failed 22 Nov 2026, 01:00";
const LATER = `${WAITS}, next attempt after 22 Nov 2026, 01:05`;

interface Situation extends AccountOptions {
  /** What the site is configured with. */
  key?: string;
  from?: string;
  url?: string;
  to?: string;
  failure?: Failure;
}

/** A queued welcome email, and an account at Resend. */
async function situation({ key = "re_1", from = env.MAIL_FROM, url, to, failure, ...options }: Situation) {
  const account = await openResendAccount({ apiKey: "re_1", ...options });
  if (failure !== undefined) await account.fail(failure);
  const outbox = outboxHarness({ ownerTimeZone: "Asia/Tokyo" });
  outbox.clock.now = NOW;
  outbox.deps.mailer = resendMailer({ apiKey: key, from, url: url ?? account.url });
  const email = to ?? "ada@example.com";
  await outbox.join(email);
  return { outbox, account, send: () => sendEmail(outbox.deps, { email }) };
}

const answer = (status: number, name: string, headers?: Record<string, string>) =>
  apiError(status, name, "As the documentation says about ada@example.com.", headers);

const outage = `${LATER}: The email provider had an internal error`;
const wrongKey = `${WAITS}: Email is paused: The email provider refused the API key; next attempt at 01:15`;
const unverified = `${WAITS}: Email is paused: The email provider has not verified the sender’s domain; next attempt at 01:15`;
const refused = `${WAITS}: Email is paused: The email provider refused this site’s requests; next attempt at 01:15`;
const rejected = `${DEAD}: The email provider rejected this email`;
const daily = `${WAITS}: Daily limit reached; next attempt at 01:15`;
const monthly = `${WAITS}: Monthly limit reached; next attempt at 02:00`;
const slower = `${WAITS}: Email is paused: The email provider asked us to send more slowly; sending resumes at 01:0`;
const unreached = `${LATER}: The email provider could not be reached`;
const unconfirmed = `${DEAD.replace("Failed", "Unknown")}: The email provider never confirmed it, so it may have arrived`;
const working = `${LATER}: The email provider is still working on an earlier attempt`;

type Became = "sent" | "waits" | "paused" | "dead";
type Case = [response: string, Situation, Became, attempts: number, text: string];

/** Responses such as "401 missing_api_key", which have the same effect. */
const each = (responses: string, ...effect: [Became, number, string]) =>
  responses.split(", ").map((response): Case => {
    const [status = "", name = ""] = response.split(" ");
    return [response, { failure: answer(Number(status), name) }, ...effect];
  });
const limited = (name: string, seconds: string) => ({ failure: answer(429, name, { "retry-after": seconds }) });

/** Every documented response, by what becomes of the email, whether it used up an attempt, and what the owner reads. */
test.each<Case>([
  ["200", {}, "sent", 1, "Sent 22 Nov 2026, 01:00"],
  ["200 for a suppressed recipient", { suppressed: ["ada@example.com"] }, "sent", 1, "Sent 22 Nov 2026, 01:00"],
  ["200 without an id", { failure: { status: 200, body: {} as never } }, "waits", 1, outage],
  ...each("307 redirect", "waits", 1, outage),
  ...each("400 invalid_idempotency_key, 400 validation_error, 451 security_error", "dead", 1, rejected),
  ...each("422 missing_required_field, 422 invalid_parameter, 422 invalid_attachment", "dead", 1, rejected),
  ["422 validation_error", { to: "ada@example" }, "dead", 1, rejected],
  ...each("422 invalid_region", "dead", 1, rejected),
  ["401 missing_api_key", { key: "" }, "paused", 0, wrongKey],
  ["401 validation_error", { key: "re_2" }, "paused", 0, wrongKey],
  ["400 validation_error about the key", { key: "nonsense" }, "paused", 0, wrongKey],
  ...each("401 restricted_api_key, 401 , 403 invalid_api_key, 403 suspended_api_key", "paused", 0, wrongKey),
  ...each("422 invalid_access", "paused", 0, wrongKey),
  ["403 validation_error", { verified: ["example.org"] }, "paused", 0, unverified],
  ["422 invalid_from_address", { from: "nonsense" }, "paused", 0, unverified],
  ...each("403 , 404 not_found, 405 method_not_allowed", "paused", 0, refused),
  ...each("409 invalid_idempotent_request", "dead", 1, unconfirmed),
  ...each("409 concurrent_idempotent_requests", "waits", 0, working),
  ["429 rate_limit_exceeded", { rateLimit: 0 }, "paused", 0, `${slower}0`],
  ["429 with a time", limited("rate_limit_exceeded", "120"), "paused", 0, `${slower}2`],
  ...each("429 rate_limit_exceeded without a time", "paused", 0, `${slower}1`),
  ["429 daily_quota_exceeded", { dailyQuota: 0 }, "paused", 0, daily],
  ["429 with a time that is not waited for", limited("daily_quota_exceeded", "3600"), "paused", 0, daily],
  ["429 monthly_quota_exceeded", { monthlyQuota: 0 }, "paused", 0, monthly],
  ...each("500 application_error, 503 service_unavailable", "waits", 0, outage),
  ["500 internal_server_error", { failure: "accepted-with-error" }, "waits", 0, outage],
  ["a broken connection", { failure: "accepted-without-response" }, "waits", 1, unreached],
  ["no server", { url: "http://127.0.0.1:1" }, "waits", 1, unreached],
])("%s", async (_response, options, became, attempts, text) => {
  const { outbox, send } = await situation(options);
  expect(await send()).toBe(became === "sent" ? "done" : "failed");
  const { now } = outbox.clock;
  const [email] = await rows("email_outbox");
  const [done_at, dead_at] = ["sent", "dead"].map((state) => (became === state ? now : null));
  expect(email).toMatchObject({ attempts, leased_until: 0, done_at, dead_at });
  expect(await rows("email_pauses")).toHaveLength(became === "paused" ? 1 : 0);
  expect(await ownerReads(outbox)).toBe(text);
  expect(log.join()).not.toContain("@");
});

test("no response in time: waits, with an attempt used up; the retry sends no second email, and webhooks can tell which it was", async () => {
  const { outbox, account, send } = await situation({ failure: "accepted-but-silent" });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const sending = send();
  while ((await account.state()).requests === 0);
  await vi.advanceTimersByTimeAsync(EMAIL_TIMEOUT);
  expect(await sending).toBe("failed");
  expect(await rows("email_outbox")).toMatchObject([{ attempts: 1, done_at: null, dead_at: null }]);
  expect(await ownerReads(outbox)).toBe(`${LATER}: The email provider took too long to answer`);
  outbox.clock.now += 20 * 3_600_000;
  // Until the provider sees that no one waits for its answer any more, it refuses a retry.
  while ((await account.state()).open > 0);
  expect(await send()).toBe("done");
  const [{ id = "" } = {}] = await rows<{ id: string }>("email_outbox");
  expect((await account.state()).accepted).toMatchObject([{ key: id, tags: { email_id: id } }]);
});

/*
 * The stand-in for Resend, held to what Resend documents. One that is kinder hides a failure.
 * https://resend.com/docs/api-reference/errors, /introduction, /emails/send-email and /emails/send-batch-emails
 */

const email = { from: "pioneers@waitlist-site.example", to: "ada@example.com", subject: "Hello", text: "Hello" };
const key = { Authorization: "Bearer re_1", "User-Agent": "test/1" };

async function account(options: AccountOptions = {}) {
  const { url, state, advance } = await openResendAccount({ apiKey: "re_1", ...options });
  return {
    accepted: async () => (await state()).accepted.length,
    advance,
    async post(body: unknown, headers: Record<string, string> = {}, path = "/emails", method = "POST") {
      const text = typeof body === "string" ? body : JSON.stringify(body);
      const init = { method, headers: { ...key, ...headers }, ...(method === "GET" ? {} : { body: text }) };
      const response = await fetch(url + path, init);
      return { status: response.status, headers: response.headers, body: await response.json<object>() };
    },
  };
}

type Asked = { headers?: Record<string, string>; path?: string; method?: string; options?: AccountOptions };

const batch = { path: "/emails/batch" };
const batchOf = (count: number) => Array.from({ length: count }, () => email);
const permissive = { "x-batch-validation": "permissive" };

test.each<[status: number, name: string, asked: Asked, ...bodies: unknown[]]>([
  [400, "invalid_idempotency_key", { headers: { "Idempotency-Key": "x".repeat(257) } }, email],
  [400, "validation_error", {}, "{"],
  [404, "not_found", { path: "/emails/one" }, email],
  [405, "method_not_allowed", { method: "GET" }, email],
  [422, "missing_required_field", {}, ...["subject", "to", "text"].map((name) => ({ ...email, [name]: undefined }))],
  [422, "validation_error", {}, { ...email, to: "ada" }, { ...email, to: Array(51).fill(email.to) }, [email]],
  [422, "validation_error", {}, { ...email, tags: [{ name: "e mail", value: "x" }] }],
  [422, "validation_error", batch, email, [], batchOf(101), [email, { ...email, to: "ada" }]],
  [422, "validation_error", batch, [{ ...email, attachments: [] }], [{ ...email, scheduled_at: "in an hour" }]],
  [403, "validation_error", { ...batch, headers: permissive }, [email, { ...email, from: "ada@example.org" }]],
  [429, "daily_quota_exceeded", { ...batch, options: { dailyQuota: 2 } }, batchOf(3)],
])("the stand-in responds with %d %s", async (status, name, { headers, path, method, options }, ...bodies) => {
  const { post, accepted } = await account(options);
  const refused = { status, body: { statusCode: status, name, message: expect.any(String) } };
  for (const body of bodies) expect(await post(body, headers, path, method)).toMatchObject(refused);
  expect(await accepted()).toBe(0);
});

test("the stand-in refuses what has no User-Agent, as workerd sends it, at the edge", async () => {
  const { url } = await openResendAccount();
  const response = await fetch(`${url}/emails`, { method: "POST", headers: { Authorization: "Bearer re_1" } });
  expect([response.status, await response.text()]).toEqual([403, "error code: 1010"]);
});

test("the stand-in accepts an email and a batch of 100, each email with an id, in order; in a permissive one it reports what is invalid", async () => {
  const { post, accepted } = await account();
  expect(await post(email)).toMatchObject({ status: 200, body: { id: expect.any(String) } });
  const { status, body } = await post(batchOf(100), {}, "/emails/batch");
  expect([status, body]).toEqual([200, { data: Array(100).fill({ id: expect.any(String) }) }]);
  expect(await accepted()).toBe(101);
  const mixed = await post([email, { ...email, to: "ada" }], permissive, "/emails/batch");
  const errors = [{ index: 1, message: expect.any(String) }];
  expect([mixed.status, mixed.body]).toEqual([200, { data: [{ id: expect.any(String) }], errors }]);
  expect(await accepted()).toBe(102);
});

test("the stand-in sends once for one idempotency key within 24 hours, refuses another body, and without a key sends again", async () => {
  const { post, accepted, advance } = await account();
  const named = { "Idempotency-Key": "a" };
  const first = await post(email, named);
  expect((await post(email, named)).body).toEqual(first.body);
  const refused = { status: 409, body: { name: "invalid_idempotent_request" } };
  expect(await post({ ...email, text: "Other" }, named)).toMatchObject(refused);
  expect(await accepted()).toBe(1);
  await advance(24 * 3_600_000 + 1);
  expect((await post(email, named)).body).not.toEqual(first.body);
  for (let n = 0; n < 2; n += 1) await post(email);
  expect(await accepted()).toBe(4);
});

test("the stand-in says with each response what is left of the rate limit, and beyond it when to try again", async () => {
  const { post } = await account({ rateLimit: 2 });
  const names = ["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset", "retry-after"];
  const limits = ({ headers }: { headers: Headers }) => names.map((name) => headers.get(name)).join(" ");
  const responses = await Promise.all([post(email), post(email), post(email)]);
  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 200, 429]);
  expect(responses.map(limits).toSorted()).toEqual(["2 0 1 ", "2 0 1 1", "2 1 1 "]);
});
