import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { sendEmail } from "#app/email/deliver.server.ts";
import type { StrictAccount } from "#tests/support/pool/email-rules.ts";
import { outboxHarness } from "#tests/support/pool/emails.ts";
import { ownerReads } from "#tests/support/pool/owner-reads.ts";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/start.ts";

const log = freshDatabaseForEachTest();

/** 14:00 in London. */
const NOW = Date.UTC(2026, 10, 21, 14);
const WAITS = "Waiting since 21 Nov 2026, 14:00";
const DEAD = "Failed 21 Nov 2026, 14:00";
const LATER = `${WAITS}, next attempt after 21 Nov 2026, 14:05`;
const ADA = "ada@example.com";

/** A queued welcome email, and the binding of an account. */
async function situation(account: StrictAccount, code?: string, siteUrl = env.SITE_URL) {
  const failing = code === undefined ? {} : { failures: 1, code };
  const outbox = outboxHarness({ account: { ...account, ...failing }, ownerTimeZone: "Europe/London" });
  outbox.deps.emailContext.siteUrl = siteUrl;
  outbox.clock.now = NOW;
  await outbox.join(ADA);
  return { outbox, send: () => sendEmail(outbox.deps, { email: ADA }) };
}

const unverified = `${WAITS}: Email is paused: The email provider has not verified the sender’s domain; next attempt at 14:15`;
const rejected = `${DEAD}: The email provider rejected this email`;
const daily = `${WAITS}: Daily limit reached; next attempt at 14:15`;

const refusedForNow = `${WAITS}, next attempt after 22 Nov 2026, 14:00: The email provider sends nothing to this address for now`;

type Case = [string, StrictAccount, string | undefined, "sent" | "waits" | "paused" | "dead", number, string];

/** Every documented error code, by what becomes of the email, whether it used up an attempt, and what the owner reads. */
test.each<Case>([
  ["accepted", {}, undefined, "sent", 1, "Sent 21 Nov 2026, 14:00"],
  [
    "E_RATE_LIMIT_EXCEEDED",
    {},
    "E_RATE_LIMIT_EXCEEDED",
    "paused",
    0,
    `${WAITS}: Email is paused: The email provider asked us to send more slowly; sending resumes at 14:01`,
  ],
  ["E_DAILY_LIMIT_EXCEEDED", { dailyLimit: 0 }, undefined, "paused", 0, daily],
  ["E_SENDER_NOT_VERIFIED", { verified: [] }, undefined, "paused", 0, unverified],
  ["E_SENDER_DOMAIN_NOT_AVAILABLE", { onboarded: [] }, undefined, "paused", 0, unverified],
  [
    "E_RECIPIENT_NOT_ALLOWED",
    { allowed: ["owner@waitlist-site.example"] },
    undefined,
    "paused",
    0,
    `${WAITS}: Email is paused: The email provider accepts only recipients verified in its account; next attempt at 14:15`,
  ],
  ["E_RECIPIENT_SUPPRESSED", { suppressed: [ADA] }, undefined, "waits", 0, refusedForNow],
  ...(
    [
      ["complaint", "dead", 1, `${DEAD}: The recipient reported an email as spam`],
      ["manual", "dead", 1, `${DEAD}: This address was blocked by hand at the email provider`],
      ["hard_bounce", "dead", 1, `${DEAD}: This address does not accept email`],
      ["soft_bounce", "waits", 0, refusedForNow],
      ["policy", "waits", 0, refusedForNow],
    ] as const
  ).map(([reason, ...became]): Case => {
    const account = { suppressed: [ADA], suppression: `Recipient is suppressed (${reason})` };
    return [`E_RECIPIENT_SUPPRESSED for ${reason}`, account, undefined, ...became];
  }),
  ["E_DELIVERY_FAILED", {}, "E_DELIVERY_FAILED", "waits", 1, `${LATER}: The email provider could not deliver it`],
  [
    "E_INTERNAL_SERVER_ERROR",
    {},
    "E_INTERNAL_SERVER_ERROR",
    "waits",
    0,
    `${LATER}: The email provider had an internal error`,
  ],
  ...[
    "E_VALIDATION_ERROR",
    "E_FIELD_MISSING",
    "E_TOO_MANY_RECIPIENTS",
    "E_CONTENT_TOO_LARGE",
    "E_HEADER_NOT_ALLOWED",
    "E_HEADER_USE_API_FIELD",
    "E_HEADER_VALUE_INVALID",
    "E_HEADER_VALUE_TOO_LONG",
    "E_HEADER_NAME_INVALID",
    "E_HEADERS_TOO_LARGE",
    "E_HEADERS_TOO_MANY",
  ].map((code): Case => [code, {}, code, "dead", 1, rejected]),
  ["an unknown code", {}, "E_NEW", "waits", 1, `${LATER}: The email provider had an internal error`],
])("%s", async (_response, account, code, became, attempts, text) => {
  const { outbox, send } = await situation(account, code);
  expect(await send()).toBe(became === "sent" ? "done" : "failed");
  const [email] = await rows("email_outbox");
  expect(email).toMatchObject({ attempts, leased_until: 0 });
  expect(email?.["sent_at"]).toBe(became === "sent" ? NOW : null);
  expect(email?.["dead_at"]).toBe(became === "dead" ? NOW : null);
  expect(await rows("email_pauses")).toHaveLength(became === "paused" ? 1 : 0);
  expect(await ownerReads(outbox)).toBe(text);
  expect(log.join()).not.toContain("@");
});

test("the emails of an https site have headers that the binding accepts", async () => {
  const { outbox, send } = await situation({}, undefined, "https://waitlist-site.example");
  await send();
  expect(outbox.accepted).toEqual([ADA]);
});
