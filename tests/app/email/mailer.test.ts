import { env } from "cloudflare:test";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { bindingMailer, MAIL_TIME_LIMIT } from "#app/email/mailer.server.ts";
import { welcomeMail } from "#app/email/welcome-mail.server.tsx";
import { mailBinding } from "#tests/support/pool/mail.ts";

const from = "pioneers@stallwright.example";
const mail = welcomeMail("ada@example.com", { siteUrl: env.SITE_URL, replyTo: env.CONTACT_EMAIL });

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
    const { binding, accepted } = mailBinding();
    await expect(bindingMailer(binding, from).send(unsafe)).rejects.toMatchObject({
      name: "MailError",
      permanent: true,
    });
    expect(accepted).toEqual([]);
  });

  test("from", async () => {
    const { binding, accepted } = mailBinding();
    await expect(bindingMailer(binding, smuggled).send(mail)).rejects.toMatchObject({ permanent: true });
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
  const sending = bindingMailer(binding, from).send(mail);
  const failure = expect(sending).rejects.toMatchObject({ name: "MailError", permanent: false });
  await vi.advanceTimersByTimeAsync(MAIL_TIME_LIMIT);
  await failure;
});

test("the welcome mail names the site, links to it and to the privacy page, and nothing else", () => {
  expect(mail).toMatchObject({
    to: "ada@example.com",
    replyTo: env.CONTACT_EMAIL,
    subject: expect.stringContaining("Stallwright"),
  });
  for (const body of [mail.text, mail.html]) {
    const links = body.match(/https?:\/\/[^\s"<]+/g) ?? [];
    expect(new Set(links)).toEqual(new Set([env.SITE_URL, `${env.SITE_URL}/privacy`]));
    expect(body).not.toContain("ada@example.com");
  }
});

test("the text and the HTML of the welcome mail say the same", () => {
  const words = (body: string) => body.replace(/\s+/g, " ");
  const html = words(mail.html.replace(/<[^>]+>/g, " ").replaceAll("&#x27;", "'"));
  for (const paragraph of mail.text.split("\n\n").slice(0, 4)) expect(html).toContain(words(paragraph));
});
