import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { newsOnly, withFollowUps } from "#app/waitlist/consent-wording.ts";
import { visibleText } from "#tests/support/pool/built-page.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/database.ts";
import { join } from "#tests/support/pool/join.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { needs } from "#tests/support/pool/needs.ts";
import { OWNER, signedIn } from "#tests/support/pool/owner.ts";
import { technicalWords } from "#tests/support/pool/owner-words.ts";
import { problemsOf } from "#tests/support/pool/owners-problems.ts";
import { followUp, joined, ownersSeries } from "#tests/support/pool/owners-series.ts";

needs("letters", "series");

freshStorageForEachTest();
const log = captureLog();
const { browser, post, page, write, writeOn, steps, actions } = ownersSeries();

const location = ({ status, headers }: { status: number; headers: Headers }) => [status, headers.get("Location")];

test("a follow-up is written, changed, previewed, tested and deleted", async () => {
  expect(location(await write())).toEqual([303, "/owner/series/1?done=step-created"]);
  expect(await steps()).toMatchObject([
    { days: 3, hour: 9, subject: "A good pitch", body: "Hello.\n\nThree photos.", audience: null, letter_id: null },
  ]);
  const changed = await post("/1", {
    ...followUp,
    days: "5",
    body: "Bye.",
    "reply-to": "a@b.example",
    intent: "preview",
  });
  expect(location(changed)).toEqual([303, "/owner/series/1/preview?done=step-saved"]);
  expect(await steps()).toMatchObject([{ days: 5, body: "Bye.", reply_to: "a@b.example" }]);
  const preview = await browser().request("/owner/series/1/preview");
  expect(preview.headers.get("Content-Security-Policy")).toContain("frame-src 'self'");
  expect(preview.body).toContain('src="/owner/series/1/email?scheme=light"');
  expect(preview.body).toContain("<dd>a@b.example</dd>");
  expect((await browser().request("/owner/series/1/email")).body).toContain("Bye.");
  expect(location(await post("/1/preview", { intent: "test" }))).toEqual([
    303,
    "/owner/series/1/preview?done=step-tested",
  ]);
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
    expect(refused.status).toBe(422);
    expect(problemsOf(refused.body)).toEqual({ days: "Type a whole number from 1 to 365." });
    expect(refused.body).toContain(`value="Kept"`);
    expect(refused.body).toContain("Three photos.</textarea>");
    expect(await steps()).toEqual([]);
  });

  test("is shown again when another follow-up has its days, new or changed", async () => {
    await write();
    await write({ days: "5" });
    for (const refused of [
      await write({ subject: "Twin" }),
      await post("/2", { ...followUp, intent: "save", subject: "Twin" }),
    ]) {
      expect(refused.status).toBe(409);
      expect(problemsOf(refused.body)["days"]).toContain("Another follow-up is sent on day 3.");
      expect(refused.body).toContain('value="Twin"');
    }
    expect((await steps()).map(({ days, subject }) => [days, subject])).toEqual([
      [3, "A good pitch"],
      [5, "A good pitch"],
    ]);
    // The same days are no obstacle to a change of the rest.
    await post("/2", { ...followUp, days: "5", intent: "save", subject: "Other" });
    expect((await steps())[1]?.subject).toBe("Other");
  });

  test("is not lost when two owners choose the same days at the same moment", async () => {
    await env.DB.exec(
      "CREATE TRIGGER twin BEFORE INSERT ON series_steps WHEN NEW.subject = 'Mine' BEGIN INSERT INTO series_steps (days, hour, subject, preview_line, body, created_at, updated_at) VALUES (NEW.days, 9, 'Theirs', '', '', 0, 0); END",
    );
    const refused = await write({ subject: "Mine" });
    await env.DB.exec("DROP TRIGGER twin");
    expect([refused.status, problemsOf(refused.body)["days"]]).toEqual([409, expect.stringContaining("day 3")]);
    expect(refused.body).toContain('value="Mine"');
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

describe("a saved view", () => {
  const save = (name: string, query: string) => browser().post(`/owner/entries/views?${query}`, { name });
  const audience = async () => JSON.parse((await steps())[0]?.audience ?? "null");

  test("is copied into the follow-up, which keeps it when the view goes", async () => {
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
    expect([refused.status, problemsOf(refused.body)]).toEqual([
      422,
      { audience: "This view no longer exists. Choose again." },
    ]);
    expect((await write({ days: "9", audience: "kept" })).status).toBe(422);
    await post("/1", { ...followUp, intent: "save" });
    expect(await audience()).toBeNull();
  });
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
  expect(visibleText((await browser().request("/owner/log")).body)).toContain(
    "Changed the hour of follow-ups: hour 18:00",
  );
});

test("every page is in words, whatever keeps follow-ups from being sent", async () => {
  await writeOn(1);
  for (const path of ["", "/new", "/1", "/1/preview"]) {
    expect([path, technicalWords(await page(path))]).toEqual([path, []]);
  }
  const launched = await signedIn({ LAUNCH_URL: "https://app.example/" });
  expect(technicalWords((await launched.request("/owner/series")).body)).toEqual([]);
});
