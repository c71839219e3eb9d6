import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { visibleText } from "#tests/support/pool/built-page.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/database.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { needs } from "#tests/support/pool/needs.ts";
import { ownerBrowser, signedIn } from "#tests/support/pool/owner.ts";
import { content, ownersLetters } from "#tests/support/pool/owners-letters.ts";
import { problemsOf } from "#tests/support/pool/owners-problems.ts";

needs("letters");

freshStorageForEachTest();
captureLog();
const { post, page, write, stored, actions } = ownersLetters();

const MAIL_FROM = "hello@waitlist-site.example";

test("a letter of 10 MB is refused with a sentence, and the draft stays", async () => {
  await write();
  const { status, body } = await post("/1", { ...content, body: "x".repeat(10 * 1_048_576) });
  expect(status).toBe(413);
  expect(body).toMatch(/role="alert"><p>[^<]+ was not saved\./);
  expect(body).toContain("# Welcome\n\nHello.</textarea>");
  expect((await stored())?.body).toBe("# Welcome\n\nHello.");
  expect((await post("", { ...content, body: "x".repeat(600_000) })).status).toBe(413);
  expect(await rows("letters")).toHaveLength(1);
});

test("without a session, no letter is read, shown or written", async () => {
  await write();
  const stranger = ownerBrowser();
  const refusal = (await stranger.request("/owner")).body;
  for (const path of ["", "/new", "/1", "/1/preview", "/1/email", "/1/audience", "/1/send"]) {
    expect(await stranger.request(`/owner/letters${path}`)).toMatchObject({ status: 403, body: refusal });
  }
  for (const path of ["", "/1", "/1/audience", "/1/send", "/1/recipients.csv"]) {
    for (const length of [10, 100_000, 600_000]) {
      const form = { ...content, intent: "save", body: "x".repeat(length) };
      expect(await stranger.post(`/owner/letters${path}`, form)).toMatchObject({ status: 403, body: refusal });
    }
  }
  expect(await rows("letters")).toHaveLength(1);
  expect((await stored())?.body).toBe("# Welcome\n\nHello.");
});

describe("sending", () => {
  const start = { intent: "start", when: "now", count: "2" };

  test("a test that the provider refuses says why", async () => {
    await write();
    const refuse = async () => {
      throw Object.assign(new Error("refused"), { code: "E_SENDER_NOT_VERIFIED" });
    };
    const other = await signedIn({ EMAIL: { send: refuse }, MAIL_FROM });
    const { status, body } = await other.post("/owner/letters/1/send", { intent: "test" });
    expect(status).toBe(502);
    expect(Object.keys(problemsOf(body))).toEqual(["test"]);
    expect(body).toContain("see MAIL_FROM in");
    expect(await actions()).not.toContain("test-letter");
  });

  test("a letter pauses, resumes and stops, each in the log; what changes nothing is not", async () => {
    await write();
    await post("/1/send", start);
    const press = async (intent: string) => {
      const { headers } = await post("/1", { intent });
      return [headers.get("Location")?.split("done=")[1], (await stored())?.state];
    };
    expect(await press("resume")).toEqual(["unchanged", "sending"]);
    expect(await press("pause")).toEqual(["paused", "paused"]);
    expect(await page("/1")).toContain("You paused it");
    expect(await press("resume")).toEqual(["resumed", "sending"]);
    expect(await press("stop")).toEqual(["stopped", "stopped"]);
    expect(await page("/1")).toContain("Stopped after it was sent to 0 of");
    expect(await page("/1")).not.toContain("% done");
    expect(await press("resume")).toEqual(["unchanged", "stopped"]);
    expect(await press("count-as-sent")).toEqual(["unchanged", "stopped"]);
    const logged = ["create-letter", "send-letter", "pause-letter", "resume-letter", "stop-letter"];
    expect(await actions()).toEqual(logged);
  });

  test("emails that were never confirmed are the owner's to decide, and the recipients can be downloaded", async () => {
    await write();
    await post("/1/send", start);
    await env.DB.exec("UPDATE waitlist_emails SET email = '=1+1@example.com' WHERE id = 1");
    await env.DB.exec("UPDATE letters SET queued = 2, queued_at = 1");
    await env.DB.exec("INSERT INTO letter_batches (letter_id, number, outcome) VALUES (1, 0, 'unknown')");
    await env.DB.exec(
      "INSERT INTO letter_recipients (letter_id, position, entry_id, state, reason, done_at) VALUES (1, 0, 1, 'unknown', 'never-confirmed', 1), (1, 1, NULL, 'skipped', 'erased', 1)",
    );
    expect(await page("/1")).toContain("1 person: sent or not?");
    const { headers, body } = await post("/1/recipients.csv", {});
    expect(headers.get("Content-Disposition")).toBe('attachment; filename="letter-1-recipients.csv"');
    expect(body.split("\r\n").slice(1)).toEqual([
      `"'=1+1@example.com","Unknown","The email provider did not confirm it for 24 hours","1970-01-01T00:00:00.001Z","","","",""`,
      `"","Skipped","The entry was erased","1970-01-01T00:00:00.001Z","","","",""`,
      "",
    ]);
    expect((await post("/1", { intent: "count-as-sent" })).headers.get("Location")).toContain("done=resolved");
    expect(await page("/1")).not.toContain("sent or not?");
    expect((await post("/1", { intent: "send-again" })).headers.get("Location")).toContain("done=unchanged");
    expect(await actions()).toEqual(["create-letter", "send-letter", "export", "resolve-letter"]);
  });

  test("while the provider fails, the letter's page says why, and when it is tried again", async () => {
    await write();
    await post("/1/send", start);
    const next = Date.UTC(2099, 0, 2, 9, 30);
    await env.DB.exec(
      `INSERT INTO letter_batches (letter_id, number, attempts, first_attempt_at, next_attempt_at, reason)
      VALUES (1, 0, 2, 1, ${next}, 'timed-out')`.replaceAll("\n", " "),
    );
    const shown = visibleText(await page("/1"));
    expect(shown).toContain("Waiting: the email provider took too long to answer.");
    expect(shown).toContain("The site tries again at 09:30 on 2 Jan 2099. Nothing is lost.");
    await env.DB.exec("UPDATE letter_batches SET outcome = 'done'");
    expect(await page("/1")).not.toContain("tries again");
  });

  test("a letter is public or private as the owner chooses, before and after", async () => {
    await write();
    const choose = (intent: string) => post("/1", { intent, back: "send" });
    expect((await choose("publish")).headers.get("Location")).toBe("/owner/letters/1/send?done=published");
    expect(await stored()).toMatchObject({ is_public: 1 });
    await choose("publish");
    await post("/1/send", start);
    await choose("unpublish");
    expect(await stored()).toMatchObject({ is_public: 0 });
    expect(await actions()).toEqual(["create-letter", "publish-letter", "send-letter", "unpublish-letter"]);
  });

  test.each([
    ["without a sender", { MAIL_FROM: "" }, "MAIL_FROM"],
    ["through Cloudflare", { MAIL_FROM }, "RESEND_API_KEY"],
    ["on the free plan", { MAIL_FROM, RESEND_API_KEY: "re_key" }, "WORKERS_PLAN"],
  ])("a deployed site %s sends no letters, and says what to set up", async (_, vars, setting) => {
    await write();
    const siteUrl = "https://waitlist-site.example";
    const deployed = await signedIn({ ...vars, SITE_URL: siteUrl }, siteUrl);
    const { status, body } = await deployed.post("/owner/letters/1/send", start);
    expect(status).toBe(422);
    expect(body).toContain(setting);
    expect(body).not.toContain('value="start"');
    expect(await stored()).toMatchObject({ state: "draft" });
  });
});

describe("a time", () => {
  const schedule = (time: string, fields: Record<string, string> = {}) =>
    post("/1/send", { intent: "start", when: "later", count: "2", time, ...fields });
  const year = new Date().getUTCFullYear() + 1;
  /** The last Sunday of a month, when clocks change in London. */
  const changeDay = (month: number) => {
    const last = new Date(Date.UTC(year, month + 1, 0));
    return new Date(last.getTime() - last.getUTCDay() * 86_400_000).toISOString().slice(0, 10);
  };

  test("in the owner's zone schedules the letter, which can become a draft again", async () => {
    await write();
    const day = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10);
    expect((await schedule(`${day}T10:00`)).headers.get("Location")).toBe("/owner/letters/1?done=scheduled");
    const { scheduled_for } = (await stored()) ?? { scheduled_for: 0 };
    const clock = new Intl.DateTimeFormat("en-GB", { timeStyle: "short", timeZone: "Europe/London" });
    expect(clock.format(scheduled_for ?? 0)).toBe("10:00");
    expect(await page("/1")).toContain("10:00 (Europe/London)");
    await post("/1", { intent: "unschedule" });
    expect(await stored()).toMatchObject({ state: "draft", scheduled_for: null });
    expect(await actions()).toEqual(["create-letter", "schedule-letter", "unschedule-letter"]);
  });

  test("that has passed, is missing or is over a year away is refused", async () => {
    await write();
    for (const time of ["2020-01-01T10:00", "", "soon", "2099-01-01T10:00"]) {
      const { status, body } = await schedule(time);
      expect([time, status]).toEqual([time, 422]);
      expect(problemsOf(body)).toEqual({ time: expect.stringMatching(/\.$/) });
    }
    expect(await stored()).toMatchObject({ state: "draft" });
  });

  test("that a clock change skips is explained, with the times beside it", async () => {
    await write();
    const { status, body } = await schedule(`${changeDay(2)}T01:30`);
    expect(status).toBe(422);
    expect(problemsOf(body)["time"]).toMatch(/clocks go forward.*00:30 or 02:30/);
  });

  test("that comes twice is one of two, and the owner says which", async () => {
    await write();
    const time = `${changeDay(9)}T01:30`;
    const { status, body } = await schedule(time);
    expect(status).toBe(422);
    expect(problemsOf(body)["time"]).toMatch(/clocks go back/);
    expect(body.match(/name="which"/g)).toHaveLength(2);
    const at = async (which: string) => {
      await schedule(time, { which });
      const { scheduled_for } = (await stored()) ?? { scheduled_for: 0 };
      await post("/1", { intent: "unschedule" });
      return scheduled_for ?? 0;
    };
    expect((await at("second")) - (await at("first"))).toBe(3_600_000);
  });
});
