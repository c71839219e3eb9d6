import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { visibleText } from "#tests/support/pool/built-page.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/database.ts";
import { request, site, unsubscribeToken } from "#tests/support/pool/email-links.ts";
import { join } from "#tests/support/pool/join.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { OWNER, signedInBrowser } from "#tests/support/pool/owner.ts";
import { seedEntries } from "#tests/support/pool/seed-entries.ts";

freshStorageForEachTest();
const log = captureLog();

const browser = signedInBrowser({ WORKERS_PLAN: "free" });

const page = "/owner/entries/unsubscribe?source=landing_page";

const newest = (body: string) => /name="newest" value="(\d+)"/.exec(body)?.[1] ?? "";
const statuses = async () => (await rows<{ status: string }>("waitlist_emails")).map(({ status }) => status);

async function unsubscribeAll(count: number): Promise<void> {
  const { body } = await browser.request(page);
  const confirmed = await browser.post(page, { count: String(count), newest: newest(body) });
  expect([confirmed.status, confirmed.headers.get("Location")]).toEqual([303, "/owner/bulk/1"]);
}

test("people are selected on the list, counted, unsubscribed by their number and put back, and the log says so", async () => {
  await seedEntries(602, Date.now());
  await join("other@example.com", { source: "stall" });
  await env.DB.exec("UPDATE waitlist_emails SET status = 'unsubscribed' WHERE id = 1");
  const list = await browser.request("/owner/entries?source=landing_page");
  expect(list.body).toContain(
    'href="/owner/entries/select?source=landing_page">Select all<span class="list-wide"> that match</span><',
  );
  const selected = await browser.request("/owner/entries/select?source=landing_page");
  expect(visibleText(selected.body)).toContain("602 entries on the list match: Source: Main form");
  expect(selected.body).toContain(`href="${page}"`);
  expect(selected.body).toContain('href="/owner/entries/erase?source=landing_page"');
  expect(selected.body).toContain('href="/owner/export?source=landing_page"');

  const text = visibleText((await browser.request(page)).body);
  expect(text).toContain("601 entries that match are still subscribed:");
  // One of the 602 waiting emails is to someone who has left.
  expect(text).toContain("601, which are not sent any more, even after an undo");
  expect(text).toContain("Advanced: it writes up to 3,609 rows to the database");
  await unsubscribeAll(601);
  expect(visibleText((await browser.request("/owner/bulk/1")).body)).toContain("83% done");
  await browser.runCron();
  const done = await browser.request("/owner/bulk/1");
  expect(visibleText(done.body)).toContain("601 entries were unsubscribed.");
  expect(await statuses()).toEqual([...Array(602).fill("unsubscribed"), "active"]);
  expect(done.body).toContain(">Put 601 entries back<");

  expect((await browser.request("/owner/entries/2")).body).toContain(
    '<a href="/owner/bulk/1">together with others</a>',
  );
  const undone = await browser.post("/owner/bulk/1", { intent: "undo" });
  expect(undone.headers.get("Location")).toBe("/owner/bulk/2");
  await browser.runCron();
  expect(visibleText((await browser.request("/owner/bulk/2")).body)).toContain("601 entries were put back.");
  expect(await statuses()).toEqual(["unsubscribed", ...Array(602).fill("active")]);
  const again = await browser.post("/owner/bulk/1", { intent: "undo" });
  expect(again.headers.get("Location")).toBe("/owner/bulk/2");
  expect(visibleText((await browser.request("/owner/bulk/1")).body)).toContain("This was undone");
  expect(await rows("owner_log")).toMatchObject([
    { action: "sign-in" },
    { action: "unsubscribe-many", actor: OWNER, details: expect.stringContaining('"bulkActionId":1,"entries":601') },
    { action: "undo-unsubscribing", actor: OWNER, details: '{"bulkActionId":2,"entries":601}' },
  ]);
  expect(visibleText((await browser.request("/owner/log")).body)).toContain(
    "Started unsubscribing entries: bulk action 1",
  );
  expect(log.join()).not.toContain("person");
});

test("another number, no number, the whole list, a wrong filter and an ended search unsubscribe no one", async () => {
  await seedEntries(3, Date.now());
  const { body } = await browser.request(page);
  for (const [count, problem] of [
    ["", "Type the number of entries."],
    ["2", "This would unsubscribe 3 entries."],
  ] as const) {
    const refused = await browser.post(page, { count, newest: newest(body) });
    expect(refused.status).toBe(422);
    expect(visibleText(refused.body)).toContain(problem);
  }
  for (const [query, problem] of [
    ["", "The whole list cannot be unsubscribed here."],
    ["?source=landing_page&status=activ", "“Status” must be one of"],
    ["?source=landing_page&search=0123abcd", "The search has ended"],
    ["?source=landing_page&answer_gone=x", "“answer_gone” is no longer asked."],
  ] as const) {
    const path = `/owner/entries/unsubscribe${query}`;
    expect(visibleText((await browser.request(path)).body)).toContain(problem);
    expect((await browser.post(path, { count: "3", newest: "99" })).status).toBe(422);
    const selected = (await browser.request(`/owner/entries/select${query}`)).body;
    expect(selected).toContain('role="alert"');
    expect(selected).not.toContain("/owner/entries/unsubscribe");
  }
  expect(await statuses()).toEqual(["active", "active", "active"]);
  expect(await rows("bulk_actions")).toEqual([]);
});

test("a person who leaves by a link of an earlier email is not put back", async () => {
  await seedEntries(3, Date.now());
  await unsubscribeAll(3);
  const link = `${site.SITE_URL}/unsubscribe/${await unsubscribeToken(1)}`;
  const oneClick = `${site.SITE_URL}/unsubscribe/${await unsubscribeToken(2)}/one-click`;
  const { body } = await request(link);
  expect(visibleText(body)).toContain("To make sure that it stays so, unsubscribe yourself.");
  expect((await request(link, { method: "POST", body: new URLSearchParams() })).status).toBe(303);
  expect((await request(link)).body).not.toContain("To make sure that it stays so");
  const clicked = { method: "POST", body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }) };
  expect((await request(oneClick, clicked)).status).toBe(200);
  expect((await browser.request("/owner/bulk/1")).body).toContain(">Put 1 entry back<");
  await browser.post("/owner/bulk/1", { intent: "undo" });
  expect(await statuses()).toEqual(["unsubscribed", "unsubscribed", "active"]);
});

test("it can be undone for 30 days, not while another change runs, and erasing never", async () => {
  await seedEntries(3, Date.now());
  await unsubscribeAll(3);
  await env.DB.exec("UPDATE bulk_actions SET state = 'running' WHERE id = 1");
  expect((await browser.request("/owner/bulk/1")).body).not.toContain('value="undo"');
  await browser.post("/owner/bulk/1", { intent: "undo" });
  expect((await browser.request(page)).body).not.toContain('name="count"');
  const ago = Date.now() - 30 * 24 * 3_600_000;
  await env.DB.exec(`UPDATE bulk_actions SET state = 'done', finished_at = ${ago}`);
  expect(visibleText((await browser.request("/owner/bulk/1")).body)).toContain("It can no longer be undone.");
  const { headers } = await browser.post("/owner/bulk/1", { intent: "undo" });
  expect(headers.get("Location")).toBe("/owner/bulk/1?done=unchanged");
  await env.DB.exec(`UPDATE bulk_actions SET kind = 'erase', finished_at = ${Date.now()}`);
  expect((await browser.request("/owner/bulk/1")).body).not.toContain('value="undo"');
  await browser.post("/owner/bulk/1", { intent: "undo" });
  expect(await rows("bulk_actions")).toHaveLength(1);
  expect((await browser.post("/owner/bulk/9", { intent: "undo" })).status).toBe(404);
  // After a year the action is deleted, and an entry no longer leads to it.
  expect((await browser.request("/owner/entries/1")).body).toContain('href="/owner/bulk/1"');
  await env.DB.exec("DELETE FROM bulk_actions");
  expect((await browser.request("/owner/entries/1")).body).not.toContain("/owner/bulk/");
});
