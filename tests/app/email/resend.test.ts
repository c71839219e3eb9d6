import { env } from "cloudflare:test";
import { expect, onTestFinished, test, vi } from "vitest";
import { sendEmail } from "#app/email/deliver.server.ts";
import { resendMailer } from "#app/email/providers/resend/mailer.server.ts";
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
const unconfirmed = `${DEAD}: The email provider never confirmed it, so it may have arrived`;
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
  const [sent_at, dead_at] = ["sent", "dead"].map((state) => (became === state ? now : null));
  expect(email).toMatchObject({ attempts, leased_until: 0, sent_at, dead_at });
  expect(await rows("email_pauses")).toHaveLength(became === "paused" ? 1 : 0);
  expect(await ownerReads(outbox)).toBe(text);
  expect(log.join()).not.toContain("@");
});

test("no response in time: waits, with an attempt used up, and the retry sends no second email", async () => {
  const { outbox, account, send } = await situation({ failure: "accepted-but-silent" });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const sending = send();
  while ((await account.state()).requests === 0);
  await vi.advanceTimersByTimeAsync(EMAIL_TIMEOUT);
  expect(await sending).toBe("failed");
  expect(await rows("email_outbox")).toMatchObject([{ attempts: 1, sent_at: null, dead_at: null }]);
  expect(await ownerReads(outbox)).toBe(`${LATER}: The email provider took too long to answer`);
  outbox.clock.now += 20 * 3_600_000;
  // Until the provider sees that no one waits for its answer any more, it refuses a retry.
  while ((await account.state()).open > 0);
  expect(await send()).toBe("done");
  expect((await account.state()).accepted).toHaveLength(1);
});

test("tells webhooks which email it is about, without an address", async () => {
  const { account, send } = await situation({});
  await send();
  const [email] = await rows<{ id: string }>("email_outbox");
  expect((await account.state()).accepted).toMatchObject([{ key: email?.id, tags: { email_id: email?.id } }]);
});
