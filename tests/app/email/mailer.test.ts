import { env } from "cloudflare:test";
import { expect, onTestFinished, test, vi } from "vitest";
import { chooseMailer } from "#app/email/choose-mailer.server.ts";
import { cloudflareMailer } from "#app/email/providers/cloudflare/mailer.server.ts";
import { requeueDead } from "#app/email/requeue.server.ts";
import { parseConfig } from "#app/server/config/config.server.ts";
import { isInternational, isReserved, normaliseEmail } from "#app/server/email-address.ts";
import type { EmailMessage, Mailer } from "#app/server/mailer.server.ts";
import { site } from "#app/site.ts";
import { emailBinding, outboxHarness, sendAll } from "#tests/support/pool/emails.ts";
import { openResendAccount } from "#tests/support/pool/resend-account.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/start.ts";
import { words } from "#tests/support/words.ts";

const EMAIL_TIMEOUT = 10_000;

/** The mailer of a site with these variables. */
function mailerOf(vars: object, binding: SendEmail = env.EMAIL, more: object = {}): Mailer {
  const { config } = parseConfig(vars);
  const mailer = config && chooseMailer(binding, { ...config, ...more });
  if (mailer === null) throw new Error("no mailer");
  return mailer;
}

const log = freshStorageForEachTest();

const secrets = { HASH_KEY: "h".repeat(32), LINK_SECRET: "s".repeat(32) };
const deployed = { ...env, ...secrets, SITE_URL: "https://stalls.site", EXAMPLE_ADDRESSES: "" };

const from = "pioneers@waitlist-site.example";
const content = {
  subject: "Hello",
  text: "Hello",
  html: "<p>Hello</p>",
  headers: { "Auto-Submitted": "auto-generated" },
};
const email: EmailMessage = { to: "ada@example.com", replyTo: env.CONTACT_EMAIL, ...content };

const injected = "x\r\nBcc: eve@example.com";

test.each<[what: string, EmailMessage, sender?: string]>([
  ["from", email, injected],
  ["to", { ...email, to: "ada@example.com\nBcc: eve@example.com" }],
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

test.each([
  [env.MAIL_FROM, { name: site.name, email: env.MAIL_FROM }],
  ['"Maker, Ada" <hello@example.com>', { name: "Maker, Ada", email: "hello@example.com" }],
])("the name that people see beside the address through Cloudflare, with MAIL_FROM = %s", async (text, sender) => {
  const send = vi.fn(async () => ({ messageId: "1" }));
  await mailerOf({ ...env, MAIL_FROM: text }, { send } as unknown as SendEmail).send(email, "id");
  expect(send).toHaveBeenCalledExactlyOnceWith({ ...email, from: sender });
  // The real binding takes it.
  expect(await mailerOf({ ...env, MAIL_FROM: text }).send(email, "id")).toEqual({ state: "sent" });
});

test.each([
  ["hello@waitlist-site.example", `${site.name} <hello@waitlist-site.example>`],
  ['"Maker, Ada" <hello@waitlist-site.example>', '"Maker, Ada" <hello@waitlist-site.example>'],
])("the name that people see beside the address through Resend, with MAIL_FROM = %s", async (text, shown) => {
  const account = await openResendAccount();
  const vars = { ...env, MAIL_FROM: text, RESEND_API_KEY: "re_1" };
  const mailer = mailerOf(vars, env.EMAIL, { RESEND_URL: account.url });
  expect(await mailer.send(email, "id")).toMatchObject({ state: "sent" });
  expect((await account.state()).accepted.map((accepted) => accepted.from)).toEqual([shown]);
});

test("the outcome is unknown if the binding does not respond in time", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const binding = { send: () => new Promise<never>(() => {}) } as SendEmail;
  const sending = cloudflareMailer(binding, from).send(email, "id");
  await vi.advanceTimersByTimeAsync(EMAIL_TIMEOUT);
  expect(await sending).toMatchObject({ state: "unknown", reason: "timed-out" });
});

/** Joins with addresses, sweeps, and returns who got an email and what each row of the outbox says. */
async function sendTo(emails: string[], vars: object) {
  const { binding, accepted } = emailBinding();
  const { deps, join, db, clock } = outboxHarness();
  for (const email of emails) await join(email);
  await sendAll({ ...deps, mailer: mailerOf(vars, binding) });
  const emptied = await rows("email_outbox");
  const outbox = emptied.map(({ dead_at, reason, attempts }) => ({ isDead: dead_at !== null, reason, attempts }));
  return { accepted, outbox, db, now: clock.now };
}

const dead = (reason: string) => ({ isDead: true, reason, attempts: 1 });
const sent = { isDead: false, reason: null, attempts: 1 };

test.each([
  ["the local simulator", env],
  ["Cloudflare", deployed],
])(
  "an address with a letter such as ø before the @ is never submitted to %s: its email fails at once and is not tried again",
  async (_, vars) => {
    const { accepted, outbox, db, now } = await sendTo(["søren@stalls.net", "ada@stalls.net"], vars);
    expect(accepted).toEqual(["ada@stalls.net"]);
    expect(outbox).toEqual([dead("international-address"), sent]);
    expect(await requeueDead(db, now)).toBe(0);
    expect(log.join()).not.toContain("søren");
  },
);

test("an address with a letter such as ø before the @ a domain of its own script is none: it is stored and emailed in ASCII", async () => {
  const email = normaliseEmail("Ada@PIÑATA.es") ?? "";
  expect([email, isInternational(email)]).toEqual(["ada@xn--piata-pta.es", false]);
  expect((await sendTo([email], deployed)).accepted).toEqual([email]);
});

test("an address for examples and tests is never submitted to a real provider", async () => {
  const ends = "example.com mail.example.org stalls.example stalls.test a.b.invalid my.localhost printer.local";
  const addresses = words(ends).map((domain) => `ada@${domain}`);
  const { accepted, outbox } = await sendTo([...addresses, "ada@stalls.net"], deployed);
  expect(accepted).toEqual(["ada@stalls.net"]);
  expect(outbox).toEqual([...addresses.map(() => dead("example-address")), sent]);
});

test.each(["http://localhost:8787", "https://localhost:8787"])(
  "an address for examples and tests is sent to the simulator of %s",
  async (SITE_URL) => {
    expect((await sendTo(["ada@example.com"], { ...deployed, SITE_URL })).accepted).toEqual(["ada@example.com"]);
  },
);

test("an address for examples and tests is none if its domain only looks like one", () => {
  const real = words("a@myexample.com a@example.com.au a@example.de a@latest a@test.com a@notlocal local@b.co");
  expect(real.filter((email) => isReserved(email))).toEqual([]);
});

test.each([
  ["an address with a letter such as ø", "søren@stalls.net", "https://stalls.site", "international-address"],
  ["an address for examples, from a local site either", "ada@example.com", "http://localhost:8787", "example-address"],
])("Resend does not get %s", async (_, email, SITE_URL, reason) => {
  const { url, state } = await openResendAccount();
  const { deps, join } = outboxHarness();
  await join(email);
  const vars = { ...deployed, SITE_URL, RESEND_API_KEY: "re_test" };
  await sendAll({ ...deps, mailer: mailerOf(vars, env.EMAIL, { RESEND_URL: url }) });
  expect(await rows("email_outbox")).toMatchObject([{ reason, dead_at: expect.any(Number) }]);
  expect((await state()).requests).toBe(0);
});
