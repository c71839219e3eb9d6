import { expect, test } from "vitest";
import { emailBinding } from "#tests/support/pool/emails.ts";

/*
 * The stand-in for Cloudflare's email binding, held to what Cloudflare documents. One that is kinder hides a failure. What an
 * account refuses is held by `binding.test.ts`.
 * https://developers.cloudflare.com/email-service/reference/headers/, /platform/limits/ and /api/send-emails/workers-api/
 */

const ADA = "ada@example.com";
const HTTPS = "<https://waitlist-site.example/unsubscribe>";
const POST = "List-Unsubscribe=One-Click";
const email = { from: "pioneers@waitlist-site.example", to: ADA, subject: "Hello", text: "Hello" };

const send = (change: object) => emailBinding().binding.send({ ...email, ...change } as EmailMessageBuilder);
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
])("accepts %s", async (_, ...changes) => {
  for (const change of changes) expect(await send(change)).toHaveProperty("messageId");
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
])("refuses with %s, in row %#", async (code, ...changes) => {
  for (const change of changes) await expect(send(change)).rejects.toMatchObject({ code, message: expect.any(String) });
});
