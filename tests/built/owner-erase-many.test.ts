import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { visibleText } from "#tests/support/pool/built-page.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/database.ts";
import { join } from "#tests/support/pool/join.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { OWNER, signedInBrowser } from "#tests/support/pool/owner.ts";
import { seedEntries } from "#tests/support/pool/seed-entries.ts";

freshStorageForEachTest();
const log = captureLog();

const browser = signedInBrowser({ WORKERS_PLAN: "free", OWNER_TIME_ZONE: "Europe/London" });

/** The hour of the flood, in London. */
const HOUR = "from=2026-11-21&from_time=14%3A00&until=2026-11-21&until_time=14%3A59";
const page = `/owner/entries/erase?${HOUR}`;

/** Sign-ups within an hour, between two people. */
async function addFlood(count: number): Promise<void> {
  const start = Date.UTC(2026, 10, 21, 14);
  await seedEntries(count, start + 1);
  await join("before@example.com", { now: start - 1 });
  await join("after@example.com", { now: start + 3_600_000 });
}

const names = async () => (await rows<{ email: string }>("waitlist_emails")).map(({ email }) => email.split("@")[0]);

const newest = (body: string) => /name="newest" value="(\d+)"/.exec(body)?.[1] ?? "";

test("a flood is found by its hour, counted, confirmed by its number and erased, and the log says so", async () => {
  await addFlood(1_234);
  const list = await browser.request(`/owner/entries/select?${HOUR}`);
  expect(list.body).toContain(`href="${page.replaceAll("&", "&amp;")}"`);
  const { status, body } = await browser.request(page);
  expect(status).toBe(200);
  const text = visibleText(body);
  expect(text).toContain("1,234 entries on the list match:");
  expect(text).toContain("Joined from, time: 14:00");
  expect(text).toContain("1,234, which are not sent any more");
  expect(text).toContain("About 3 minutes. Advanced: it writes up to 11,109 rows to the database");
  expect(await rows("bulk_actions")).toEqual([]);

  const confirmed = await browser.post(page, { count: "1,234", newest: newest(body) });
  expect([confirmed.status, confirmed.headers.get("Location")]).toEqual([303, "/owner/bulk/1"]);
  const running = await browser.request("/owner/bulk/1");
  expect(visibleText(running.body)).toContain("40% done");
  await browser.runCron();
  await browser.runCron();
  const done = visibleText((await browser.request("/owner/bulk/1")).body);
  expect(done).toContain("1,234 entries were erased.");
  expect(await names()).toEqual(["before", "after"]);
  expect(await rows("owner_log")).toMatchObject([
    { action: "sign-in" },
    { action: "erase-many", actor: OWNER, details: expect.stringContaining('"bulkActionId":1,"entries":1234') },
  ]);
  const logged = visibleText((await browser.request("/owner/log")).body);
  expect(logged).toMatch(/Started erasing entries: bulk action 1 ?, 1,234 entries, filter Joined from: 2026-11-21; /);
  expect(log.join()).not.toContain("person");
});

test("another number, no number or a changed number erases nothing", async () => {
  await addFlood(3);
  const { body } = await browser.request(page);
  for (const [count, problem] of [
    ["", "Type the number of entries."],
    ["2", "This would erase 3 entries."],
    ["5", "This would erase 3 entries."],
  ] as const) {
    const refused = await browser.post(page, { count, newest: newest(body) });
    expect(refused.status).toBe(422);
    expect(visibleText(refused.body)).toContain(problem);
  }
  await env.DB.exec("DELETE FROM waitlist_emails WHERE email = 'person1@example.com'");
  const changed = await browser.post(page, { count: "3", newest: newest(body) });
  expect(visibleText(changed.body)).toContain("This would erase 2 entries.");
  expect(await names()).toHaveLength(4);
  expect(await rows("bulk_actions")).toEqual([]);
});

test("people who join while the page is open are neither counted nor erased", async () => {
  await addFlood(3);
  const { body } = await browser.request(page);
  await join("late@example.com", { now: Date.UTC(2026, 10, 21, 14, 30) });
  expect((await browser.post(page, { count: "3", newest: newest(body) })).status).toBe(303);
  await browser.runCron();
  expect(await names()).toEqual(["before", "after", "late"]);
});

test("the whole list, a filter that is not valid and a search that has ended erase nothing", async () => {
  await addFlood(3);
  for (const [path, problem] of [
    ["/owner/entries/erase", "The whole list cannot be erased here."],
    ["/owner/entries/erase?source=landing_page&status=activ", "“Status” must be one of"],
    ["/owner/entries/erase?source=landing_page&search=0123abcd", "The search has ended"],
  ] as const) {
    const { body } = await browser.request(path);
    expect(visibleText(body)).toContain(problem);
    expect(body).not.toContain('name="count"');
    const refused = await browser.post(path, { count: "5", newest: "99" });
    expect(refused.status).toBe(422);
  }
  expect((await browser.request("/owner/entries")).body).not.toContain("/owner/entries/select");
  expect(await names()).toHaveLength(5);
});

test("a search is part of what is erased, and in no URL, log or row afterwards", async () => {
  await addFlood(3);
  const searched = await browser.post("/owner/entries", { search: "person2@" });
  const list = await browser.request((searched.headers.get("Location") ?? "").replace("entries?", "entries/select?"));
  const path = /href="(\/owner\/entries\/erase\?search=[0-9a-f]{8})"/.exec(list.body)?.[1] ?? "";
  const { body } = await browser.request(path);
  expect(visibleText(body)).toContain("Address contains: person2@");
  expect((await browser.post(path, { count: "1", newest: newest(body) })).status).toBe(303);
  await browser.runCron();
  expect(await names()).toEqual(["person1", "person3", "before", "after"]);
  const stored = JSON.stringify([await rows("bulk_actions"), await rows("owner_log"), log, [...browser.cookies]]);
  expect(stored).not.toContain("person2");
  expect(visibleText((await browser.request("/owner/bulk/1")).body)).toContain("A search in addresses");
});

test("an erasure is stopped, keeps what is left, and lets the next one start", async () => {
  await addFlood(600);
  const { body } = await browser.request(page);
  await browser.post(page, { count: "600", newest: newest(body) });
  const another = await browser.request(page);
  expect(visibleText(another.body)).toContain("Entries are being changed already.");
  expect(another.body).not.toContain('name="count"');
  expect((await browser.post(page, { count: "100", newest: newest(body) })).status).toBe(422);
  expect((await browser.post("/owner/bulk/1", { intent: "stop" })).status).toBe(303);
  await browser.runCron();
  const stopped = visibleText((await browser.request("/owner/bulk/1")).body);
  expect(stopped).toContain("500 entries were erased.");
  expect(stopped).toContain("Not erased 100");
  expect(await rows("owner_log")).toMatchObject([
    { action: "sign-in" },
    { action: "erase-many" },
    { action: "stop-erasing", details: JSON.stringify({ bulkActionId: 1 }) },
  ]);
  expect((await browser.post(page, { count: "100", newest: newest(body) })).status).toBe(303);
});

test("the page says how many days it takes where a day's rows are used up, and waits for the next one", async () => {
  await addFlood(10_000);
  const { body } = await browser.request(page);
  const text = visibleText(body);
  expect(text).toContain(
    "Up to 3 days, so that the database can still store people who sign up. Advanced: it writes up to 90,003 rows to the database, and at most 40,000 a day",
  );
  await browser.post(page, { count: "10000", newest: newest(body) });
  const today = new Date().toISOString().slice(0, 10);
  await env.DB.exec(`UPDATE bulk_actions SET written_on = '${today}', rows_written = 40000`);
  await browser.runCron();
  expect(await rows("bulk_actions")).toMatchObject([{ state: "running", affected: 500 }]);
  expect(visibleText((await browser.request("/owner/bulk/1")).body)).toContain("goes on after midnight UTC");
});

test("a page of no erasure is not found, and an unknown intent is refused", async () => {
  expect((await browser.request("/owner/bulk/7")).status).toBe(404);
  expect((await browser.post("/owner/bulk/7", { intent: "start" })).status).toBe(400);
});
