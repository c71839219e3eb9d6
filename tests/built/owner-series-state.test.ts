import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { visibleText } from "#tests/support/pool/built-page.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/database.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { needs } from "#tests/support/pool/needs.ts";
import { signedIn } from "#tests/support/pool/owner.ts";
import { technicalWords } from "#tests/support/pool/owner-words.ts";
import { joined, ownersSeries } from "#tests/support/pool/owners-series.ts";

/* Follow-ups on and off, who else gets them, pauses and numbers; and that they are no letters. */

needs("letters", "series");

freshStorageForEachTest();
captureLog();
const { browser, post, page, write, writeOn, steps, actions } = ownersSeries();

const DAY = 24 * 3_600_000;

const outcome = (response: { headers: Headers }) => response.headers.get("Location")?.replace(/.*done=/, "");
const read = async (path: string) => (await browser().request(path)).body;

describe("a follow-up", () => {
  test("is switched on, off and on again, each once", async () => {
    await write();
    const press = async (intent: string, back = "step") => outcome(await post("/1", { intent, back }));
    expect(await press("switch-off")).toBe("unchanged");
    expect(await press("switch-on")).toBe("step-on");
    expect(await press("switch-on")).toBe("unchanged");
    expect(await page("")).toContain(">On</span>");
    expect((await post("/1", { intent: "switch-off", back: "series" })).headers.get("Location")).toBe(
      "/owner/series?done=step-off",
    );
    expect(await page("")).toContain(">Off</span>");
    expect(await press("switch-on")).toBe("step-on-again");
    expect((await post("/1", { intent: "other" })).status).toBe(400);
    expect(await actions()).toEqual(["create-step", "switch-step-on", "switch-step-off", "switch-step-on"]);
  });

  test("goes to its people, and its page has the numbers", async () => {
    await writeOn(1);
    await env.DB.exec(`UPDATE series_steps SET hour = 0, since = 0, decided_before = 0`);
    await joined(3, Date.now() - 3 * DAY - 1_000);
    await joined(1, Date.now() - 20 * DAY, 4);
    await browser().runCron();
    expect(
      browser()
        .emails.map(({ to, subject }) => `${to}: ${subject}`)
        .toSorted(),
    ).toEqual([
      "person1@example.com: A good pitch",
      "person2@example.com: A good pitch",
      "person3@example.com: A good pitch",
    ]);
    await env.DB.exec("UPDATE letter_recipients SET bounced_at = 1 WHERE entry_id = 1");
    await env.DB.exec("UPDATE letter_recipients SET unsubscribed_at = 1, complained_at = 1 WHERE entry_id = 2");
    for (const path of ["", "/1"]) {
      const text = visibleText(await page(path));
      for (const number of [
        "Sent 3",
        "Unsubscribed 1",
        "Permanent bounces 1",
        "Waiting 0",
        "Reported as spam 1",
        "Skipped 1",
      ]) {
        expect(text).toContain(number);
      }
      expect(text).toContain("Skipped: More than three days late 1");
    }
  });

  test("is sent also to people who joined in the last days, with their number", async () => {
    await joined(2, Date.now() - DAY / 2);
    await joined(3, Date.now() - 5.5 * DAY, 3);
    await joined(4, Date.now() - 8 * DAY, 6);
    await write();
    expect(await page("/1")).not.toContain('name="days-back"');
    expect(outcome(await post("/1", { intent: "extend", "days-back": "6" }))).toBe("unchanged");
    await post("/1", { intent: "switch-on" });
    const options = async () =>
      Array.from((await page("/1")).matchAll(/<option value="(\d+)">([^<]* more [^<]*)/g), ([, days, text]) => [
        days,
        text,
      ]);
    expect(await options()).toEqual([
      ["1", "1 day: 2 more people"],
      ["2", "2 days: 2 more people"],
      ["3", "3 days: 2 more people"],
      ["6", "6 days: 5 more people"],
    ]);
    for (const days of ["", "x", "-1"])
      expect((await post("/1", { intent: "extend", "days-back": days })).status).toBe(400);
    expect(outcome(await post("/1", { intent: "extend", "days-back": "7" }))).toBe("unchanged");
    expect(outcome(await post("/1", { intent: "extend", "days-back": "1" }))).toBe("step-extended");
    expect(outcome(await post("/1", { intent: "extend", "days-back": "1" }))).toBe("unchanged");
    expect(await options()).toEqual([["6", "6 days: 3 more people"]]);
    expect(outcome(await post("/1", { intent: "extend", "days-back": "6" }))).toBe("step-extended");
    expect(await page("/1")).toContain("No one who joined shortly before that can still get it.");
    const logged = await rows<{ action: string; details: string }>("owner_log");
    expect(logged.slice(-2).map(({ details }) => JSON.parse(details))).toEqual([
      { stepId: 1, people: 2, days: 1 },
      { stepId: 1, people: 3, days: 6 },
    ]);
  });

  test("that is paused says why, and is resumed", async () => {
    await joined(1, Date.now());
    await writeOn(1);
    await env.DB.exec("UPDATE letters SET state = 'paused', pause_reason = 'bounces', paused_at = 1");
    for (const path of ["", "/1"]) {
      expect(visibleText(await page(path))).toContain("Paused: too many emails bounced. Check where these addresses");
    }
    await browser().post("/owner/stats?days=30");
    const overview = await read("/owner");
    expect(overview).toContain("“A good pitch” is paused: too many emails bounced.");
    expect(overview).toContain('href="/owner/series/1"');
    expect(overview).not.toContain("/owner/letters/1");
    await env.DB.exec(`INSERT INTO email_pauses VALUES ('daily-quota', ${Date.now() + DAY}, 1)`);
    expect(outcome(await post("/1", { intent: "resume", back: "series" }))).toBe("step-resumed");
    expect(await rows("letters")).toMatchObject([{ state: "sending", pause_reason: null }]);
    expect((await rows<{ until: number }>("email_pauses"))[0]?.until).toBeLessThanOrEqual(Date.now());
    expect(outcome(await post("/1", { intent: "resume" }))).toBe("unchanged");
    expect((await actions()).at(-1)).toBe("resume-step");
  });

  test("needs no decision about emails that the provider never confirmed", async () => {
    await joined(1, Date.now());
    await writeOn(1);
    await env.DB.exec("INSERT INTO letter_batches (letter_id, number, outcome, done_at) VALUES (1, 0, 'unknown', 1)");
    expect(await read("/owner")).not.toContain("never confirmed");
    await env.DB.exec("UPDATE letters SET step_id = NULL");
    expect(await read("/owner")).toContain("never confirmed");
  });
});

test.each([
  ["no sender", { MAIL_FROM: "" }],
  ["a provider of single emails", { WORKERS_PLAN: "paid" }],
  ["a small plan", { RESEND_API_KEY: "re_key", WORKERS_PLAN: "free" }],
])("with %s, the pages say why, and nothing is switched on", async (_, vars) => {
  await write();
  const siteUrl = "https://waitlist-site.example";
  const deployed = await signedIn({ MAIL_FROM: "hello@waitlist-site.example", ...vars, SITE_URL: siteUrl }, siteUrl);
  for (const path of ["/owner/series", "/owner/series/1"]) {
    const { body } = await deployed.request(path);
    expect(body).toMatch(/message-error.*Advanced: /s);
    expect(body).not.toContain('value="switch-on"');
    expect(technicalWords(body)).toEqual([]);
  }
  const refused = await deployed.post("/owner/series/1", { intent: "switch-on" });
  expect([refused.status, (await steps())[0]?.letter_id]).toEqual([409, null]);
});

test("once the site has launched, the pages say that it is over, and nothing is switched on", async () => {
  await write();
  await writeOn(2, { days: "5" });
  expect(await page("")).toContain("Before you send a letter that announces the launch");
  const launched = await signedIn({ LAUNCH_URL: "https://app.example/" });
  for (const path of ["", "/1", "/2"]) {
    const { body } = await launched.request(`/owner/series${path}`);
    expect(body).toContain("Your site has launched, so follow-ups have stopped.");
    expect(body).not.toContain('value="switch-on"');
    expect(body).not.toContain("Before you send a letter");
  }
  expect((await launched.post("/owner/series/1", { intent: "switch-on" })).status).toBe(409);
  expect(outcome(await launched.post("/owner/series/2", { intent: "switch-off" }))).toBe("step-off");
});

describe("what is sent as a follow-up is no letter", () => {
  test("on the owner's pages", async () => {
    await writeOn(1);
    await browser().post("/owner/letters", { subject: "News", body: "Hello" });
    const letters = await read("/owner/letters");
    expect(letters).toContain("News");
    expect(letters).not.toContain("A good pitch");
    expect(letters).toContain('href="/owner/series">Follow-ups</a>');
    expect(/<select id="not-sent".*?<\/select>/s.exec(await read("/owner/letters/2/audience"))?.[0]).not.toContain(
      "pitch",
    );
    for (const path of ["", "/preview", "/email", "/audience", "/send"]) {
      const { status, headers } = await browser().request(`/owner/letters/1${path}`);
      expect([status, headers.get("Location")]).toEqual([303, "/owner/series/1"]);
    }
    for (const intent of ["stop", "publish", "duplicate", "delete"]) {
      await browser().post("/owner/letters/1", { intent });
      expect(await rows("letters")).toMatchObject([{ state: "sending", is_public: 0 }, { id: 2 }]);
    }
    expect(await read("/owner/letters/2/send")).toContain("Follow-up emails are on.");
    await post("/1", { intent: "switch-off" });
    expect(await read("/owner/letters/2/send")).not.toContain("Follow-up emails are on.");
  });

  test("on the page of a person, which leads to the follow-up", async () => {
    await joined(1, Date.now());
    await writeOn(1);
    const { id } = (await rows<{ id: number }>("waitlist_emails"))[0] ?? {};
    await env.DB.exec(
      `INSERT INTO letter_recipients (letter_id, position, entry_id, state, done_at) VALUES (1, 0, ${id}, 'sent', 1)`,
    );
    const body = await read(`/owner/entries/${id}`);
    expect(body).toMatch(/Follow-up: <a href="\/owner\/series\/1">A good pitch<\/a>/);
    expect(body).not.toContain("/owner/letters/1");
  });

  test("in public", async () => {
    await writeOn(1);
    await browser().post("/owner/letters", { subject: "News", body: "Hello" });
    expect(await read("/letters")).not.toContain("pitch");
    expect((await browser().request("/letters/1")).status).toBe(404);
  });
});
