import { env } from "cloudflare:test";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { chooseMailer } from "#app/email/choose-mailer.server.ts";
import type { EmailMessage } from "#app/email/mailer.server.ts";
import { cloudflareMailer } from "#app/email/providers/cloudflare/mailer.server.ts";
import { type Config, parseConfig } from "#app/server/config.server.ts";
import { site } from "#app/site.ts";
import { emailBinding } from "#tests/support/pool/emails.ts";
import { openResendAccount } from "#tests/support/pool/resend-account.ts";

const EMAIL_TIMEOUT = 10_000;

function configOf(vars: object): Config {
  const { config } = parseConfig(vars);
  if (config === null) throw new Error("no valid configuration");
  return config;
}

const from = "pioneers@waitlist-site.example";
const email: EmailMessage = {
  to: "ada@example.com",
  replyTo: env.CONTACT_EMAIL,
  subject: "Hello",
  text: "Hello",
  html: "<p>Hello</p>",
  headers: { "Auto-Submitted": "auto-generated" },
};

const injected = "x\r\nBcc: eve@example.com";

test.each<[what: string, EmailMessage, sender?: string]>([
  ["from", email, injected],
  ["to", { ...email, to: `ada@example.com${injected}` }],
  ["to, line feed alone", { ...email, to: "ada@example.com\nBcc: eve@example.com" }],
  ["replyTo", { ...email, replyTo: injected }],
  ["subject", { ...email, subject: injected }],
  ["a header's value", { ...email, headers: { "X-Test": injected } }],
  ["a header's name", { ...email, headers: { [`X-${injected}`]: "1" } }],
  ["a null byte", { ...email, subject: "x\0" }],
])("control characters are rejected in every field that becomes a header: %s", async (_, unsafe, sender = from) => {
  const { binding, accepted } = emailBinding();
  const refused = { state: "permanent", reason: "unsafe-header" };
  expect(await cloudflareMailer(binding, sender).send(unsafe, "id")).toMatchObject(refused);
  expect(accepted).toEqual([]);
});

describe("the name that people see beside the address", () => {
  test.each([
    [env.MAIL_FROM, { name: site.name, email: env.MAIL_FROM }],
    ["Ada Maker <hello@example.com>", { name: "Ada Maker", email: "hello@example.com" }],
  ])("through Cloudflare, with MAIL_FROM = %s", async (text, sender) => {
    const send = vi.fn(async () => ({ messageId: "1" }));
    await chooseMailer({ send } as unknown as SendEmail, configOf({ ...env, MAIL_FROM: text }))?.send(email, "id");
    expect(send).toHaveBeenCalledExactlyOnceWith({ ...email, from: sender });
  });

  test("the real binding takes it, also with a comma", async () => {
    const mailer = chooseMailer(env.EMAIL, configOf({ ...env, MAIL_FROM: '"Maker, Ada" <hello@example.com>' }));
    expect(await mailer?.send(email, "id")).toEqual({ state: "sent" });
  });

  test.each([
    ["hello@waitlist-site.example", `${site.name} <hello@waitlist-site.example>`],
    ['"Maker, Ada" <hello@waitlist-site.example>', '"Maker, Ada" <hello@waitlist-site.example>'],
  ])("through Resend, with MAIL_FROM = %s", async (text, shown) => {
    const account = await openResendAccount();
    const config = configOf({ ...env, MAIL_FROM: text, RESEND_API_KEY: "re_1" });
    const mailer = chooseMailer(env.EMAIL, { ...config, RESEND_URL: account.url });
    expect(await mailer?.send(email, "id")).toMatchObject({ state: "sent" });
    expect((await account.state()).accepted.map((accepted) => accepted.from)).toEqual([shown]);
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
