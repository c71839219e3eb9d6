import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { visibleText } from "#tests/support/pool/built-page.ts";
import { freshStorageForEachTest } from "#tests/support/pool/database.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { ownerBrowser, signedInBrowser } from "#tests/support/pool/owner.ts";
import { seedEntries } from "#tests/support/pool/seed-entries.ts";

freshStorageForEachTest();
captureLog();

const WAITING = /[\d,]+ emails? (is|are) waiting to be sent/;

/** The text of the overview with this many emails that are due, some of them changed. */
async function overview(browser: ReturnType<typeof signedInBrowser>, emails: number, change?: string) {
  await seedEntries(emails, Date.now() - 1_000);
  if (change !== undefined) await env.DB.exec(`UPDATE email_outbox SET ${change}`);
  const { status, body } = await browser.request("/owner");
  expect(status).toBe(200);
  return visibleText(body);
}

describe("with MAIL_PER_HOUR=4, the overview", () => {
  const browser = signedInBrowser({ MAIL_PER_HOUR: "4" });

  test("says nothing of emails that take a day", async () => {
    expect(await overview(browser, 96)).not.toMatch(WAITING);
  });

  test("warns of emails that take longer, and says what to do", async () => {
    expect(await overview(browser, 97)).toContain(
      "97 emails are waiting to be sent, which takes about 25 hours at 4 an hour. Advanced: to send them sooner, raise MAIL_PER_HOUR; docs/email.md says how far.",
    );
  });

  test("says nothing where that many are sent, have failed or wait for their next attempt", async () => {
    for (const change of ["sent_at = 1", "sent_at = NULL, dead_at = 1", "dead_at = NULL, next_attempt_at = 1e14"]) {
      await env.DB.exec("DELETE FROM waitlist_emails; DELETE FROM stats");
      expect(await overview(browser, 97, `${change} WHERE entry_id IS NOT NULL`), change).not.toMatch(WAITING);
    }
  });

  test("computes with a quarter of the limit for imported people, and with half for unverified sign-ups", async () => {
    const mixed = "priority = iif(entry_id <= 25, 4, iif(entry_id <= 30, 3, 1)) WHERE entry_id IS NOT NULL";
    expect(await overview(browser, 38, mixed)).toContain(
      "38 emails are waiting to be sent, which takes about 27 hours at 4 an hour, of which at most 2 to sign-ups that Turnstile has not verified (5 emails) and 1 to imported people (25 emails). Advanced: to send",
    );
  });

  test("warns of links that will have expired", async () => {
    const expired = "Some will arrive with a link that has expired.";
    expect(await overview(browser, 720, "priority = 4 WHERE entry_id IS NOT NULL")).not.toContain(expired);
    await env.DB.exec("DELETE FROM waitlist_emails; DELETE FROM stats");
    expect(await overview(browser, 721, "priority = 4 WHERE entry_id IS NOT NULL")).toContain(expired);
  });

  test("says why all email is paused instead", async () => {
    const pause = env.DB.prepare("INSERT INTO email_pauses VALUES ('daily-quota', ?, 1)");
    await pause.bind(Date.now() + 3_600_000).run();
    const text = await overview(browser, 97);
    expect(text).toContain("Daily limit reached");
    expect(text).not.toMatch(WAITING);
  });
});

describe("with a limit above what a free plan's sweeps can send, the overview", () => {
  const browser = signedInBrowser({ MAIL_PER_HOUR: "5000" });

  test("computes with the sweeps, and names the plan", async () => {
    expect(await overview(browser, 21_000)).toContain(
      "21,000 emails are waiting to be sent, which takes about 25 hours at 840 an hour. Advanced: the free Workers plan allows no more. To send them sooner, change to the paid plan.",
    );
  });
});

describe("without a sender, the overview", () => {
  const browser = signedInBrowser({ MAIL_PER_HOUR: "4" });

  test("does not say that a higher limit would help", async () => {
    const withoutSender = ownerBrowser({ MAIL_PER_HOUR: "4", MAIL_FROM: "" });
    for (const [name, value] of browser.cookies) withoutSender.cookies.set(name, value);
    expect(await overview(withoutSender, 97)).not.toMatch(WAITING);
  });
});
