import { env } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { launchDate } from "#app/site.ts";
import { visibleText } from "#tests/support/pool/built-page.ts";
import { freshStorageForEachTest } from "#tests/support/pool/database.ts";
import { join } from "#tests/support/pool/join.ts";
import { needs } from "#tests/support/pool/needs.ts";
import { signedInBrowser } from "#tests/support/pool/owner.ts";

freshStorageForEachTest();

const TODAY = "2026-11-21";
const DAY = 24 * 3_600_000;

afterEach(() => void vi.useRealTimers());
beforeEach(() => void vi.useFakeTimers({ now: Date.parse(`${TODAY}T12:00:00Z`), toFake: ["Date"] }));

const browser = signedInBrowser();

/** What needs attention on the overview, computed now: each item's text and the address of its action. */
async function attention(): Promise<{ text: string; action: string | undefined }[]> {
  await browser.post("/owner/stats?days=30");
  const { body } = await browser.request("/owner");
  const [list = ""] = /<ul class="bare-list attention">.*?<\/ul>/s.exec(body) ?? [];
  return list
    .split("<li>")
    .slice(1)
    .map((item) => ({
      text: visibleText(`<main>${item}</main>`).trim(),
      action: /(?:href|action)="([^"]+)"/.exec(item)?.[1]?.replaceAll("&amp;", "&"),
    }))
    .filter(({ text }) => launchDate === null || !text.startsWith("The launch date"));
}

describe("the overview's list of what needs attention", () => {
  beforeEach(async () => void (await join("ada@example.com")));

  test("is empty while all is well", async () => {
    expect(await attention()).toEqual([]);
  });

  test("names failed emails, but not those that are never sent again", async () => {
    await env.DB.exec("UPDATE email_outbox SET dead_at = 1, reason = 'timed-out' WHERE entry_id = 1");
    expect(await attention()).toEqual([
      {
        text: "1 email failed. The main reason: The email provider took too long to answer. Try again once the cause is fixed. Try again",
        action: "/owner/outbox/retry",
      },
    ]);
    await env.DB.exec("UPDATE email_outbox SET reason = 'never' WHERE entry_id = 1");
    expect(await attention()).toEqual([]);
  });

  test("names many bounces, and every complaint, of the last week", async () => {
    const suppress = (reason: string, number: number, at: number) =>
      env.DB.prepare(
        `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
        INSERT INTO suppressions SELECT ?2 || i || ?3, ?2, NULL, ?3 FROM n`,
      )
        .bind(number, reason, at)
        .run();
    await suppress("hard-bounce", 14, Date.now());
    await suppress("complaint", 3, Date.now() - 8 * DAY);
    expect(await attention()).toEqual([]);
    await suppress("soft-bounces", 1, Date.now());
    expect(await attention()).toEqual([
      {
        text: "In the last 7 days 15 addresses bounced. See who",
        action: "/owner/entries?email=dead.address-refused",
      },
    ]);
    await suppress("complaint", 1, Date.now() - DAY);
    expect((await attention())[0]?.text).toBe(
      "In the last 7 days 15 addresses bounced and 1 person reported spam. See who",
    );
  });

  test("names a flood: far more blocked attempts than on a usual day", async () => {
    const block = (day: string, count: number) =>
      env.DB.prepare("INSERT INTO blocked_attempts (day, reason, count) VALUES (?, 'honeypot', ?)")
        .bind(day, count)
        .run();
    await block(TODAY, 400);
    await block("2026-11-19", 7 * 81);
    expect(await attention()).toEqual([]);
    await env.DB.prepare("UPDATE blocked_attempts SET count = 500 WHERE day = ?").bind(TODAY).run();
    expect(await attention()).toEqual([
      {
        text: "500 attempts to join were blocked today; a usual day has 81. If some got through, you can select and erase them together. See the newest entries",
        action: "/owner/entries",
      },
    ]);
  });

  describe("with letters", () => {
    needs("letters");

    test.each([
      ["paused by bounces", "state = 'paused', pause_reason = 'bounces'", "“News” is paused: too many emails bounced."],
      ["paused by the owner", "state = 'paused', pause_reason = 'owner'", "“News” is paused: you paused it."],
      [
        "that missed its time",
        "state = 'draft', scheduled_for = 1",
        "“News” could not be sent at its time, and is a draft again.",
      ],
      ["after its first recipients", "state = 'paused', pause_reason = 'first-recipients'", null],
      ["sent", "state = 'finished'", null],
    ])("names a letter %s", async (_, change, text) => {
      await browser.post("/owner/letters", { intent: "save", subject: "News", preview_line: "", body: "Hello" });
      await env.DB.exec(`UPDATE letters SET ${change}`);
      expect(await attention()).toEqual(
        text === null ? [] : [{ text: `${text} Open the letter News`, action: "/owner/letters/1" }],
      );
    });

    test("names a letter with emails that may have arrived", async () => {
      await browser.post("/owner/letters", { intent: "save", subject: "News", preview_line: "", body: "Hello" });
      await env.DB.exec("UPDATE letters SET state = 'finished'");
      await env.DB.exec("INSERT INTO letter_batches (letter_id, number, outcome) VALUES (1, 0, 'unknown')");
      expect((await attention())[0]?.text).toContain("has emails that the provider never confirmed");
    });
  });
});
