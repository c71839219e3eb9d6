import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { content, ownersLetters } from "#tests/features/letters/pool/owners-letters.ts";
import { visibleText } from "#tests/support/pool/built.ts";
import { OWNER, problemsOf, signedIn, technicalWords } from "#tests/support/pool/owner.ts";
import { execute, freshStorageForEachTest, needs, rows } from "#tests/support/pool/start.ts";

/* The owner tests a letter, sends it now or later, and watches over it. */

needs("letters");

const log = freshStorageForEachTest();
const { browser, post, next, done, page, write, stored, actions } = ownersLetters();

const MAIL_FROM = "hello@waitlist-site.example";
const start = { intent: "start", when: "now", count: "2" };

/** A provider that refuses every email. */
const refusing = (code: string) => {
  return { EMAIL: { send: () => Promise.reject(Object.assign(new Error("refused"), { code })) } };
};

test("a test goes to the owner who asked, and belongs to nobody on the list; refused by the provider, it says why", async () => {
  await write();
  const other = await signedIn({ ...refusing("E_SENDER_NOT_VERIFIED"), MAIL_FROM });
  const refused = await other.post("/owner/letters/1/send", { intent: "test" });
  expect([refused.status, Object.keys(problemsOf(refused.body))]).toEqual([502, ["test"]]);
  expect(refused.body).toContain("see MAIL_FROM in");
  expect(await next("/1/send", { intent: "test" })).toBe("/owner/letters/1/send?done=tested");
  const email = browser().emails.at(-1);
  expect(email).toMatchObject({ to: OWNER, subject: "[Test] The market opens" });
  await browser().post(/\/unsubscribe\/[\w.-]+/.exec(email?.text ?? "")?.[0] ?? "");
  expect(await rows("waitlist_emails")).toMatchObject([{ status: "active" }, { status: "active" }]);
  expect(await actions()).toEqual(["create-letter", "sign-in", "test-letter"]);
  expect(log.join()).not.toContain(OWNER);
});

test("a letter starts once the number of people is typed, can then be changed no more, pauses, resumes and stops, each in the log", async () => {
  await write();
  const start = (count: string) => ({ intent: "start", when: "now", count, time: "2031-01-01T10:00" });
  const publish = (intent: string) => next("/1", { intent, back: "send" });
  for (const count of ["", "20", "all"]) {
    const { status, body } = await post("/1/send", start(count));
    expect([count, status]).toEqual([count, 422]);
    expect(problemsOf(body)["count"]).toMatch(/number/);
    expect(body).toContain('value="2031-01-01T10:00"');
  }
  for (let times = 0; times < 2; times += 1)
    expect(await publish("publish")).toBe(`/owner/letters/1/send?done=${times === 0 ? "published" : "unchanged"}`);
  expect(await stored()).toMatchObject({ is_public: 1 });
  expect(await next("/1/send", start("2"))).toBe("/owner/letters/1?done=started");
  expect(await stored()).toMatchObject({ state: "sending", expected: 2 });
  const { status, body } = await post("/1", { ...content, body: "Late idea", intent: "save" });
  expect([status, body.includes("Late idea</textarea>")]).toEqual([409, true]);
  await post("/1/audience", { source: "stall" });
  expect(await stored()).toMatchObject({ body: "# Welcome\n\nHello.", audience: '{"filter":{}}' });
  await publish("unpublish");
  expect(await stored()).toMatchObject({ is_public: 0 });
  const press = async (intent: string) => {
    const outcome = await done("/1", { intent });
    const pauses = (await rows("email_pauses")).length;
    return [outcome, pauses > 0 ? "paused" : (await stored())?.state];
  };
  expect(await press("resume")).toEqual(["unchanged", "sending"]);
  expect(await press("pause")).toEqual(["paused", "paused"]);
  expect(await page("/1")).toContain("You paused it");
  expect(await press("resume")).toEqual(["resumed", "sending"]);
  expect(await press("stop")).toEqual(["stopped", "stopped"]);
  const stopped = await page("/1");
  expect(stopped).toContain("Stopped after it was sent to 0 of");
  expect(stopped).not.toContain("% done");
  for (const intent of ["resume", "count-as-sent"]) expect(await press(intent)).toEqual(["unchanged", "stopped"]);
  const logged = ["create", "publish", "send", "unpublish", "pause", "resume", "stop"].map((what) => `${what}-letter`);
  expect(await actions()).toEqual(logged);
});

test("emails that were never confirmed are the owner's to decide, and the recipients can be downloaded; while the provider fails, the page says why", async () => {
  await write();
  await post("/1/send", start);
  const next = Date.UTC(2099, 0, 2, 9, 30);
  for (const statement of [
    "UPDATE waitlist_emails SET email = '=1+1@example.com' WHERE id = 1",
    "UPDATE letters SET queued = 2, queued_at = 1",
    "INSERT INTO letter_batches (letter_id, number, dead_at) VALUES (1, 0, 1)",
    "INSERT INTO letter_recipients (letter_id, position, entry_id, state, reason, done_at) VALUES (1, 0, 1, 'unknown', 'never-confirmed', 1), (1, 1, NULL, 'skipped', 'erased', 1)",
    `INSERT INTO letter_batches (letter_id, number, attempts, first_attempt_at, next_attempt_at, reason) VALUES (1, 1, 2, 1, ${next}, 'timed-out')`,
  ])
    await env.DB.exec(statement);
  const shown = visibleText(await page("/1"));
  expect(shown).toContain("1 person: sent or not?");
  expect(shown).toContain("Waiting: the email provider took too long to answer.");
  expect(shown).toContain("The site tries again on 2 Jan 2099, 09:30. Nothing is lost.");
  await env.DB.exec("UPDATE letter_batches SET done_at = 1 WHERE number = 1");
  expect(await page("/1")).not.toContain("tries again");
  const { headers, body } = await post("/1/recipients.csv", {});
  expect(headers.get("Content-Disposition")).toBe('attachment; filename="letter-1-recipients.csv"');
  expect(body.split("\r\n").slice(1)).toEqual([
    `"'=1+1@example.com","Unknown","The email provider did not confirm it for 24 hours","1970-01-01T00:00:00.001Z","","","",""`,
    `"","Skipped","The entry was erased","1970-01-01T00:00:00.001Z","","","",""`,
    "",
  ]);
  expect(await done("/1", { intent: "count-as-sent" })).toBe("resolved");
  expect(await page("/1")).not.toContain("sent or not?");
  expect(await done("/1", { intent: "send-again" })).toBe("unchanged");
  expect(await actions()).toEqual(["create-letter", "send-letter", "export", "resolve-letter"]);
});

test.each([
  ["without a sender", { MAIL_FROM: "" }, "MAIL_FROM"],
  ["through Cloudflare", { MAIL_FROM }, "RESEND_API_KEY"],
  ["on the free plan", { MAIL_FROM, RESEND_API_KEY: "re_key" }, "WORKERS_PLAN"],
])("a deployed site %s sends no letters, and says in words what to set up", async (_, vars, setting) => {
  await write();
  const siteUrl = "https://waitlist-site.example";
  const deployed = await signedIn({ WORKERS_PLAN: "free", ...vars, SITE_URL: siteUrl }, siteUrl);
  const { status, body } = await deployed.post("/owner/letters/1/send", start);
  expect([status, body]).toEqual([422, expect.stringMatching(new RegExp(`Advanced: .*${setting}`, "s"))]);
  expect(technicalWords(body)).toEqual([]);
  expect(body).not.toContain('value="start"');
  expect(await stored()).toMatchObject({ state: "draft" });
});

describe("a time", () => {
  const schedule = (time: string, fields: Record<string, string> = {}) =>
    post("/1/send", { intent: "start", when: "later", count: "2", time, ...fields });
  /** The next last Sunday of a month, when clocks change in London. A letter is scheduled at most a year ahead. */
  const changeDay = (month: number) => {
    const thisYear = new Date().getUTCFullYear();
    const days = [thisYear, thisYear + 1].map((year) => {
      const last = new Date(Date.UTC(year, month + 1, 0));
      return last.getTime() - last.getUTCDay() * 86_400_000;
    });
    return new Date(days.find((day) => day > Date.now()) ?? 0).toISOString().slice(0, 10);
  };

  test("in the owner's zone schedules the letter, which can become a draft again; none in the past or over a year away does", async () => {
    await write();
    const day = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10);
    expect((await schedule(`${day}T10:00`)).headers.get("Location")).toBe("/owner/letters/1?done=scheduled");
    const clock = new Intl.DateTimeFormat("en-GB", { timeStyle: "short", timeZone: "Europe/London" });
    expect(clock.format((await stored())?.scheduled_for ?? 0)).toBe("10:00");
    expect(await page("/1")).toContain("10:00 (Europe/London)");
    await post("/1", { intent: "unschedule" });
    expect(await stored()).toMatchObject({ state: "draft" });
    const send = await page("/1/send");
    expect(send).toContain(`value="${day}T10:00"`);
    expect(/<input[^>]*value="later"[^>]*>/.exec(send)?.[0]).toContain("checked");
    expect(send).not.toContain("could not start it");
    for (const time of ["2020-01-01T10:00", "", "soon", "2099-01-01T10:00"]) {
      const { status, body } = await schedule(time);
      expect([time, status, problemsOf(body)]).toEqual([time, 422, { time: expect.stringMatching(/\.$/) }]);
    }
    expect(await stored()).toMatchObject({ state: "draft" });
    expect(await actions()).toEqual(["create-letter", "schedule-letter", "unschedule-letter"]);
  });

  test("that a clock change skips is explained; of one that comes twice the owner says which", async () => {
    await write();
    const skipped = await schedule(`${changeDay(2)}T01:30`);
    expect(skipped.status).toBe(422);
    expect(problemsOf(skipped.body)["time"]).toMatch(/clocks go forward.*00:30 or 02:30/);
    const time = `${changeDay(9)}T01:30`;
    const { status, body } = await schedule(time);
    expect(status).toBe(422);
    expect(problemsOf(body)["time"]).toMatch(/clocks go back/);
    expect(body.match(/name="which"/g)).toHaveLength(2);
    const at = async (which: string) => {
      await schedule(time, { which });
      const at = (await stored())?.scheduled_for ?? 0;
      await post("/1", { intent: "unschedule" });
      return at;
    };
    expect((await at("second")) - (await at("first"))).toBe(3_600_000);
  });
});

describe("a pause of all email", () => {
  /** Pauses all email for ten minutes. The emails of both people were refused, and wait for its end. */
  async function pauseAll(reason: string, until = Date.now() + 10 * 60_000): Promise<number> {
    await execute("INSERT INTO email_pauses VALUES ('all', 0, ?, ?, 1)", reason, until);
    await execute("UPDATE email_outbox SET next_attempt_at = ?, reason = ?", until, reason);
    return until;
  }

  const pauses = async () => {
    const stored = await rows<{ reason: string; until: number }>("email_pauses");
    return stored.map(({ reason, until }) => [reason, until > Date.now()]);
  };

  const pauseLetter = (until: number) =>
    env.DB.exec(`INSERT INTO email_pauses VALUES ('letter', 1, 'daily-quota', ${until}, 1)`);

  test.each(["daily-quota", "monthly-quota", "wrong-key"])(
    "for %s ends when the provider accepts a test of a letter, or a letter that it paused is resumed; what waits is sent within a minute",
    async (reason) => {
      await write();
      await pauseAll(reason);
      expect(await done("/1/send", { intent: "test" })).toBe("tested");
      // It stays stored until an email of the outbox is accepted.
      expect(await pauses()).toEqual([[reason, false]]);
      await env.DB.exec("DELETE FROM email_pauses");
      await post("/1/send", start);
      await pauseLetter(await pauseAll(reason));
      expect(await page("/1")).toMatch(/value="resume"[^>]*>Resume</);
      const resumed = await next("/1", { intent: "resume" });
      expect(await pauses()).toEqual([[reason, false]]);
      const text = visibleText((await browser().request(resumed ?? "")).body);
      expect(text).toMatch(/goes on within a minute\. Waiting: .* tries again within a minute\./);
      browser().emails.length = 0;
      await browser().runCron();
      // Their own, and the letter.
      const people = ["ada", "ada", "bob", "bob"].map((name) => `${name}@example.com`);
      expect(
        browser()
          .emails.map(({ to }) => String(to))
          .toSorted(),
      ).toEqual(people);
      expect(await pauses()).toEqual([]);
    },
  );

  test("stays when the provider refuses a test, the letter is not paused, or it holds emails after bounces", async () => {
    await write();
    const until = await pauseAll("monthly-quota");
    await env.DB.exec("INSERT INTO email_pauses VALUES ('unverified', 0, 'sign-up-bounces', NULL, 1)");
    const other = await signedIn(refusing("E_DAILY_LIMIT_EXCEEDED"));
    expect((await other.post("/owner/letters/1/send", { intent: "test" })).status).toBe(502);
    await post("/1/send", start);
    expect(await done("/1", { intent: "resume" })).toBe("unchanged");
    expect(await rows("email_pauses")).toMatchObject([{ until }, { until: null }]);
    await pauseLetter(until);
    await post("/1", { intent: "resume" });
    expect((await rows("email_pauses")).at(-1)).toMatchObject({ reason: "sign-up-bounces", until: null });
  });
});
