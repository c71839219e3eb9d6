import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import type { StrictAccount } from "#tests/support/pool/email-rules.ts";
import { emailBinding } from "#tests/support/pool/emails.ts";

/*
 * The stand-in for Cloudflare's email binding, held to what Cloudflare documents. One that is kinder hides a failure.
 * https://developers.cloudflare.com/email-service/reference/headers/, /platform/limits/ and /api/send-emails/workers-api/
 */

const ADA = "ada@example.com";
const HTTPS = "<https://waitlist-site.example/unsubscribe>";
const email = { from: "pioneers@waitlist-site.example", to: ADA, subject: "Hello", text: "Hello" };

function send(change: object, account: StrictAccount = {}) {
  return emailBinding(account).binding.send({ ...email, ...change } as EmailMessageBuilder);
}

/** So many headers, each of 2,000 bytes. */
const large = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`X-Test-${n}`, "x".repeat(2_000)]));

/** All that the documentation allows besides `X-` headers, with a value. */
const allowed = {
  ...{ "In-Reply-To": "<a@b>", References: "<a@b>" },
  ...{ "List-Unsubscribe": `${HTTPS}, <mailto:a@b.example>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" },
  ...{
    "List-Id": "a",
    "List-Archive": "a",
    "List-Help": "a",
    "List-Owner": "a",
    "List-Post": "a",
    "List-Subscribe": "a",
  },
  ...{ Precedence: "bulk", "Auto-Submitted": "auto-generated", "Content-Language": "en", Keywords: "a", Comments: "a" },
  ...{ Importance: "low", Priority: "urgent", Sensitivity: "private", Organization: "a", Expires: "a" },
};

test.each<[string, object]>([
  ["a sender with a name", { from: { name: "Stallwright", email: email.from } }],
  ["50 recipients", { to: Array(30).fill(ADA), cc: Array(10).fill(ADA), bcc: Array(10).fill(ADA) }],
  ["a subject of 998 characters", { subject: "x".repeat(998) }],
  ["only HTML", { text: undefined, html: "<p>Hello</p>" }],
  ["20 headers of the allowlist", { headers: allowed }],
  ["in other letters", { headers: { "LIST-UNSUBSCRIBE": HTTPS } }],
  [
    "others of the allowlist",
    { headers: { "Reply-By": "a", "Archived-At": "a", "Require-Recipient-Valid-Since": "a" } },
  ],
  ["a header of its own, of 2,048 bytes", { headers: { "X-My_Header": "x".repeat(2_048) } }],
  ["16 KB of headers", { headers: large(8) }],
])("accepts %s", async (_, change) => {
  expect(await send(change)).toHaveProperty("messageId");
});

test.each<[string, object]>([
  ["E_FIELD_MISSING", { from: "" }],
  ["E_FIELD_MISSING", { to: "" }],
  ["E_FIELD_MISSING", { subject: "" }],
  ["E_VALIDATION_ERROR", { text: "" }],
  ["E_VALIDATION_ERROR", { to: "ada" }],
  ["E_VALIDATION_ERROR", { replyTo: "ada" }],
  ["E_VALIDATION_ERROR", { subject: "x".repeat(999) }],
  ["E_VALIDATION_ERROR", { subject: "Hello\r\nBcc: eve@example.com" }],
  ["E_TOO_MANY_RECIPIENTS", { to: Array(51).fill(ADA) }],
  ["E_TOO_MANY_RECIPIENTS", { cc: Array(25).fill(ADA), bcc: Array(25).fill(ADA) }],
  ["E_CONTENT_TOO_LARGE", { html: "x".repeat(5 * 1_048_576) }],
  ...[
    "Date",
    "Message-ID",
    "MIME-Version",
    "Content-Type",
    "DKIM-Signature",
    "Return-Path",
    "Received",
    "Feedback-ID",
  ].map((name): [string, object] => ["E_HEADER_NOT_ALLOWED", { headers: { [name]: "a" } }]),
  ["E_HEADER_NOT_ALLOWED", { headers: { "Disposition-Notification-To": "a" } }],
  ...["From", "To", "Cc", "Bcc", "Subject", "reply-to"].map((name): [string, object] => [
    "E_HEADER_USE_API_FIELD",
    { headers: { [name]: ADA } },
  ]),
  ["E_HEADER_VALUE_INVALID", { headers: { "List-Unsubscribe": "<http://localhost/unsubscribe>" } }],
  ["E_HEADER_VALUE_INVALID", { headers: { "List-Unsubscribe": "https://waitlist-site.example/unsubscribe" } }],
  ["E_HEADER_VALUE_INVALID", { headers: { "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" } }],
  [
    "E_HEADER_VALUE_INVALID",
    { headers: { "List-Unsubscribe": "<mailto:a@b.example>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" } },
  ],
  ["E_HEADER_VALUE_INVALID", { headers: { "List-Unsubscribe": HTTPS, "List-Unsubscribe-Post": "one-click" } }],
  ["E_HEADER_VALUE_INVALID", { headers: { "Auto-Submitted": "yes" } }],
  ["E_HEADER_VALUE_INVALID", { headers: { Precedence: "first-class" } }],
  ["E_HEADER_VALUE_INVALID", { headers: { Importance: "very" } }],
  ["E_HEADER_VALUE_INVALID", { headers: { "X-Test": "" } }],
  ["E_HEADER_VALUE_INVALID", { headers: { "X-Test": "a\nb" } }],
  ["E_HEADER_VALUE_TOO_LONG", { headers: { "X-Test": "é".repeat(1_025) } }],
  ["E_HEADER_NAME_INVALID", { headers: { "Bad Header!": "a" } }],
  ["E_HEADER_NAME_INVALID", { headers: { List_Id: "a" } }],
  ["E_HEADER_NAME_INVALID", { headers: { [`X-${"x".repeat(99)}`]: "a" } }],
  ["E_HEADERS_TOO_LARGE", { headers: large(9) }],
  ["E_HEADERS_TOO_MANY", { headers: { ...allowed, "Reply-By": "a" } }],
])("refuses with %s, in case %#", async (code, change) => {
  await expect(send(change)).rejects.toMatchObject({ code, message: expect.any(String) });
});

test.each<[string, StrictAccount]>([
  ["E_SENDER_DOMAIN_NOT_AVAILABLE", { onboarded: [] }],
  ["E_SENDER_NOT_VERIFIED", { verified: [] }],
  ["E_RECIPIENT_NOT_ALLOWED", { allowed: ["owner@waitlist-site.example"] }],
  ["E_RECIPIENT_SUPPRESSED", { suppressed: [ADA] }],
  ["E_DAILY_LIMIT_EXCEEDED", { dailyLimit: 0 }],
])("refuses with %s what an account may not send: %j", async (code, account) => {
  await expect(send({}, account)).rejects.toMatchObject({ code });
});

test("what it accepts, the platform's own simulator accepts", async () => {
  await expect(env.EMAIL.send({ ...email, headers: allowed })).resolves.toHaveProperty("messageId");
});
