import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import type { StrictAccount } from "#tests/support/pool/email-rules.ts";
import { emailBinding } from "#tests/support/pool/emails.ts";
import { words } from "#tests/support/words.ts";

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
const plainNames = words(`In-Reply-To References List-Id List-Archive List-Help List-Owner List-Post List-Subscribe
  Content-Language Keywords Comments Organization Expires`);
const oneClick = "List-Unsubscribe=One-Click";
const allowed = {
  ...Object.fromEntries(plainNames.map((name) => [name, "a"])),
  ...{ "List-Unsubscribe": `${HTTPS}, <mailto:a@b.example>`, "List-Unsubscribe-Post": oneClick },
  ...{ Precedence: "bulk", "Auto-Submitted": "auto-generated" },
  ...{ Importance: "low", Priority: "urgent", Sensitivity: "private" },
};
const others = { "Reply-By": "a", "Archived-At": "a", "Require-Recipient-Valid-Since": "a" };

test.each<[string, object]>([
  ["a sender with a name", { from: { name: "Stallwright", email: email.from } }],
  ["50 recipients", { to: Array(30).fill(ADA), cc: Array(10).fill(ADA), bcc: Array(10).fill(ADA) }],
  ["a subject of 998 characters", { subject: "x".repeat(998) }],
  ["only HTML", { text: undefined, html: "<p>Hello</p>" }],
  ["20 headers of the allowlist", { headers: allowed }],
  ["others of it, also in other letters", { headers: { ...others, "LIST-UNSUBSCRIBE": HTTPS } }],
  ["a header of its own, of 2,048 bytes", { headers: { "X-My_Header": "x".repeat(2_048) } }],
  ["16 KB of headers", { headers: large(8) }],
])("accepts %s", async (_, change) => {
  expect(await send(change)).toHaveProperty("messageId");
});

const unlisted = words(`Date Message-ID MIME-Version Content-Type DKIM-Signature Return-Path Received Feedback-ID
  Disposition-Notification-To`);
const header = (name: string, value: string) => ({ headers: { [name]: value } });

test.each<[code: string, ...changes: object[]]>([
  ["E_FIELD_MISSING", { from: "" }, { to: "" }, { subject: "" }],
  ["E_VALIDATION_ERROR", { text: "" }, { to: "ada" }, { replyTo: "ada" }],
  ["E_VALIDATION_ERROR", { subject: "x".repeat(999) }, { subject: "Hello\r\nBcc: eve@example.com" }],
  ["E_TOO_MANY_RECIPIENTS", { to: Array(51).fill(ADA) }, { cc: Array(25).fill(ADA), bcc: Array(25).fill(ADA) }],
  ["E_CONTENT_TOO_LARGE", { html: "x".repeat(5 * 1_048_576) }],
  ["E_HEADER_NOT_ALLOWED", ...unlisted.map((name) => header(name, "a"))],
  ["E_HEADER_USE_API_FIELD", ...words("From To Cc Bcc Subject reply-to").map((name) => header(name, ADA))],
  ["E_HEADER_VALUE_INVALID", header("List-Unsubscribe", "<http://localhost/unsubscribe>")],
  ["E_HEADER_VALUE_INVALID", header("List-Unsubscribe", "https://waitlist-site.example/unsubscribe")],
  ["E_HEADER_VALUE_INVALID", header("List-Unsubscribe-Post", oneClick)],
  [
    "E_HEADER_VALUE_INVALID",
    { headers: { "List-Unsubscribe": "<mailto:a@b.example>", "List-Unsubscribe-Post": oneClick } },
  ],
  ["E_HEADER_VALUE_INVALID", { headers: { "List-Unsubscribe": HTTPS, "List-Unsubscribe-Post": "one-click" } }],
  ["E_HEADER_VALUE_INVALID", header("Auto-Submitted", "yes"), header("Precedence", "first-class")],
  ["E_HEADER_VALUE_INVALID", header("Importance", "very"), header("X-Test", ""), header("X-Test", "a\nb")],
  ["E_HEADER_VALUE_TOO_LONG", header("X-Test", "é".repeat(1_025))],
  ["E_HEADER_NAME_INVALID", header("Bad Header!", "a"), header("List_Id", "a"), header(`X-${"x".repeat(99)}`, "a")],
  ["E_HEADERS_TOO_LARGE", { headers: large(9) }],
  ["E_HEADERS_TOO_MANY", { headers: { ...allowed, "Reply-By": "a" } }],
])("refuses with %s, in row %#", async (code, ...changes) => {
  for (const change of changes) await expect(send(change)).rejects.toMatchObject({ code, message: expect.any(String) });
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
