import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { MAX_NAME_LENGTH, MAX_VIEWS } from "#app/owner/entries/views/saved-view.ts";
import { visibleText } from "#tests/support/pool/built-page.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/database.ts";
import { join } from "#tests/support/pool/join.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { listedAddresses, signedInBrowser } from "#tests/support/pool/owner.ts";

freshStorageForEachTest();
captureLog();

const browser = signedInBrowser();

const page = "/owner/entries/views?source=stall&order=oldest";

interface View {
  id: number;
  name: string;
  filter: string;
  order: string;
}

const views = () => rows<View>("saved_views");
const names = async () => (await views()).map(({ name }) => name);

/** The parts of the list, with their addresses, and the current one. */
async function parts(path: string) {
  const { body } = await browser.request(path);
  const [nav = ""] = /<nav[^>]*aria-label="Parts of the list">.*?<\/nav>/s.exec(body) ?? [];
  const links = Array.from(nav.matchAll(/<a href="([^"]*)"( aria-current="page")?>([^<]*)/g));
  return {
    body,
    hrefs: Object.fromEntries(links.map(([, href = "", , text = ""]) => [text, href.replaceAll("&amp;", "&")])),
    current: links.filter(([, , current]) => current).map(([, , , text]) => text),
  };
}

test("the list's filter and order are saved with a name, and are then one of its parts", async () => {
  await join("ada@example.com", { source: "stall" });
  await join("bob@example.com");
  const list = await browser.request("/owner/entries?source=stall&order=oldest&after=1");
  expect(list.body).toContain(`href="${page.replaceAll("&", "&amp;")}">Save this view<`);
  const form = visibleText((await browser.request(page)).body);
  expect(form).toContain("Source: stall; Oldest first");
  const saved = await browser.post(page, { name: "  From the \n stall " });
  expect(saved.headers.get("Location")).toBe("/owner/entries?source=stall&order=oldest&done=view-saved");
  expect(await views()).toMatchObject([{ name: "From the stall", filter: '{"source":"stall"}', order: "oldest" }]);
  const { body, hrefs, current } = await parts("/owner/entries?source=stall&order=oldest");
  expect(Object.entries(hrefs).at(-1)).toEqual(["From the stall", "/owner/entries?source=stall&order=oldest"]);
  expect(current).toEqual(["From the stall"]);
  expect(listedAddresses(body)).toEqual(["ada@example.com"]);
  expect(body).toContain(">Saved views<");
  expect((await parts("/owner/entries")).current).toEqual(["All"]);
  expect(visibleText((await browser.request(page)).body)).toContain("is saved as “From the stall”");
});

test("a search is no part of a view", async () => {
  const { headers } = await browser.post("/owner/entries?source=stall", { search: "ada@example.com" });
  const query = new URL(headers.get("Location") ?? "", env.SITE_URL).search;
  await browser.post(`/owner/entries/views${query}`, { name: "Stall" });
  expect(JSON.stringify(await views())).not.toContain("ada");
  expect((await parts("/owner/entries")).hrefs["Stall"]).toBe("/owner/entries?source=stall");
  // The view shows more people than the search.
  expect((await parts(`/owner/entries${query}`)).current).not.toContain("Stall");
});

test("a name that cannot be used is explained and kept, and nothing is saved", async () => {
  await browser.post(page, { name: "Stall" });
  const long = "x".repeat(MAX_NAME_LENGTH + 1);
  for (const [query, name, problem] of [
    ["?source=landing_page", " \t", "Give the view a name."],
    ["?source=landing_page", long, `Use at most ${MAX_NAME_LENGTH} characters.`],
    ["?source=landing_page", "sTALL", "Another view has this name."],
    ["?source=landing_page&status=activ", "Active", "“Status” must be one of"],
    ["?source=landing_page&answer_gone=x", "Gone", "“answer_gone” is no longer asked."],
  ] as const) {
    const refused = await browser.post(`/owner/entries/views${query}`, { name });
    expect(refused.status).toBe(422);
    expect(visibleText(refused.body)).toContain(problem);
    if (!query.includes("&")) expect(refused.body).toContain(`value="${name.trim()}"`);
  }
  expect(await names()).toEqual(["Stall"]);
});

test("there are at most so many", async () => {
  for (let n = 1; n <= MAX_VIEWS; n += 1) await browser.post(page, { name: `View ${n}` });
  await browser.post(page, { name: "One more" });
  expect(await names()).toHaveLength(MAX_VIEWS);
  const { body, status } = await browser.post("/owner/entries/views?source=landing_page", { name: "One more" });
  expect([status, visibleText(body)]).toEqual([422, expect.stringContaining("20 views, which is the most")]);
});

test("a view is renamed and deleted; the people in it stay", async () => {
  await join("ada@example.com", { source: "stall" });
  await browser.post(page, { name: "Stall" });
  await browser.post("/owner/entries/views?source=landing_page", { name: "Main" });
  const taken = await browser.post("/owner/entries/views/1?source=stall", { intent: "rename", name: "MAIN" });
  expect([taken.status, visibleText(taken.body)]).toEqual([
    422,
    expect.stringContaining("Another view has this name."),
  ]);
  expect(taken.body).toContain('value="MAIN"');
  expect(taken.body).toContain('value="Main"');
  const renamed = await browser.post("/owner/entries/views/1?source=stall", { intent: "rename", name: "STALL" });
  expect(renamed.headers.get("Location")).toBe("/owner/entries/views?source=stall&done=view-renamed");
  expect(await names()).toEqual(["STALL", "Main"]);
  const deleted = await browser.post("/owner/entries/views/1", { intent: "delete" });
  expect(deleted.headers.get("Location")).toBe("/owner/entries/views?done=view-deleted");
  expect(await names()).toEqual(["Main"]);
  for (const form of [
    { intent: "delete", name: "" },
    { intent: "rename", name: "Gone" },
  ]) {
    const { headers } = await browser.post("/owner/entries/views/1", form);
    expect(headers.get("Location")).toBe("/owner/entries/views?done=unchanged");
  }
  expect((await browser.post("/owner/entries/views/2", { intent: "open" })).status).toBe(400);
  expect(await rows("waitlist_emails")).toHaveLength(1);
});

test("a view with an answer to a question that no longer exists says so, wherever it is used", async () => {
  await join("ada@example.com");
  const filter = JSON.stringify({ answers: { gone: "x" }, source: "landing_page" });
  await env.DB.prepare('INSERT INTO saved_views (name, filter, "order", created_at) VALUES (?, ?, ?, 0)')
    .bind("Earlier", filter, "newest")
    .run();
  const { hrefs } = await parts("/owner/entries");
  const { body, current } = await parts(hrefs["Earlier"] ?? "");
  expect(visibleText(body)).toContain("“answer_gone” is no longer asked.");
  expect(listedAddresses(body)).toEqual(["ada@example.com"]);
  expect(current).toEqual(["All"]);
  const all = await browser.request("/owner/entries/views");
  expect(visibleText(all.body)).toContain("Some of its filters no longer exist");
  const exported = await browser.request("/owner/export?view=1");
  expect(exported.headers.get("Location")).toBe("/owner/export?source=landing_page&answer_gone=x");
  const offered = await browser.request(exported.headers.get("Location") ?? "");
  expect(visibleText(offered.body)).toContain("“answer_gone” is no longer asked.");
});

test("the export offers the views, and goes by the one that is chosen", async () => {
  await join("ada@example.com", { source: "stall" });
  await join("bob@example.com");
  expect((await browser.request("/owner/export")).body).not.toContain("Use a saved view");
  await browser.post(page, { name: "Stall" });
  expect((await browser.request("/owner/export")).body).toMatch(/<option value="1">Stall<\/option>/);
  const { status, headers } = await browser.request("/owner/export?view=1");
  expect([status, headers.get("Location")]).toEqual([302, "/owner/export?source=stall&order=oldest"]);
  const file = await browser.post("/owner/export.csv?source=stall&order=oldest", { format: "csv" });
  expect(file.body).toContain("ada@example.com");
  expect(file.body).not.toContain("bob@example.com");
  expect((await browser.request("/owner/export?view=9")).status).toBe(200);
});
