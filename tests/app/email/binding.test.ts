import { expect, test } from "vitest";
import { sendEmail } from "#app/email/sender.server.ts";
import type { StrictAccount } from "#tests/support/pool/email-rules.ts";
import { emailBinding, outboxHarness } from "#tests/support/pool/emails.ts";
import { ownerReads } from "#tests/support/pool/owner-reads.ts";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/start.ts";
import { words } from "#tests/support/words.ts";

const log = freshDatabaseForEachTest();

/** 14:00 in London. */
const NOW = Date.UTC(2026, 10, 21, 14);
const WAITS = "Waiting since 21 Nov 2026, 14:00";
const DEAD = "Failed 21 Nov 2026, 14:00";
const LATER = `${WAITS}, next attempt after 21 Nov 2026, 14:05`;
const ADA = "ada@example.com";

/** A queued welcome email, and the binding of an account, which answers with an error of this code. */
async function situation(account: StrictAccount, code?: string) {
  const failing = code === undefined ? {} : { failures: 1, code };
  const outbox = outboxHarness({ account: { ...account, ...failing }, ownerTimeZone: "Europe/London" });
  // Emails of a site with https have more headers.
  outbox.deps.emailContext.siteUrl = "https://waitlist-site.example";
  outbox.clock.now = NOW;
  await outbox.join(ADA);
  return { outbox, send: () => sendEmail(outbox.deps, { email: ADA }) };
}

const pausedBy = (reason: string, then = "next attempt at 14:15") => `${WAITS}: ${reason}; ${then}`;
const emailIsPaused = "Email is paused: The email provider";
const unverified = pausedBy(`${emailIsPaused} has not verified the sender’s domain`);
const onlyVerified = pausedBy(`${emailIsPaused} accepts only recipients verified in its account`);
const slower = pausedBy(`${emailIsPaused} asked us to send more slowly`, "sending resumes at 14:01");
const daily = pausedBy("Daily limit reached");
const outage = `${LATER}: The email provider had an internal error`;
const rejected = `${DEAD}: The email provider rejected this email`;
const refusedForNow = `${WAITS}, next attempt after 22 Nov 2026, 14:00: The email provider sends nothing to this address for now`;

type Case = [code: string, StrictAccount | null, "sent" | "waits" | "paused" | "dead", attempts: number, text: string];

const suppressedFor = (reason: string) => ({ suppressed: [ADA], suppression: `Recipient is suppressed (${reason})` });
const rejections = words(`E_VALIDATION_ERROR E_FIELD_MISSING E_TOO_MANY_RECIPIENTS E_CONTENT_TOO_LARGE
  E_HEADER_NOT_ALLOWED E_HEADER_USE_API_FIELD E_HEADER_VALUE_INVALID E_HEADER_VALUE_TOO_LONG E_HEADER_NAME_INVALID
  E_HEADERS_TOO_LARGE E_HEADERS_TOO_MANY`);

/**
 * Every documented error code, by what becomes of the email, whether it used up an attempt, and what the owner reads. Without
 * an account that leads to the error, the binding answers with it.
 */
test.each<Case>([
  ["accepted", {}, "sent", 1, "Sent 21 Nov 2026, 14:00"],
  ["E_RATE_LIMIT_EXCEEDED", null, "paused", 0, slower],
  ["E_DAILY_LIMIT_EXCEEDED", { dailyLimit: 0 }, "paused", 0, daily],
  ["E_SENDER_NOT_VERIFIED", { verified: [] }, "paused", 0, unverified],
  ["E_SENDER_DOMAIN_NOT_AVAILABLE", { onboarded: [] }, "paused", 0, unverified],
  ["E_RECIPIENT_NOT_ALLOWED", { allowed: ["owner@waitlist-site.example"] }, "paused", 0, onlyVerified],
  ["E_RECIPIENT_SUPPRESSED", { suppressed: [ADA] }, "waits", 0, refusedForNow],
  ["complaint", suppressedFor("complaint"), "dead", 1, `${DEAD}: The recipient reported an email as spam`],
  ["manual", suppressedFor("manual"), "dead", 1, `${DEAD}: This address was blocked by hand at the email provider`],
  ["hard_bounce", suppressedFor("hard_bounce"), "dead", 1, `${DEAD}: This address does not accept email`],
  ["soft_bounce", suppressedFor("soft_bounce"), "waits", 0, refusedForNow],
  ["policy", suppressedFor("policy"), "waits", 0, refusedForNow],
  ["E_DELIVERY_FAILED", null, "waits", 1, `${LATER}: The email provider could not deliver it`],
  ["E_INTERNAL_SERVER_ERROR", null, "waits", 0, outage],
  ...rejections.map((code): Case => [code, null, "dead", 1, rejected]),
  ["E_NEW", null, "waits", 1, outage],
])("%s", async (code, account, became, attempts, text) => {
  const { outbox, send } = await situation(account ?? {}, account === null ? code : undefined);
  expect(await send()).toBe(became === "sent" ? "done" : "failed");
  const [done_at, dead_at] = ["sent", "dead"].map((state) => (became === state ? NOW : null));
  expect(await rows("email_outbox")).toMatchObject([{ attempts, leased_until: 0, done_at, dead_at }]);
  expect(await rows("email_pauses")).toHaveLength(became === "paused" ? 1 : 0);
  expect(await ownerReads(outbox)).toBe(text);
  expect(log.join()).not.toContain("@");
});

/*
 * The stand-in for Cloudflare's email binding, held to what Cloudflare documents. One that is kinder hides a failure.
 * https://developers.cloudflare.com/email-service/reference/headers/, /platform/limits/ and /api/send-emails/workers-api/
 */

const HTTPS = "<https://waitlist-site.example/unsubscribe>";
const POST = "List-Unsubscribe=One-Click";
const email = { from: "pioneers@waitlist-site.example", to: ADA, subject: "Hello", text: "Hello" };

const offer = (change: object) => emailBinding().binding.send({ ...email, ...change } as EmailMessageBuilder);
const header = (name: string, value: string) => ({ headers: { [name]: value } });
const oneClick = (value: string, post = POST) => {
  return { headers: { "List-Unsubscribe": value, "List-Unsubscribe-Post": post } };
};
const unsubscribeOf = (size: number) => header("List-Unsubscribe", `<mailto:${"x".repeat(size - 9)}>`);

test.each<[what: string, ...changes: object[]]>([
  ["a sender with a name", { from: { name: "Stallwright", email: email.from } }],
  ["a subject of 998 characters", { subject: "x".repeat(998) }],
  ["only HTML", { text: undefined, html: "<p>Hello</p>" }],
  ["what this site's emails have", header("Auto-Submitted", "auto-generated"), header("List-Id", "<letters.example>")],
  ["one click", oneClick(HTTPS), oneClick(`${HTTPS}, <mailto:a@b.example>`)],
  ["a header of 2,048 bytes", unsubscribeOf(2_048)],
])("the stand-in accepts %s", async (_, ...changes) => {
  for (const change of changes) expect(await offer(change)).toHaveProperty("messageId");
});

test.each<[code: string, ...changes: object[]]>([
  ["E_FIELD_MISSING", { from: "" }, { to: "" }, { subject: "" }],
  [
    "E_VALIDATION_ERROR",
    { text: "" },
    { to: "ada" },
    { to: [ADA, ADA] },
    { cc: ADA },
    { bcc: ADA },
    { replyTo: "ada" },
  ],
  ["E_VALIDATION_ERROR", { subject: "x".repeat(999) }, { subject: "Hello\r\nBcc: eve@example.com" }],
  ["E_CONTENT_TOO_LARGE", { html: "x".repeat(5 * 1_048_576) }],
  ["E_HEADER_NOT_ALLOWED", ...["Date", "Feedback-ID", "From", "reply-to", "X-Test"].map((name) => header(name, "a"))],
  ["E_HEADER_VALUE_INVALID", header("List-Unsubscribe", HTTPS.replace("https", "http")), header("List-Id", "")],
  ["E_HEADER_VALUE_INVALID", header("List-Unsubscribe", HTTPS.slice(1, -1)), header("List-Unsubscribe-Post", POST)],
  ["E_HEADER_VALUE_INVALID", oneClick("<mailto:a@b.example>"), oneClick(HTTPS, "one-click")],
  ["E_HEADER_VALUE_INVALID", header("Auto-Submitted", "yes"), header("List-Id", "a\nb")],
  ["E_HEADER_VALUE_TOO_LONG", unsubscribeOf(2_049)],
])("the stand-in refuses with %s, in row %#", async (code, ...changes) => {
  for (const change of changes)
    await expect(offer(change)).rejects.toMatchObject({ code, message: expect.any(String) });
});
