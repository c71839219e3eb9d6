import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { visits } from "#app/switches.ts";
import { newsOnly, withFollowUps } from "#app/waitlist/sign-up/consent-wording.ts";
import { section } from "#tests/features/letters/pool/owners-letters.ts";
import { visibleText } from "#tests/support/pool/built.ts";
import { OWNER, problemsOf, signedIn, technicalWords } from "#tests/support/pool/owner.ts";
import { execute, freshStorageForEachTest, join, needs, rows } from "#tests/support/pool/start.ts";

/* Follow-up emails: writing them, who gets them, on and off, pauses and numbers; and that they are no letters. */

needs("letters", "series");

const log = freshStorageForEachTest();

/** What the form of a follow-up sends. */
const followUp = { days: "3", audience: "", subject: "A good pitch", body: "Hello.\r\n\r\nThree photos." };

const { browser, post, next, page, actions } = section("/owner/series");
const write = (fields: Record<string, string> = {}) => post("", { ...followUp, ...fields });
const steps = () => rows<{ audience: string | null; letter_id: number | null; body: string }>("series_steps");
const read = async (path: string) => (await browser().request(path)).body;
const leadsTo = async (path: string) => (await browser().request(path)).headers.get("Location");
/** Presses a button. @returns what the next page says, or the status without one */
const press = async (path: string, intent: string, fields: Record<string, string> = {}) => {
  const { status, headers } = await post(path, { intent, ...fields });
  return headers.get("Location")?.replace(/.*done=/, "") ?? status;
};

/** Writes a follow-up and switches it on. @param id the one that it gets */
async function writeOn(id: number, fields: Record<string, string> = {}) {
  await write(fields);
  await post(`/${id}`, { intent: "switch-on" });
}

/** Adds `person1@example.com` and so on, who joined at a time (milliseconds since 1970) and agreed to follow-ups. */
const joined = (count: number, at: number, first = 1) =>
  execute(
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?1)
    INSERT INTO waitlist_emails (email, metadata, created_at, consent_version)
    SELECT 'person' || CAST(n + ?2 - 1 AS integer) || '@example.com', '{}', ?3, ?4 FROM numbers`,
    ...[count, first, at, withFollowUps.version],
  );

const DAY = 24 * 3_600_000;

test("a follow-up is written, changed, previewed, tested and deleted", async () => {
  expect(await next("", followUp)).toBe("/owner/series/1?done=step-created");
  const content = { subject: "A good pitch", body: "Hello.\n\nThree photos." };
  expect(await steps()).toMatchObject([{ days: 3, hour: 9, ...content, audience: null, letter_id: null }]);
  const changes = { ...followUp, days: "5", body: "Bye.", "reply-to": "a@b.example" };
  expect(await next("/1", { ...changes, intent: "preview" })).toBe("/owner/series/1/preview?done=step-saved");
  expect(await steps()).toMatchObject([{ days: 5, body: "Bye.", reply_to: "a@b.example" }]);
  const preview = await browser().request("/owner/series/1/preview");
  expect(preview.headers.get("Content-Security-Policy")).toContain("frame-src 'self'");
  for (const part of ['src="/owner/series/1/email?scheme=light"', "<dd>a@b.example</dd>"])
    expect(preview.body).toContain(part);
  expect(await page("/1/email")).toContain("Bye.");
  expect(await press("/1/preview", "test")).toBe("step-tested");
  expect(browser().emails).toMatchObject([{ to: OWNER, subject: "[Test] A good pitch", replyTo: "a@b.example" }]);
  expect(await next("/1", { intent: "delete" })).toBe("/owner/series?done=step-deleted");
  expect(await steps()).toEqual([]);
  expect(await leadsTo("/owner/series/1")).toBe("/owner/series?done=step-gone");
  expect(await actions()).toEqual(["create-step", "change-step", "test-step", "delete-step"]);
  expect(visibleText(await read("/owner/log"))).toContain("Deleted a follow-up: follow-up 1");
  expect(log.join()).not.toContain(OWNER);
});

test("a follow-up is switched on where the button is: on the list, or on its own page", async () => {
  await write();
  const presses = ["series", "step"].map((back) => async () => {
    const on = await next("/1", { intent: "switch-on", back });
    await next("/1", { intent: "switch-off", back });
    return on;
  });
  expect(await presses[0]?.()).toBe("/owner/series?done=step-on");
  expect(await presses[1]?.()).toBe("/owner/series/1?done=step-on-again");
  const list = await page("?done=step-on");
  expect(list).toContain('name="back" value="series"');
  expect(visibleText(list)).toContain("The follow-up is on, for people who join from now on.");
});

test("a follow-up's page says what its counted links brought", async () => {
  await writeOn(1, { body: "[See]({{counted}}/roadmap)" });
  expect(visibleText(await page("/1"))).toContain("What its counted links brought Nothing so far.");
  const day = new Date().toISOString().slice(0, 10);
  const counts = JSON.stringify({ utm_campaign: { "follow-up-1/roadmap": 5, "letter-1/roadmap": 7 } });
  await execute("INSERT INTO page_visits (day, counts) VALUES (?, ?)", day, counts);
  if (visits) expect(visibleText(await page("/1"))).toContain("/roadmap 5 0");
});

test("the page says how many agreed to follow-ups, by what they were promised, and what forms say now", async () => {
  await joined(2, Date.now());
  await join("ada@example.com");
  await env.DB.exec(
    "INSERT INTO waitlist_emails (email, metadata, created_at, status) VALUES ('none@example.com', '{}', 0, 'active'), ('left@example.com', '{}', 0, 'unsubscribed')",
  );
  const before = visibleText(await page(""));
  const agreed = [`2 people: “${withFollowUps.text}”`, `1 person: “${newsOnly.text}”`, "1 person: no wording stated"];
  for (const part of ["2 of 4 people on your list agreed to", "Your forms do not mention follow-ups until", ...agreed])
    expect(before).toContain(part);
  await writeOn(1);
  expect(visibleText(await page(""))).toContain("Your forms mention follow-ups while one is on.");
});

describe("what is typed", () => {
  test("is shown again when the days are none", async () => {
    for (const days of ["", "0", "366", "-1", "2.5", "soon"]) {
      const refused = await write({ days, subject: "Kept" });
      expect([refused.status, Object.keys(problemsOf(refused.body))], days).toEqual([422, ["days"]]);
      expect(refused.body).toMatch(/value="Kept".*Three photos\.<\/textarea>/s);
    }
    expect(await steps()).toEqual([]);
  });

  test("is shown again when another follow-up has its days, even one that is written at the same moment", async () => {
    await write();
    await write({ days: "5" });
    await env.DB.exec(
      "CREATE TRIGGER twin BEFORE INSERT ON series_steps WHEN NEW.days = 7 BEGIN INSERT INTO series_steps (days, hour, subject, preview_line, body, created_at, updated_at) VALUES (NEW.days, 9, 'Theirs', '', '', 0, 0); END",
    );
    for (const [path, days] of [
      ["", "3"],
      ["/2", "3"],
      ["", "7"],
    ] as const) {
      const refused = await post(path, { ...followUp, days, intent: "save", subject: "Twin" });
      expect([refused.status, problemsOf(refused.body)["days"]]).toEqual([409, expect.stringMatching(/on day [37]\./)]);
      expect(refused.body).toContain('value="Twin"');
    }
    await env.DB.exec("DROP TRIGGER twin");
    // The same days are no obstacle to a change of the rest.
    await post("/2", { ...followUp, days: "5", intent: "save", subject: "Other" });
    expect(await steps()).toMatchObject([{ days: 3 }, { days: 5, subject: "Other" }]);
  });

  test("is stored with its problems while the follow-up is off, which keeps it off, and refused with them while it is on", async () => {
    await write({ subject: "", body: "Hello <b>you</b>" });
    expect(Object.keys(problemsOf(await page("/1")))).toEqual(["body"]);
    const refused = await post("/1", { intent: "switch-on" });
    expect(refused.status).toBe(422);
    expect(refused.body).toContain("cannot be switched on as it is");
    expect(problemsOf(refused.body)).toEqual({ subject: "Write a subject.", body: expect.stringContaining("Line 1") });
    expect(await press("/1/preview", "test")).toBe(422);
    expect((await steps())[0]?.letter_id).toBeNull();
    expect(await actions()).toEqual(["create-step"]);
    // While it is on, it is refused with them.
    await post("/1", { ...followUp, intent: "save" });
    await post("/1", { intent: "switch-on" });
    expect(await page("/1")).toContain("people who have not been sent it yet get the new text");
    const later = await post("/1", { ...followUp, subject: "", body: "Hello\n\n{{nobody}}", intent: "save" });
    expect(later.status).toBe(422);
    expect(problemsOf(later.body)).toEqual({ subject: "Write a subject.", body: expect.stringContaining("Line 3") });
    expect(later.body).toContain("{{nobody}}</textarea>");
    expect((await steps())[0]?.body).toBe("Hello.\n\nThree photos.");
    expect(await next("/1", { ...followUp, body: "New.", intent: "save" })).toBe("/owner/series/1?done=step-changed");
    expect(await rows("letters")).toMatchObject([{ state: "finished" }, { state: "sending", body: "New." }]);
  });

  test("is not lost when there are five already, or when it is too large", async () => {
    for (const days of ["1", "2", "3", "4"]) await write({ days });
    expect(await page("")).toContain("/owner/series/new");
    await write({ days: "5" });
    expect(await page("")).not.toContain("/owner/series/new");
    expect(await leadsTo("/owner/series/new")).toBe("/owner/series?done=unchanged");
    const sixth = await write({ days: "6", subject: "Sixth" });
    expect([sixth.status, sixth.body.includes('value="Sixth"')]).toEqual([409, true]);
    expect(await steps()).toHaveLength(5);
    await post("/5", { intent: "delete" });
    // Two owners at once.
    const both = await Promise.all([write({ days: "7" }), write({ days: "8" })]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([303, 409]);
    expect(await steps()).toHaveLength(5);
    for (const path of ["/1", ""]) {
      const large = await post(path, { ...followUp, body: "x".repeat(600_000), intent: "save" });
      expect([large.status, large.body.includes("was not saved")]).toEqual([413, true]);
    }
  });
});

test("a saved view is copied into the follow-up, which keeps it when the view goes", async () => {
  const audience = async () => JSON.parse((await steps())[0]?.audience ?? "null");
  for (const [name, query] of Object.entries({ Stalls: "source=stall&status=active", Gone: "status=unsubscribed" }))
    await browser().post(`/owner/entries/views?${query}`, { name });
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

describe("a follow-up", () => {
  test("is switched on, off and on again, each once, and all have one hour", async () => {
    await write();
    await write({ days: "5" });
    expect(await page("")).toContain("Hour in Europe/London");
    for (const [hour, outcome] of Object.entries({ "09:00": "unchanged", "18:00": "hour" }))
      expect(await next("/hour", { hour })).toBe(`/owner/series?done=${outcome}`);
    expect(await steps()).toMatchObject([{ hour: 18 }, { hour: 18 }]);
    for (const hour of ["", "24:00", "9"]) expect((await post("/hour", { hour })).status).toBe(400);
    expect(await press("/1", "switch-off")).toBe("unchanged");
    expect(await press("/1", "switch-on")).toBe("step-on");
    expect(await press("/1", "switch-on")).toBe("unchanged");
    expect(await page("")).toContain(">On</span>");
    expect(await press("/1", "switch-off", { back: "series" })).toBe("step-off");
    expect(await page("")).toContain(">Off</span>");
    expect(await press("/1", "switch-on")).toBe("step-on-again");
    expect(await press("/1", "other")).toBe(400);
    const switched = ["switch-step-on", "switch-step-off", "switch-step-on"];
    expect(await actions()).toEqual(["create-step", "create-step", "set-series-hour", ...switched]);
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
    const extend = (days: string) => press("/1", "extend", { "days-back": days });
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
    for (const days of ["", "x", "-1"]) expect(await extend(days), days).toBe(400);
    const outcomes = [await extend("7"), await extend("1"), await extend("1")];
    expect(outcomes).toEqual(["unchanged", "step-extended", "unchanged"]);
    expect(await options()).toEqual(["6 days: 3 more people"]);
    expect(await extend("6")).toBe("step-extended");
    expect(await page("/1")).toContain("No one who joined shortly before that can still get it.");
    const logged = (await rows<{ details: string }>("owner_log")).slice(-2).map(({ details }) => JSON.parse(details));
    expect(logged.map(({ people, days }) => `${people} of ${days}`)).toEqual(["2 of 1", "3 of 6"]);
  });

  test("that is paused says why, and is resumed", async () => {
    await joined(1, Date.now());
    await writeOn(1);
    await env.DB.exec("INSERT INTO email_pauses SELECT 'follow-ups', id, 'bounces', NULL, 1 FROM letters");
    for (const path of ["", "/1"])
      expect(visibleText(await page(path))).toContain("Paused: too many emails bounced. Check where these addresses");
    await browser().post("/owner/stats?days=30");
    const overview = await read("/owner");
    for (const part of ["“A good pitch” is paused: too many emails bounced.", 'href="/owner/series/1"'])
      expect(overview).toContain(part);
    expect(overview).not.toContain("/owner/letters/1");
    await env.DB.exec(`INSERT INTO email_pauses VALUES ('all', 0, 'daily-quota', ${Date.now() + DAY}, 1)`);
    expect(await press("/1", "resume", { back: "series" })).toBe("step-resumed");
    const [pause, ...others] = await rows<{ until: number }>("email_pauses");
    expect(others).toEqual([]);
    expect(pause?.until).toBeLessThanOrEqual(Date.now());
    expect(await press("/1", "resume")).toBe("unchanged");
    expect((await actions()).at(-1)).toBe("resume-step");
    // Emails that the provider never confirmed need no decision, other than those of letters.
    await env.DB.exec("INSERT INTO letter_batches (letter_id, number, dead_at) VALUES (1, 0, 1)");
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
    expect(body).not.toMatch(/value="switch-on"|Before you send a letter/);
    expect(technicalWords(body)).toEqual([]);
  }
  expect((await launched.post("/owner/series/1", { intent: "switch-on" })).status).toBe(409);
  const { headers } = await launched.post("/owner/series/2", { intent: "switch-off" });
  expect(headers.get("Location")).toContain("done=step-off");
});

test("what is sent as a follow-up is no letter: on the owner's pages, in public, by address and by buttons", async () => {
  await joined(1, Date.now());
  await writeOn(1);
  await browser().post("/owner/letters", { subject: "News", body: "Hello" });
  const letters = await read("/owner/letters");
  expect([letters.includes("News"), letters.includes("A good pitch")]).toEqual([true, false]);
  const select = /<select id="not-sent".*?<\/select>/s.exec(await read("/owner/letters/2/audience"))?.[0];
  expect(select).not.toContain("pitch");
  expect(await read("/letters")).not.toContain("pitch");
  expect((await browser().request("/letters/1")).status).toBe(404);
  for (const path of ["", "/preview", "/email", "/audience", "/send"])
    expect(await leadsTo(`/owner/letters/1${path}`)).toBe("/owner/series/1");
  for (const intent of ["stop", "publish", "duplicate", "delete"]) {
    await browser().post("/owner/letters/1", { intent });
    expect(await rows("letters")).toMatchObject([{ state: "sending", is_public: 0 }, { id: 2 }]);
  }
  expect(await read("/owner/letters/2/send")).toContain("Follow-up emails are on.");
  await post("/1", { intent: "switch-off" });
  expect(await read("/owner/letters/2/send")).not.toContain("Follow-up emails are on.");
  // The page of a person leads to the follow-up.
  await env.DB.exec(
    "INSERT INTO letter_recipients (letter_id, position, entry_id, state, done_at) VALUES (1, 0, 1, 'sent', 1)",
  );
  const person = await read("/owner/entries/1");
  expect(person).toMatch(/Follow-up: <a href="\/owner\/series\/1">A good pitch<\/a>/);
  expect(person).not.toContain("/owner/letters/1");
});
