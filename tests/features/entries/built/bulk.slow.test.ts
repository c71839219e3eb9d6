import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { request, site, unsubscribeToken, visibleText } from "#tests/support/pool/built.ts";
import { newestIn, OWNER, signedInBrowser } from "#tests/support/pool/owner.ts";
import { freshStorageForEachTest, join, rows, seedEntries } from "#tests/support/pool/start.ts";

/* Many entries are selected on the list, and erased or unsubscribed together. */

const log = freshStorageForEachTest();

const browser = signedInBrowser({ WORKERS_PLAN: "free", OWNER_TIME_ZONE: "Europe/London" });

/** The hour of a flood, in London. */
const HOUR = "from=2026-11-21&from_time=14%3A00&until=2026-11-21&until_time=14%3A59";
const erase = `/owner/entries/erase?${HOUR}`;
const unsubscribe = "/owner/entries/unsubscribe?source=landing_page";

/** Sign-ups within an hour, between two people. */
async function addFlood(count: number): Promise<void> {
  const start = Date.UTC(2026, 10, 21, 14);
  await seedEntries(count, start + 1);
  await join("before@example.com", { now: start - 1, source: "stall" });
  await join("after@example.com", { now: start + 3_600_000, source: "stall" });
}

const entries = () => rows<{ email: string; status: string }>("waitlist_emails");
const names = async () => (await entries()).map(({ email }) => email.split("@")[0]);
const statuses = async () => (await entries()).map(({ status }) => status);
const textOf = async (path: string) => visibleText((await browser.request(path)).body);

/** Types the number on the page that asks for it. */
async function confirm(path: string, count: string): Promise<void> {
  const { body } = await browser.request(path);
  const { status, headers } = await browser.post(path, { count, newest: newestIn(body) });
  expect([status, headers.get("Location")]).toEqual([303, "/owner/bulk/1"]);
}

const undo = async (id = 1) =>
  (await browser.post(`/owner/bulk/${id}`, { intent: "undo" })).headers.get("Location") ?? "";

describe.each([
  ["erase", erase],
  ["unsubscribe", unsubscribe],
])("to %s", (verb, page) => {
  const path = `/owner/entries/${verb}`;

  test("another number, no number or a changed number changes nothing", async () => {
    await addFlood(3);
    const { body } = await browser.request(page);
    for (const [count, problem] of [
      ["", "Type the number of entries."],
      ["2", `This would ${verb} 3 entries.`],
      ["5", `This would ${verb} 3 entries.`],
    ] as const) {
      const refused = await browser.post(page, { count, newest: newestIn(body) });
      expect([refused.status, visibleText(refused.body)]).toEqual([422, expect.stringContaining(problem)]);
    }
    await env.DB.exec("DELETE FROM waitlist_emails WHERE email = 'person1@example.com'");
    const changed = await browser.post(page, { count: "3", newest: newestIn(body) });
    expect(visibleText(changed.body)).toContain(`This would ${verb} 2 entries.`);
    expect(await statuses()).toEqual(Array(4).fill("active"));
    expect(await rows("bulk_actions")).toEqual([]);
  });

  test.each([
    ["", "The whole list cannot be"],
    ["?source=landing_page&status=activ", "“Status” must be one of"],
    ["?source=landing_page&search=0123abcd", "The search has ended"],
    ["?source=landing_page&answer_gone=x", "“answer_gone” is no longer asked."],
  ])("the query %j is refused, on the page of the selection too", async (query, problem) => {
    await addFlood(3);
    const { body } = await browser.request(path + query);
    expect(visibleText(body)).toContain(problem);
    expect(body).not.toContain('name="count"');
    expect((await browser.post(path + query, { count: "3", newest: "99" })).status).toBe(422);
    const selected = (await browser.request(`/owner/entries/select${query}`)).body;
    expect(selected).toContain('role="alert"');
    expect(selected).not.toContain(path);
    expect(await statuses()).toEqual(Array(5).fill("active"));
    expect(await rows("bulk_actions")).toEqual([]);
  });
});

test("the list offers to select what it shows, unless that is everyone", async () => {
  await addFlood(3);
  expect((await browser.request("/owner/entries")).body).not.toContain("/owner/entries/select");
  const select = "/owner/entries/select?source=landing_page";
  expect((await browser.request("/owner/entries?source=landing_page")).body).toContain(`href="${select}"`);
  const { body } = await browser.request(select);
  expect(visibleText(body)).toContain("3 entries on the list match: Source: Main form");
  for (const path of [unsubscribe, "/owner/entries/erase?source=landing_page", "/owner/export?source=landing_page"])
    expect(body).toContain(`href="${path}"`);
});

test("a flood is found by its hour, counted, confirmed by its number and erased, without whoever joined since", async () => {
  await addFlood(1_234);
  await env.DB.exec("DELETE FROM email_outbox WHERE entry_id > 200");
  const { body } = await browser.request(erase);
  const text = visibleText(body);
  for (const part of [
    "1,234 entries on the list match:",
    "Joined from, time: 14:00",
    "200, which are not sent any more",
    "About 3 minutes.",
  ])
    expect(text).toContain(part);
  expect(await rows("bulk_actions")).toEqual([]);
  await join("late@example.com", { now: Date.UTC(2026, 10, 21, 14, 30) });
  expect((await browser.post(erase, { count: "1,234", newest: newestIn(body) })).status).toBe(303);
  expect(await textOf("/owner/bulk/1")).toContain("40% done");
  await browser.runCron();
  await browser.runCron();
  expect(await textOf("/owner/bulk/1")).toContain("1,234 entries were erased.");
  expect(await names()).toEqual(["before", "after", "late"]);
  expect(await rows("owner_log")).toMatchObject([
    { action: "sign-in" },
    { action: "erase-many", actor: OWNER, details: expect.stringContaining('"bulkActionId":1,"entries":1234') },
  ]);
  expect(await textOf("/owner/log")).toMatch(/bulk action 1 ?, 1,234 entries, filter Joined from: 21 Nov 2026; /);
  expect(log.join()).not.toContain("person");
});

test("two owners who start at the same moment start one change; the other sees the page again", async () => {
  await addFlood(3);
  const { body } = await browser.request(erase);
  const answers = await Promise.all([1, 2].map(() => browser.post(erase, { count: "3", newest: newestIn(body) })));
  const places = answers.map(({ headers }) => headers.get("Location"));
  expect(places.toSorted()).toEqual(["/owner/bulk/1", null]);
  expect(await rows("bulk_actions")).toHaveLength(1);
});

test("a search is part of what is erased, and in no URL, log or row afterwards", async () => {
  await addFlood(3);
  const searched = await browser.post("/owner/entries", { search: "person2@" });
  const list = await browser.request((searched.headers.get("Location") ?? "").replace("entries?", "entries/select?"));
  const path = /href="(\/owner\/entries\/erase\?search=[0-9a-f]{8})"/.exec(list.body)?.[1] ?? "";
  expect(await textOf(path)).toContain("Address or note contains: person2@");
  await confirm(path, "1");
  await browser.runCron();
  expect(await names()).toEqual(["person1", "person3", "before", "after"]);
  const stored = JSON.stringify([await rows("bulk_actions"), await rows("owner_log"), log, [...browser.cookies]]);
  expect(stored).not.toContain("person2");
  expect(await textOf("/owner/bulk/1")).toContain("A search in addresses");
});

test("an erasure is stopped, keeps what is left, and lets the next one start", async () => {
  await addFlood(600);
  const { body } = await browser.request(erase);
  await confirm(erase, "600");
  const another = await browser.request(erase);
  expect(visibleText(another.body)).toContain("Entries are being changed already.");
  expect(another.body).not.toContain('name="count"');
  expect((await browser.post(erase, { count: "100", newest: newestIn(body) })).status).toBe(422);
  expect((await browser.post("/owner/bulk/1", { intent: "stop" })).status).toBe(303);
  await browser.runCron();
  expect(await textOf("/owner/bulk/1")).toMatch(/500 entries were erased\..*Not erased 100/);
  expect(await rows("owner_log")).toMatchObject([
    { action: "sign-in" },
    { action: "erase-many" },
    { action: "stop-erasing", details: JSON.stringify({ bulkActionId: 1 }) },
  ]);
  expect((await browser.post(erase, { count: "100", newest: newestIn(body) })).status).toBe(303);
});

test("the page says how many days it takes where a day's rows are used up, and waits for the next one", async () => {
  await addFlood(10_000);
  expect(await textOf(erase)).toMatch(/Up to 14 days.* Advanced: .* at most 1,500 records a day are changed/);
  await confirm(erase, "10000");
  const today = new Date().toISOString().slice(0, 10);
  await env.DB.exec(`UPDATE bulk_actions SET changed_on = '${today}', changed_today = 1500`);
  await browser.runCron();
  expect(await rows("bulk_actions")).toMatchObject([{ state: "running", affected: 500 }]);
  expect(await textOf("/owner/bulk/1")).toContain("goes on after midnight UTC");
});

test("people are unsubscribed and put back, once, and the log says so", async () => {
  await seedEntries(602, Date.now());
  await join("other@example.com", { source: "stall" });
  await env.DB.exec("DELETE FROM email_outbox WHERE entry_id > 101");
  await env.DB.exec("UPDATE waitlist_emails SET status = 'unsubscribed' WHERE id = 1");
  const text = await textOf(unsubscribe);
  expect(text).toContain("601 entries that match are still subscribed:");
  // One of the 101 waiting emails is to someone who has left.
  expect(text).toContain("100, which are not sent any more, even after an undo");
  expect(text).toContain("About 2 minutes.");
  await confirm(unsubscribe, "601");
  expect(await textOf("/owner/bulk/1")).toContain("83% done");
  await browser.runCron();
  const done = await browser.request("/owner/bulk/1");
  expect(visibleText(done.body)).toContain("601 entries were unsubscribed.");
  expect(done.body).toContain(">Put 601 entries back<");
  expect(await statuses()).toEqual([...Array(602).fill("unsubscribed"), "active"]);
  expect((await browser.request("/owner/entries/2")).body).toContain('<a href="/owner/bulk/1">');

  expect(await undo()).toBe("/owner/bulk/2");
  await browser.runCron();
  expect(await textOf("/owner/bulk/2")).toContain("601 entries were put back.");
  expect(await statuses()).toEqual(["unsubscribed", ...Array(602).fill("active")]);
  expect(await undo()).toBe("/owner/bulk/2");
  expect(await textOf("/owner/bulk/1")).toContain("This was undone");
  expect(await rows("owner_log")).toMatchObject([
    { action: "sign-in" },
    { action: "unsubscribe-many", actor: OWNER, details: expect.stringContaining('"bulkActionId":1,"entries":601') },
    { action: "undo-unsubscribing", actor: OWNER, details: '{"bulkActionId":2,"entries":601}' },
  ]);
  expect(log.join()).not.toContain("person");
});

test("a person who leaves by a link of an earlier email is not put back", async () => {
  await seedEntries(3, Date.now());
  await confirm(unsubscribe, "3");
  const link = `${site.SITE_URL}/unsubscribe/${await unsubscribeToken(1)}`;
  const oneClick = `${site.SITE_URL}/unsubscribe/${await unsubscribeToken(2)}/one-click`;
  const { body } = await request(link);
  expect(visibleText(body)).toContain("To make sure it stays that way, unsubscribe yourself.");
  expect((await request(link, { method: "POST", body: new URLSearchParams() })).status).toBe(303);
  expect((await request(link)).body).not.toContain("To make sure it stays that way");
  const clicked = { method: "POST", body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }) };
  expect((await request(oneClick, clicked)).status).toBe(200);
  expect((await browser.request("/owner/bulk/1")).body).toContain(">Put 1 entry back<");
  await undo();
  expect(await statuses()).toEqual(["unsubscribed", "unsubscribed", "active"]);
});

test("unsubscribing can be undone for 30 days, not while another change runs, and erasing never", async () => {
  await seedEntries(3, Date.now());
  await confirm(unsubscribe, "3");
  const offersUndo = async () => (await browser.request("/owner/bulk/1")).body.includes('value="undo"');
  expect(await offersUndo()).toBe(true);
  await env.DB.exec("UPDATE bulk_actions SET state = 'running' WHERE id = 1");
  expect([await offersUndo(), await undo()]).toEqual([false, "/owner/bulk/1?done=unchanged"]);
  const ago = Date.now() - 30 * 24 * 3_600_000;
  await env.DB.exec(`UPDATE bulk_actions SET state = 'done', finished_at = ${ago}`);
  expect(await textOf("/owner/bulk/1")).toContain("It can no longer be undone.");
  expect([await offersUndo(), await undo()]).toEqual([false, "/owner/bulk/1?done=unchanged"]);
  await env.DB.exec(`UPDATE bulk_actions SET kind = 'erase', finished_at = ${Date.now()}`);
  expect([await offersUndo(), await undo()]).toEqual([false, "/owner/bulk/1?done=unchanged"]);
  expect(await rows("bulk_actions")).toHaveLength(1);
  // After a year the action is deleted, and an entry no longer leads to it.
  expect((await browser.request("/owner/entries/1")).body).toContain('href="/owner/bulk/1"');
  await env.DB.exec("DELETE FROM bulk_actions");
  expect((await browser.request("/owner/entries/1")).body).not.toContain("/owner/bulk/");
});

test("an action that does not exist has no page, and cannot be changed", async () => {
  expect((await browser.request("/owner/bulk/7")).status).toBe(404);
  expect((await browser.post("/owner/bulk/7", { intent: "start" })).status).toBe(400);
  expect((await browser.post("/owner/bulk/7", { intent: "undo" })).status).toBe(404);
});
