import { env } from "cloudflare:test";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { EMAIL_TIMEOUT, type EmailMessage } from "#app/email/mailer.server.ts";
import { cloudflareMailer } from "#app/email/providers/cloudflare/mailer.server.ts";
import { emailBinding } from "#tests/support/pool/email.ts";

const from = "pioneers@waitlist-site.example";
const email: EmailMessage = {
  to: "ada@example.com",
  replyTo: env.CONTACT_EMAIL,
  subject: "Hello",
  text: "Hello",
  html: "<p>Hello</p>",
  headers: { "Auto-Submitted": "auto-generated" },
};

describe("rejects control characters in every field that becomes a header", () => {
  const refused = { state: "permanent", reason: "unsafe-header" };
  const injected = "x\r\nBcc: eve@example.com";
  test.each([
    ["to", { ...email, to: `ada@example.com${injected}` }],
    ["to, line feed alone", { ...email, to: "ada@example.com\nBcc: eve@example.com" }],
    ["replyTo", { ...email, replyTo: injected }],
    ["subject", { ...email, subject: injected }],
    ["a header's value", { ...email, headers: { "X-Test": injected } }],
    ["a header's name", { ...email, headers: { [`X-${injected}`]: "1" } }],
    ["a null byte", { ...email, subject: "x\0" }],
  ])("%s", async (_field, unsafe) => {
    const { binding, accepted } = emailBinding();
    expect(await cloudflareMailer(binding, from).send(unsafe, "id")).toMatchObject(refused);
    expect(accepted).toEqual([]);
  });

  test("from", async () => {
    const { binding, accepted } = emailBinding();
    expect(await cloudflareMailer(binding, injected).send(email, "id")).toMatchObject(refused);
    expect(accepted).toEqual([]);
  });

  test("the local simulator accepts them", async () => {
    const message = { from, to: "ada@example.com", subject: injected, text: "x" };
    await expect(env.EMAIL.send(message)).resolves.toHaveProperty("messageId");
  });
});

test("the outcome is unknown if the binding does not respond in time", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const binding = { send: () => new Promise<never>(() => {}) } as SendEmail;
  const sending = cloudflareMailer(binding, from).send(email, "id");
  await vi.advanceTimersByTimeAsync(EMAIL_TIMEOUT);
  expect(await sending).toMatchObject({ state: "unknown", reason: "timed-out" });
});
