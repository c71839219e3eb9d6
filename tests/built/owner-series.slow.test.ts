import { env } from "cloudflare:test";
import { beforeEach, describe, expect, test } from "vitest";
import { newsOnly, withFollowUps } from "#app/waitlist/consent-wording.ts";
import { visibleText } from "#tests/support/pool/built.ts";
import { OWNER, problemsOf, signedIn, technicalWords } from "#tests/support/pool/owner.ts";
import { section } from "#tests/support/pool/owners-letters.ts";
import { freshStorageForEachTest, join, needs, rows } from "#tests/support/pool/start.ts";

/* Follow-up emails: writing them, who gets them, on and off, pauses and numbers; and that they are no letters. */

needs("letters", "series");

const log = freshStorageForEachTest();

interface StoredStep {
  id: number;
  days: number;
  hour: number;
  subject: string;
  body: string;
  reply_to: string | null;
  audience: string | null;
  letter_id: number | null;
  since: number | null;
}

/** What the form of a follow-up sends. */
const followUp = { days: "3", audience: "", subject: "A good pitch", body: "Hello.\r\n\r\nThree photos." };

const { browser, post, page, actions } = section("/owner/series");
const write = (fields: Record<string, string> = {}) => post("", { ...followUp, ...fields });
const steps = () => rows<StoredStep>("series_steps");

/** Writes a follow-up and switches it on. @param id the one that it gets */
async function writeOn(id: number, fields: Record<string, string> = {}) {
  await write(fields);
  await post(`/${id}`, { intent: "switch-on" });
}

/** Adds `person1@example.com` and so on, who joined at a time (milliseconds since 1970) and agreed to follow-ups. */
async function joined(count: number, at: number, first = 1): Promise<void> {
  await env.DB.prepare(`
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?1)
    INSERT INTO waitlist_emails (email, metadata, created_at, consent_version)
    SELECT 'person' || CAST(n + ?2 - 1 AS integer) || '@example.com', '{}', ?3, ?4 FROM numbers`)
    .bind(count, first, at, withFollowUps.version)
    .run();
}

const DAY = 24 * 3_600_000;

const location = ({ status, headers }: { status: number; headers: Headers }) => [status, headers.get("Location")];
const outcome = (response: { headers: Headers }) => response.headers.get("Location")?.replace(/.*done=/, "");
const read = async (path: string) => (await browser().request(path)).body;

test("a follow-up is written, changed, previewed, tested and deleted", async () => {
  expect(location(await write())).toEqual([303, "/owner/series/1?done=step-created"]);
  expect(await steps()).toMatchObject([
    { days: 3, hour: 9, subject: "A good pitch", body: "Hello.\n\nThree photos.", audience: null, letter_id: null },
  ]);
  const changes = { ...followUp, days: "5", body: "Bye.", "reply-to": "a@b.example" };
  expect(location(await post("/1", { ...changes, intent: "preview" }))).toEqual([
    303,
    "/owner/series/1/preview?done=step-saved",
  ]);
  expect(await steps()).toMatchObject([{ days: 5, body: "Bye.", reply_to: "a@b.example" }]);
  const preview = await browser().request("/owner/series/1/preview");
  expect(preview.headers.get("Content-Security-Policy")).toContain("frame-src 'self'");
  expect(preview.body).toContain('src="/owner/series/1/email?scheme=light"');
  expect(preview.body).toContain("<dd>a@b.example</dd>");
  expect((await browser().request("/owner/series/1/email")).body).toContain("Bye.");
  expect(outcome(await post("/1/preview", { intent: "test" }))).toBe("step-tested");
  expect(browser().emails).toMatchObject([{ to: OWNER, subject: "[Test] A good pitch", replyTo: "a@b.example" }]);
  expect(location(await post("/1", { intent: "delete" }))).toEqual([303, "/owner/series?done=step-deleted"]);
  expect(await steps()).toEqual([]);
  expect(location(await browser().request("/owner/series/1"))).toEqual([303, "/owner/series?done=step-gone"]);
  expect(await actions()).toEqual(["create-step", "change-step", "test-step", "delete-step"]);
  expect(visibleText((await browser().request("/owner/log")).body)).toContain("Deleted a follow-up: follow-up 1");
  expect(log.join()).not.toContain(OWNER);
});

test("the page says how many agreed to follow-ups, by what they were promised, and what forms say now", async () => {
  await joined(2, Date.now());
  await join("ada@example.com");
  await env.DB.exec("INSERT INTO waitlist_emails (email, metadata, created_at) VALUES ('none@example.com', '{}', 0)");
  await env.DB.exec(
    "INSERT INTO waitlist_emails (email, metadata, created_at, status) VALUES ('left@example.com', '{}', 0, 'unsubscribed')",
  );
  const before = visibleText(await page(""));
  expect(before).toContain("2 of 4 people on your list agreed to follow-ups.");
  expect(before).toContain("Your forms do not mention follow-ups until one is on");
  for (const [wording, people] of [
    [`“${withFollowUps.text}”`, "2 people"],
    [`“${newsOnly.text}”`, "1 person"],
    ["no wording stated", "1 person"],
  ])
    expect(before).toContain(`${people}: ${wording}`);
  await writeOn(1);
  expect(visibleText(await page(""))).toContain("Your forms mention follow-ups while one is on.");
});

describe("what is typed", () => {
  test.each(["", "0", "366", "-1", "2.5", "soon"])("is shown again when the days are “%s”", async (days) => {
    const refused = await write({ days, subject: "Kept" });
    expect([refused.status, Object.keys(problemsOf(refused.body))]).toEqual([422, ["days"]]);
    expect(refused.body).toContain(`value="Kept"`);
    expect(refused.body).toContain("Three photos.</textarea>");
    expect(await steps()).toEqual([]);
  });

  test("is shown again when another follow-up has its days, even one that is written at the same moment", async () => {
    await write();
    await write({ days: "5" });
    await env.DB.exec(
      "CREATE TRIGGER twin BEFORE INSERT ON series_steps WHEN NEW.days = 7 BEGIN INSERT INTO series_steps (days, hour, subject, preview_line, body, created_at, updated_at) VALUES (NEW.days, 9, 'Theirs', '', '', 0, 0); END",
    );
    for (const refused of [
      await write({ subject: "Twin" }),
      await post("/2", { ...followUp, intent: "save", subject: "Twin" }),
      await write({ days: "7", subject: "Twin" }),
    ]) {
      expect([refused.status, problemsOf(refused.body)["days"]]).toEqual([409, expect.stringMatching(/on day [37]\./)]);
      expect(refused.body).toContain('value="Twin"');
    }
    await env.DB.exec("DROP TRIGGER twin");
    expect((await steps()).map(({ days }) => days)).toEqual([3, 5]);
    // The same days are no obstacle to a change of the rest.
    await post("/2", { ...followUp, days: "5", intent: "save", subject: "Other" });
    expect((await steps())[1]?.subject).toBe("Other");
  });

  test("is stored with its problems while the follow-up is off, which keeps it off", async () => {
    await write({ subject: "", body: "Hello <b>you</b>" });
    const body = await page("/1");
    expect(Object.keys(problemsOf(body))).toEqual(["body"]);
    const refused = await post("/1", { intent: "switch-on" });
    expect(refused.status).toBe(422);
    expect(refused.body).toContain("cannot be switched on as it is");
    expect(problemsOf(refused.body)).toEqual({ subject: "Write a subject.", body: expect.stringContaining("Line 1") });
    expect((await post("/1/preview", { intent: "test" })).status).toBe(422);
    expect((await steps())[0]?.letter_id).toBeNull();
    expect(await actions()).toEqual(["create-step"]);
  });

  test("is refused with problems while the follow-up is on", async () => {
    await writeOn(1);
    expect(await page("/1")).toContain("people who have not been sent it yet get the new text");
    const refused = await post("/1", { ...followUp, subject: "", body: "{{nobody}}", intent: "save" });
    expect(refused.status).toBe(422);
    expect(problemsOf(refused.body)).toMatchObject({
      subject: "Write a subject.",
      body: expect.stringContaining("Line 1"),
    });
    expect(refused.body).toContain("{{nobody}}</textarea>");
    expect((await steps())[0]?.body).toBe("Hello.\n\nThree photos.");
    const saved = await post("/1", { ...followUp, body: "New.", intent: "save" });
    expect(saved.headers.get("Location")).toBe("/owner/series/1?done=step-changed");
    expect(await rows("letters")).toMatchObject([{ state: "finished" }, { state: "sending", body: "New." }]);
  });

  test("is not lost when there are five already, or when it is too large", async () => {
    for (const days of ["1", "2", "3", "4"]) await write({ days });
    expect(await page("")).toContain("/owner/series/new");
    await write({ days: "5" });
    expect(await page("")).not.toContain("/owner/series/new");
    expect(location(await browser().request("/owner/series/new"))).toEqual([303, "/owner/series?done=unchanged"]);
    const sixth = await write({ days: "6", subject: "Sixth" });
    expect([sixth.status, sixth.body.includes('value="Sixth"')]).toEqual([409, true]);
    expect(await steps()).toHaveLength(5);
    await post("/5", { intent: "delete" });
    // Two owners at once.
    const both = await Promise.all([write({ days: "7" }), write({ days: "8" })]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([303, 409]);
    expect(await steps()).toHaveLength(5);
    const large = await post("/1", { ...followUp, body: "x".repeat(600_000), intent: "save" });
    expect([large.status, large.body.includes("was not saved")]).toEqual([413, true]);
    expect((await write({ body: "x".repeat(600_000) })).status).toBe(413);
  });
});

test("a saved view is copied into the follow-up, which keeps it when the view goes", async () => {
  const save = (name: string, query: string) => browser().post(`/owner/entries/views?${query}`, { name });
  const audience = async () => JSON.parse((await steps())[0]?.audience ?? "null");
  await save("Stalls", "source=stall&status=active");
  await save("Gone", "status=unsubscribed");
  const form = await page("/new");
  expect(form).toContain("View “Stalls”");
  expect(form).not.toContain("View “Gone”");
  await write({ audience: "1" });
  expect(await audience()).toEqual({ name: "Stalls", filter: { source: "stall" } });
  await browser().post("/owner/entries/views/1", { intent: "delete" });
  expect(visibleText(await page("/1"))).toContain("The view “Stalls” (Source: ");
  await post("/1", { ...followUp, audience: "kept", intent: "save", subject: "Changed" });
  expect(await audience()).toEqual({ name: "Stalls", filter: { source: "stall" } });
  const refused = await post("/1", { ...followUp, audience: "1", intent: "save" });
  expect([refused.status, Object.keys(problemsOf(refused.body))]).toEqual([422, ["audience"]]);
  expect((await write({ days: "9", audience: "kept" })).status).toBe(422);
  await post("/1", { ...followUp, intent: "save" });
  expect(await audience()).toBeNull();
});

test("the hour is that of all follow-ups", async () => {
  await write();
  await write({ days: "5" });
  const html = await page("");
  expect(html).toContain("Hour in Europe/London");
  expect(location(await post("/hour", { hour: "09:00" }))).toEqual([303, "/owner/series?done=unchanged"]);
  expect(location(await post("/hour", { hour: "18:00" }))).toEqual([303, "/owner/series?done=hour"]);
  expect((await steps()).map(({ hour }) => hour)).toEqual([18, 18]);
  for (const hour of ["", "24:00", "9"]) expect((await post("/hour", { hour })).status).toBe(400);
  expect(await actions()).toEqual(["create-step", "create-step", "set-series-hour"]);
});

describe("a follow-up", () => {
  test("is switched on, off and on again, each once", async () => {
    await write();
    const press = async (intent: string, back = "step") => outcome(await post("/1", { intent, back }));
    expect(await press("switch-off")).toBe("unchanged");
    expect(await press("switch-on")).toBe("step-on");
    expect(await press("switch-on")).toBe("unchanged");
    expect(await page("")).toContain(">On</span>");
    expect(await press("switch-off", "series")).toBe("step-off");
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
    const sent = browser().emails.map(({ to, subject }) => `${to}: ${subject}`);
    expect(sent.toSorted()).toEqual([1, 2, 3].map((n) => `person${n}@example.com: A good pitch`));
    await env.DB.exec("UPDATE letter_recipients SET bounced_at = 1 WHERE entry_id = 1");
    await env.DB.exec("UPDATE letter_recipients SET unsubscribed_at = 1, complained_at = 1 WHERE entry_id = 2");
    const numbers = ["Sent 3", "Unsubscribed 1", "Permanent bounces 1", "Waiting 0", "Reported as spam 1", "Skipped 1"];
    for (const path of ["", "/1"]) {
      const text = visibleText(await page(path));
      for (const part of [...numbers, "Skipped: More than three days late 1"]) expect(text).toContain(part);
    }
  });

  test("is sent also to people who joined in the last days, with their number", async () => {
    const extend = async (days: string) => {
      const response = await post("/1", { intent: "extend", "days-back": days });
      return outcome(response) ?? response.status;
    };
    const options = async () =>
      Array.from((await page("/1")).matchAll(/<option value="\d+">([^<]* more [^<]*)/g), ([, text]) => text);
    await joined(2, Date.now() - DAY / 2);
    await joined(3, Date.now() - 5.5 * DAY, 3);
    await joined(4, Date.now() - 8 * DAY, 6);
    await write();
    expect(await page("/1")).not.toContain('name="days-back"');
    expect(await extend("6")).toBe("unchanged");
    await post("/1", { intent: "switch-on" });
    expect(await options()).toEqual(["1 day: 2", "2 days: 2", "3 days: 2", "6 days: 5"].map((n) => `${n} more people`));
    for (const days of ["", "x", "-1"]) expect(await extend(days)).toBe(400);
    for (const [days, done] of [
      ["7", "unchanged"],
      ["1", "step-extended"],
      ["1", "unchanged"],
    ] as const)
      expect(await extend(days)).toBe(done);
    expect(await options()).toEqual(["6 days: 3 more people"]);
    expect(await extend("6")).toBe("step-extended");
    expect(await page("/1")).toContain("No one who joined shortly before that can still get it.");
    const logged = (await rows<{ details: string }>("owner_log")).slice(-2).map(({ details }) => JSON.parse(details));
    expect(logged).toMatchObject([
      { people: 2, days: 1 },
      { people: 3, days: 6 },
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
  for (const path of ["", "/new", "/1", "/1/preview"]) expect(technicalWords(await page(path))).toEqual([]);
  expect(await page("")).toContain("Before you send a letter that announces the launch");
  const launched = await signedIn({ LAUNCH_URL: "https://app.example/" });
  for (const path of ["", "/1", "/2"]) {
    const { body } = await launched.request(`/owner/series${path}`);
    expect(body).toContain("Your site has launched, so follow-ups have stopped.");
    expect(body).not.toContain('value="switch-on"');
    expect(body).not.toContain("Before you send a letter");
    expect(technicalWords(body)).toEqual([]);
  }
  expect((await launched.post("/owner/series/1", { intent: "switch-on" })).status).toBe(409);
  expect(outcome(await launched.post("/owner/series/2", { intent: "switch-off" }))).toBe("step-off");
});

describe("what is sent as a follow-up is no letter", () => {
  beforeEach(async () => {
    await joined(1, Date.now());
    await writeOn(1);
    await browser().post("/owner/letters", { subject: "News", body: "Hello" });
  });

  test("on the owner's pages, and in public", async () => {
    const letters = await read("/owner/letters");
    expect(letters).toContain("News");
    expect(letters).not.toContain("A good pitch");
    const select = /<select id="not-sent".*?<\/select>/s.exec(await read("/owner/letters/2/audience"))?.[0];
    expect(select).not.toContain("pitch");
    expect(await read("/letters")).not.toContain("pitch");
    expect((await browser().request("/letters/1")).status).toBe(404);
    expect(await read("/owner/letters/2/send")).toContain("Follow-up emails are on.");
    await post("/1", { intent: "switch-off" });
    expect(await read("/owner/letters/2/send")).not.toContain("Follow-up emails are on.");
  });

  test("at the address of one, or by its buttons", async () => {
    for (const path of ["", "/preview", "/email", "/audience", "/send"]) {
      expect(location(await browser().request(`/owner/letters/1${path}`))).toEqual([303, "/owner/series/1"]);
    }
    for (const intent of ["stop", "publish", "duplicate", "delete"]) {
      await browser().post("/owner/letters/1", { intent });
      expect(await rows("letters")).toMatchObject([{ state: "sending", is_public: 0 }, { id: 2 }]);
    }
  });

  test("on the page of a person, which leads to the follow-up", async () => {
    await env.DB.exec(
      "INSERT INTO letter_recipients (letter_id, position, entry_id, state, done_at) VALUES (1, 0, 1, 'sent', 1)",
    );
    const body = await read("/owner/entries/1");
    expect(body).toMatch(/Follow-up: <a href="\/owner\/series\/1">A good pitch<\/a>/);
    expect(body).not.toContain("/owner/letters/1");
  });
});
