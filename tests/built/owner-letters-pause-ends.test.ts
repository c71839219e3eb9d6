import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { visibleText } from "#tests/support/pool/built-page.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/database.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { needs } from "#tests/support/pool/needs.ts";
import { OWNER, signedIn } from "#tests/support/pool/owner.ts";
import { ownersLetters } from "#tests/support/pool/owners-letters.ts";

/* What ends a pause of all email before its time, besides "Try now" on the overview. */

needs("letters");

freshStorageForEachTest();
captureLog();
const { browser, post, page, write } = ownersLetters();

const reasons = ["daily-quota", "monthly-quota", "wrong-key"];

/** Pauses all email for ten minutes. The emails of both people were refused, and wait for its end. */
async function pauseAll(reason: string): Promise<number> {
  const until = Date.now() + 10 * 60_000;
  await env.DB.prepare("INSERT INTO email_pauses VALUES (?, ?, 1)").bind(reason, until).run();
  await env.DB.prepare("UPDATE email_outbox SET next_attempt_at = ?, reason = ?").bind(until, reason).run();
  return until;
}

const pauses = () => rows<{ reason: string; until: number }>("email_pauses");
const people = () => browser().emails.flatMap(({ to }) => (to === OWNER ? [] : [String(to)]));

/** A pause is over, but stays stored until an email of the outbox is accepted. */
async function expectEnded(reason: string) {
  const stored = await pauses();
  expect(stored).toEqual([{ reason, until: expect.any(Number), created_at: 1 }]);
  expect(stored[0]?.until).toBeLessThanOrEqual(Date.now());
}

/** The next run of the cron job sends what has waited, each once. @param emails how many for each person */
async function expectSent(emails: number) {
  expect(people()).toEqual([]);
  await browser().runCron();
  const each = ["ada@example.com", "bob@example.com"].flatMap((email) => Array<string>(emails).fill(email));
  expect(people().toSorted()).toEqual(each);
  expect(await pauses()).toEqual([]);
}

describe("a test of a letter", () => {
  test.each(reasons)(
    "that the provider accepts ends the pause for %s, and what waits is sent within a minute",
    async (reason) => {
      await write();
      await pauseAll(reason);
      expect((await post("/1/send", { intent: "test" })).headers.get("Location")).toContain("done=tested");
      expect(browser().emails.map(({ to }) => to)).toEqual([OWNER]);
      await expectEnded(reason);
      await expectSent(1);
    },
  );

  test("that the provider refuses leaves the pause as it is", async () => {
    await write();
    const until = await pauseAll("monthly-quota");
    const refuse = async () => {
      throw Object.assign(new Error("refused"), { code: "E_DAILY_LIMIT_EXCEEDED" });
    };
    const other = await signedIn({ EMAIL: { send: refuse } });
    expect((await other.post("/owner/letters/1/send", { intent: "test" })).status).toBe(502);
    expect(await pauses()).toEqual([{ reason: "monthly-quota", until, created_at: 1 }]);
  });
});

describe("“Resume” on a letter's page", () => {
  /** A letter that the provider's quota paused. */
  async function pausedLetter(until: number) {
    await write();
    await post("/1/send", { intent: "start", when: "now", count: "2" });
    await env.DB.prepare(
      "UPDATE letters SET state = 'paused', pause_reason = 'quota', fault = 'daily-quota', paused_at = 1, resumes_at = ?",
    )
      .bind(until)
      .run();
  }

  test.each(reasons)("ends the pause for %s, and says what happens next", async (reason) => {
    await pausedLetter(await pauseAll(reason));
    expect(await page("/1")).toMatch(/value="resume"[^>]*>Resume</);
    const { headers } = await post("/1", { intent: "resume" });
    await expectEnded(reason);
    const text = visibleText((await browser().request(headers.get("Location") ?? "")).body);
    expect(text).toContain("The letter goes on within a minute. Waiting: ");
    expect(text).toContain("The site tries again within a minute. Nothing is lost.");
    // Their own, and the letter.
    await expectSent(2);
  });

  test("does not release emails that are held after bounces", async () => {
    await pausedLetter(Date.now() + 60_000);
    await env.DB.exec(`INSERT INTO email_pauses VALUES ('sign-up-bounces', ${Number.MAX_SAFE_INTEGER}, 1)`);
    await post("/1", { intent: "resume" });
    expect(await pauses()).toMatchObject([{ reason: "sign-up-bounces", until: Number.MAX_SAFE_INTEGER }]);
  });

  test("that changes nothing, because the letter is being sent, leaves the pause as it is", async () => {
    await write();
    await post("/1/send", { intent: "start", when: "now", count: "2" });
    const until = await pauseAll("daily-quota");
    expect((await post("/1", { intent: "resume" })).headers.get("Location")).toContain("done=unchanged");
    expect(await pauses()).toMatchObject([{ until }]);
  });
});
