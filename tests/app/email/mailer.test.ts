import { env } from "cloudflare:test";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { bindingMailer } from "#app/email/binding-mailer.server.ts";
import { EMAIL_TIMEOUT, type Mail } from "#app/email/mailer.server.ts";
import { emailBinding } from "#tests/support/pool/email.ts";

const from = "pioneers@stallwright.example";
const mail: Mail = {
  to: "ada@example.com",
  replyTo: env.CONTACT_EMAIL,
  subject: "Hello",
  text: "Hello",
  html: "<p>Hello</p>",
  headers: { "Auto-Submitted": "auto-generated" },
};

describe("a line break in a field that reaches a header is refused by our own code", () => {
  const smuggled = "x\r\nBcc: eve@example.com";
  test.each([
    ["to", { ...mail, to: `ada@example.com${smuggled}` }],
    ["to, line feed alone", { ...mail, to: "ada@example.com\nBcc: eve@example.com" }],
    ["replyTo", { ...mail, replyTo: smuggled }],
    ["subject", { ...mail, subject: smuggled }],
    ["a header's value", { ...mail, headers: { "X-Test": smuggled } }],
    ["a header's name", { ...mail, headers: { [`X-${smuggled}`]: "1" } }],
    ["a null byte", { ...mail, subject: "x\0" }],
  ])("%s", async (_field, unsafe) => {
    const { binding, accepted } = emailBinding();
    await expect(bindingMailer(binding, from).send(unsafe, "id")).rejects.toMatchObject({
      name: "EmailError",
      permanent: true,
    });
    expect(accepted).toEqual([]);
  });

  test("from", async () => {
    const { binding, accepted } = emailBinding();
    await expect(bindingMailer(binding, smuggled).send(mail, "id")).rejects.toMatchObject({ permanent: true });
    expect(accepted).toEqual([]);
  });

  test("which the local simulator would have sent", async () => {
    const message = { from, to: "ada@example.com", subject: smuggled, text: "x" };
    await expect(env.EMAIL.send(message)).resolves.toHaveProperty("messageId");
  });
});

test("a mailer that never answers fails after the time limit", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const binding = { send: () => new Promise<never>(() => {}) } as SendEmail;
  const sending = bindingMailer(binding, from).send(mail, "id");
  const failure = expect(sending).rejects.toMatchObject({ name: "EmailError", permanent: false });
  await vi.advanceTimersByTimeAsync(EMAIL_TIMEOUT);
  await failure;
});
