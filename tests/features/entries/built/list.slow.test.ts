import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { suppress } from "#app/server/db/suppressions.server.ts";
import { keyedHash } from "#app/server/hashes/address-hash.server.ts";
import { answerGroups } from "#app/site.ts";
import { filters } from "#app/waitlist/filter/filters.server.ts";
import { answerField } from "#app/waitlist/questions/answers.ts";
import { mainQuestion } from "#app/waitlist/questions/questions.server.ts";
import { escaped, unescaped, visibleText } from "#tests/support/pool/built.ts";
import { listedAddresses, signedInBrowser, withCookiesOf } from "#tests/support/pool/owner.ts";
import { addEntries, db, freshStorageForEachTest, join, rows, seedEntries } from "#tests/support/pool/start.ts";
import { answersTo, choiceQuestions } from "#tests/support/site-answers.ts";

/* The owner's list of entries: its search, filters, pages, parts and saved views. */

const main = mainQuestion();

const log = freshStorageForEachTest();

const browser = signedInBrowser({ CONFIRM_ADDRESSES: "off" });

const list = async (query: string) => (await browser.request(`/owner/entries${query}`)).body;
/** The address of the link with a text. */
const linkOf = (body: string, text: string) =>
  new RegExp(`href="([^"]*)">${text}`).exec(body)?.[1]?.replaceAll("&amp;", "&") ?? "no link";
const search = async (query: string, text: string) =>
  (await browser.post(`/owner/entries${query}`, { search: text })).headers.get("Location") ?? "no redirect";
const read = async (path: string) => (await browser.request(path)).body;

test.each(["ADA", "da@", "ada@example.com"])(
  "%j is searched anywhere in an address, and is in no URL",
  async (text) => {
    for (const name of ["ada", "mada", "bob"]) await join(`${name}@example.com`);
    const found = await search("?order=oldest&after=1", ` ${text} `);
    expect(found).toMatch(/^\/owner\/entries\?order=oldest&search=[0-9a-f]{8}$/);
    const body = await read(found);
    expect(listedAddresses(body)).toEqual(["ada@example.com", "mada@example.com"]);
    const urls = Array.from(body.matchAll(/(?:href|action)="([^"]*)"/g), ([, url]) => url).join();
    // The key is random, and can be spelt like the address.
    expect(urls.replace(/\b[0-9a-f]{8}\b/g, "key")).not.toMatch(/ada|@|%40/i);
    expect((await env.CACHE.list()).keys.filter(({ name }) => !name.startsWith("owner-session:"))).toEqual([]);
    expect(log.join()).not.toMatch(/\bada\b|@/);
    await search("", "");
    expect([...browser.cookies.keys()]).toEqual(["owner", "owner-browser"]);
  },
);

test("a search ends when the list is opened again or another one is made, and the list says so", async () => {
  for (const name of ["ada", "mada", "bob"]) await join(`${name}@example.com`);
  const [first, second] = [await search("", "ada@"), await search("", "bob")];
  expect(listedAddresses(await list(""))).toHaveLength(3);
  expect(listedAddresses(await read(second))).toEqual(["bob@example.com"]);
  const replaced = await read(first);
  expect(visibleText(replaced)).toContain("The search has ended or was replaced by another one.");
  expect(listedAddresses(replaced)).toHaveLength(3);
});

const thirty = (from: number) => Array.from({ length: 30 }, (_, n) => `person${n + from}@fair.example`);

test.each([
  ["source=stall", "UPDATE waitlist_emails SET source = 'stall' WHERE id <= 30"],
  ["email=dead.never", "UPDATE email_outbox SET dead_at = 1, reason = 'never' WHERE entry_id <= 30"],
  ["disposable=yes", "UPDATE waitlist_emails SET disposable = 1 WHERE id <= 30"],
  ["confirmation=unconfirmed", "UPDATE waitlist_emails SET confirm_by = 9e15 WHERE id <= 30"],
  ["confirmation=confirmed", "UPDATE waitlist_emails SET confirm_by = 9e15, confirmed_at = 1 WHERE id <= 30"],
  ["confirmation=not-asked", "UPDATE waitlist_emails SET confirm_by = 9e15 WHERE id = 31"],
])("pages of 25 keep the filter %s", async (filter, change) => {
  for (const email of [...thirty(10), "other@example.com"]) await join(email);
  await env.DB.exec(change);
  const first = await list(`?${filter}&order=oldest`);
  expect(listedAddresses(first)).toEqual(thirty(10).slice(0, 25));
  const [, value = ""] = filter.split("=");
  expect(first).toMatch(new RegExp(`<option[^>]*value="${value}"[^>]*selected`));
  expect(linkOf(first, "Next")).toBe(`/owner/entries?${filter}&order=oldest&after=25`);
  const second = await read(linkOf(first, "Next"));
  expect(listedAddresses(second)).toEqual(thirty(10).slice(25));
  expect(listedAddresses(await read(linkOf(second, "Previous")))).toEqual(thirty(10).slice(0, 25));
});

test("the list keeps its filters, search and page while an entry is opened and changed", async () => {
  for (const email of thirty(10)) await join(email, { utm_campaign: "fair" });
  await join("bob@example.com", { utm_campaign: "fair" });
  const first = await read(await search("?utm_campaign=fair", "@fair."));
  const page = linkOf(first, "Next");
  expect(page).toMatch(/^\/owner\/entries\?utm_campaign=fair&search=[0-9a-f]{8}&after=25$/);
  const second = await read(page);
  expect(listedAddresses(second)).toEqual(thirty(10).slice(25));
  const entry = /href="(\/owner\/entries\/\d+[^"]*)"/.exec(second)?.[1]?.replaceAll("&amp;", "&") ?? "";
  expect(linkOf(await read(entry), "Back to the list")).toBe(page);
  const change = async (intent: string, path = entry) =>
    (await browser.post(path, { intent, note: "x" })).headers.get("Location") ?? "";
  const changed = await change("unsubscribe");
  expect(changed).toBe(`${entry}&done=unsubscribed`);
  expect(linkOf(await read(changed), "Back to the list")).toBe(page);
  expect(await change("save", changed)).toBe(`${entry}&done=noted`);
  expect(listedAddresses(await read(page))).toEqual(listedAddresses(second));
  expect(await change("erase")).toBe("/owner/entries?utm_campaign=fair&done=erased");
});

test.each([
  ["?status=admin&from=2026-02-30", "“Status” must be one of"],
  ["?email=dead.x&disposable=maybe", "“Email” must be sent, waiting, failed or unknown"],
  ["?answer_role=x&until=yesterday&without=email", "“Joined until” must be a day"],
  ["?source=nowhere", "No entries match."],
  ["?order=x&source=%27--&after=x&before=-1", "ada@example.com"],
  ["?after=999999999999999", "ada@example.com"],
  ["?status[]=active", "ada@example.com"],
  ["?search=bob", "ada@example.com"],
])("the query %s, which finds no one, is explained or ignored", async (query, text) => {
  await join("ada@example.com");
  const { status, body } = await browser.request(`/owner/entries${query}`);
  expect([status, visibleText(body)]).toEqual([200, expect.stringContaining(text)]);
  expect(body).not.toMatch(/value="bob"|search=bob/);
});

test("the entries that match are counted on every page, up to 10,000, and all on request", async () => {
  for (const email of thirty(10)) await join(email, { utm_campaign: "fair" });
  await join("bob@example.com");
  const count = async (query: string) => /<caption>([^.]*)\./.exec(await list(query))?.[1];
  expect(await count("")).toBe("31 entries");
  expect(await count("?utm_campaign=fair&after=20&order=oldest")).toBe("30 entries");
  expect(await count("?without=utm_campaign")).toBe("1 entry");
  await env.DB.exec("DELETE FROM email_outbox");
  await seedEntries(10_000, Date.now());
  expect(await count("?without=utm_campaign")).toBe("More than 10,000 entries");
  const countAll = linkOf(await list("?without=utm_campaign&order=oldest"), "Count all");
  expect(countAll).toBe("/owner/entries?without=utm_campaign&order=oldest&count=all");
  const counted = await read(countAll);
  expect(visibleText(counted)).toContain("10,001 entries.");
  // Other pages count up to the limit again.
  expect(counted).not.toMatch(/Count all|href="[^"]*count=all/);
  await env.DB.exec("DELETE FROM waitlist_emails WHERE email = 'bob@example.com'");
  expect(await count("?without=utm_campaign")).toBe("10,000 entries");
});

test("each filter is a field of the form", async () => {
  const fields = new Set(Array.from((await list("")).matchAll(/ name="(\w+)"/g), ([, name]) => name));
  const offered = filters()
    .filter(({ offeredIn }) => offeredIn !== "no form")
    .map(({ name }) => name);
  expect(offered.length).toBeGreaterThan(10);
  expect(offered.filter((name) => !fields.has(name))).toEqual([]);
});

test("each filter can be removed", async () => {
  const campaign = `utm_campaign=${encodeURIComponent("fair & <b>")}`;
  const chips = (await list(`?source=stall&${campaign}`)).matchAll(
    /href="([^"]*)"><span[^>]*>Remove the filter <\/span>([^<]*)/g,
  );
  expect(Array.from(chips, ([, href = "", name = ""]) => [unescaped(name), unescaped(href)])).toEqual([
    ["Source: stall", "/owner/entries?utm_campaign=fair+%26+%3Cb%3E"],
    ["Campaign: fair & <b>", "/owner/entries?source=stall"],
  ]);
});

test("entries are filtered by one answer, or by several", async ({ skip }) => {
  const [question] = choiceQuestions;
  skip(question === undefined, "No question has answers to choose from.");
  if (question === undefined) return;
  const [answer = "", other = ""] = answersTo(question);
  for (const name of ["ada", "bob"]) await join(`${name}@example.com`);
  const stored = JSON.stringify({ [question.key]: answer });
  await env.DB.prepare("UPDATE waitlist_emails SET answers = ? WHERE id = 1").bind(stored).run();
  const field = answerField(question);
  const words = (key: string) => question.answers?.[key];
  const one = await list(`?${field}=${answer}`);
  expect(listedAddresses(one)).toEqual(["ada@example.com"]);
  // An answer to the main question is one of the list's parts, and no chip.
  if (question !== main) expect(visibleText(one)).toContain(`${question.label}: ${words(answer)}`);
  const both = await list(`?${field}=${answer}&${field}=${other}`);
  expect(listedAddresses(both)).toEqual(["ada@example.com"]);
  expect(visibleText(both)).toContain(`${question.label}: ${words(answer)} or ${words(other)}`);
  const ticked = both.matchAll(/<input type="checkbox" name="([^"]*)"[^>]*checked=""[^>]*>/g);
  expect(Array.from(ticked, ([, name]) => name)).toEqual([field, field]);
});

test("what people sent is escaped, and may be the name of an object's own member", async () => {
  const names = ["<script>alert(1)</script>", "__proto__", "constructor"];
  for (const [n, name] of names.entries())
    await join(`'img'${n}@example.com`, { utm_campaign: name, utm_source: name, source: n === 0 ? "stall" : name });
  await addEntries(10, Date.now());
  const own = names.map((name, n) => [`/owner/entries/${n + 1}`, [name]] as const);
  for (const [path, shown] of [["/owner", names] as const, ["/owner/entries", names] as const, ...own]) {
    const body = await read(path);
    for (const name of shown) expect(body, path).toContain(escaped(name));
    expect(body, path).not.toContain("<script");
  }
  expect(listedAddresses(await list("?source=constructor"))).toHaveLength(1);
});

test("who may get email, has yet to confirm, or bounced is told apart on every page and in the export", async () => {
  for (const name of ["ada", "bob"]) await join(`${name}@example.com`);
  await join("cyd@example.com", { mustConfirm: true });
  const hash = await keyedHash("address:v1", "bob@example.com", env.HASH_KEY);
  await env.DB.prepare("UPDATE waitlist_emails SET address_hash = ? WHERE id = 2").bind(hash).run();
  await suppress(db, { hashes: [hash], reason: "hard-bounce", until: null }, Date.now());
  const overview = await read("/owner");
  const { body: file } = await browser.post("/owner/export.csv", { format: "csv", people: "all" });
  for (const [id, name, status] of [
    [1, "ada", "active"],
    [2, "bob", "suppressed"],
    [3, "cyd", "unconfirmed"],
  ] as const) {
    expect(overview).toMatch(new RegExp(`href="/owner/entries\\?(status|confirmation)=${status}"`));
    const body = await list(`?status=${status}`);
    expect(listedAddresses(body)).toEqual([`${name}@example.com`]);
    expect(body.match(new RegExp(`class="status status-${status}"`, "g"))).toHaveLength(1);
    expect(visibleText(await read(`/owner/entries/${id}`))).toMatch(new RegExp(`Status ${status}`, "i"));
    expect(file).toContain(`"${name}@example.com","${status}"`);
  }
});

/** The parts of the list by their text, and the current one. */
async function parts(path: string, by = browser) {
  const { body } = await by.request(path);
  const [nav = ""] = /<nav[^>]*aria-label="Parts of the list">.*?<\/nav>/s.exec(body) ?? [];
  const links = Array.from(nav.matchAll(/<a href="([^"]*)"( aria-current="page")?>([^<]*)/g));
  return {
    body,
    texts: links.map(([, , , words = ""]) => unescaped(words)),
    hrefs: Object.fromEntries(links.map(([, href = "", , words = ""]) => [unescaped(words), unescaped(href)])),
    current: links.filter(([, , current]) => current).map(([, , , words = ""]) => unescaped(words)),
  };
}

test("its parts are all, the answers to the main question, and by invitation; one of them is current", async () => {
  const groups = Object.entries(main?.answers ?? {}).map(
    ([answer, text]) => answerGroups[main?.key ?? ""]?.[answer] ?? text,
  );
  const { texts, current } = await parts("/owner/entries");
  expect([texts, current]).toEqual([["All", ...groups, "Invited", "Not invited"], ["All"]]);
  for (const [name, query] of [
    ["Invited", "invited=yes"],
    ["Not invited", "invited=no"],
  ] as const) {
    const { hrefs } = await parts("/owner/entries?source=stall&status=active&order=oldest&after=3");
    expect(hrefs[name]).toBe(`/owner/entries?status=active&source=stall&${query}&order=oldest`);
    expect((await parts(hrefs[name] ?? "")).current).toEqual([name]);
  }
  // Two of them at once are none of them.
  expect((await parts("/owner/entries?invited=yes&status=unconfirmed")).current).toEqual([]);
});

test("Unconfirmed is a part where people have to confirm, or where someone has yet to", async () => {
  await join("old@example.com");
  expect((await parts("/owner/entries")).texts).not.toContain("Unconfirmed");
  await join("ada@example.com", { mustConfirm: true });
  const { hrefs } = await parts("/owner/entries?status=active&source=landing_page");
  expect(hrefs["Unconfirmed"]).toBe("/owner/entries?status=unconfirmed&source=landing_page");
  const found = await parts(hrefs["Unconfirmed"] ?? "");
  expect([listedAddresses(found.body), found.current]).toEqual([["ada@example.com"], ["Unconfirmed"]]);
  expect(found.hrefs["Not invited"]).toBe("/owner/entries?source=landing_page&invited=no");
  await env.DB.exec("UPDATE waitlist_emails SET confirmed_at = 1");
  expect((await parts("/owner/entries")).texts).not.toContain("Unconfirmed");
  const asking = withCookiesOf(browser, { CONFIRM_ADDRESSES: "on" });
  expect((await parts("/owner/entries", asking)).texts).toContain("Unconfirmed");
});

test.skipIf(main === undefined)("the answer to the main question is a column, and a part", async () => {
  if (main === undefined) return;
  const [answer] = answersTo(main);
  await join("ada@example.com");
  const stored = JSON.stringify({ [main.key]: answer });
  await env.DB.prepare("UPDATE waitlist_emails SET answers = ?").bind(stored).run();
  const body = await list("");
  const columns = Array.from(body.matchAll(/<th scope="col"[^>]*>([^<]*)/g), ([, name]) => name);
  expect(columns).toEqual(["Address", "Joined", "Status", main.label, "Source", "Campaign"]);
  const cell = new RegExp(`<td class="words" data-label="${main.label}">([^<]*)`).exec(body)?.[1];
  expect(cell).toBe(main.answers?.[answer] ?? answer);
  if (main.answers === undefined) return;
  const chosen = await parts(`/owner/entries?${answerField(main)}=${answer}`);
  expect([chosen.current, listedAddresses(chosen.body)]).toEqual([[chosen.texts[1]], ["ada@example.com"]]);
  expect(await rows("waitlist_emails")).toHaveLength(1);
});

const newView = "/owner/entries/views?source=stall&order=oldest";

interface View {
  id: number;
  name: string;
  filter: string;
  order: string;
}

const views = () => rows<View>("saved_views");
const names = async () => (await views()).map(({ name }) => name);

test("the list's filter and order are saved with a name, and are then one of its parts", async () => {
  await join("ada@example.com", { source: "stall" });
  await join("bob@example.com");
  const list = await browser.request("/owner/entries?source=stall&order=oldest&after=1");
  expect(list.body).toContain(`href="${newView.replaceAll("&", "&amp;")}">Save this view<`);
  const form = visibleText((await browser.request(newView)).body);
  expect(form).toContain("Source: stall; Oldest first");
  const saved = await browser.post(newView, { name: "  From the \n stall " });
  expect(saved.headers.get("Location")).toBe("/owner/entries?source=stall&order=oldest&done=view-saved");
  expect(await views()).toMatchObject([{ name: "From the stall", filter: '{"source":"stall"}', order: "oldest" }]);
  const { body, hrefs, current } = await parts("/owner/entries?source=stall&order=oldest");
  expect(Object.entries(hrefs).at(-1)).toEqual(["From the stall", "/owner/entries?source=stall&order=oldest"]);
  expect(current).toEqual(["From the stall"]);
  expect(listedAddresses(body)).toEqual(["ada@example.com"]);
  expect(body).toContain(">Saved views<");
  expect((await parts("/owner/entries")).current).toEqual(["All"]);
  expect(visibleText((await browser.request(newView)).body)).toContain("is saved as “From the stall”");
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

test("a name that cannot be used is explained and kept, and nothing is saved; there are at most 20", async () => {
  await browser.post(newView, { name: "Stall" });
  for (const [query, name, problem] of [
    ["?source=landing_page", " \t", "Give the view a name."],
    ["?source=landing_page", "x".repeat(51), "at most 50 characters"],
    ["?source=landing_page", "sTALL", "Another view has this name."],
    ["?source=landing_page&status=activ", "Active", "“Status” must be one of"],
    ["?source=landing_page&answer_gone=x", "Gone", "“answer_gone” is no longer asked."],
  ] as const) {
    const refused = await browser.post(`/owner/entries/views${query}`, { name });
    expect([refused.status, visibleText(refused.body)]).toEqual([422, expect.stringContaining(problem)]);
    if (!query.includes("&")) expect(refused.body).toContain(`value="${name.trim()}"`);
  }
  expect(await names()).toEqual(["Stall"]);
  for (let n = 2; n <= 21; n += 1) await browser.post(newView, { name: `View ${n}` });
  expect(await names()).toHaveLength(20);
  const { body, status } = await browser.post("/owner/entries/views?source=landing_page", { name: "One more" });
  expect([status, visibleText(body)]).toEqual([422, expect.stringContaining("20 views, which is the most")]);
});

test("a view is renamed and deleted; the people in it stay", async () => {
  await join("ada@example.com", { source: "stall" });
  await browser.post(newView, { name: "Stall" });
  await browser.post("/owner/entries/views?source=landing_page", { name: "Main" });
  const taken = await browser.post("/owner/entries/views/1?source=stall", { intent: "rename", name: "MAIN" });
  expect(taken.status).toBe(422);
  for (const value of ["MAIN", "Main"]) expect(taken.body).toContain(`value="${value}"`);
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
  await browser.post(newView, { name: "Stall" });
  expect((await browser.request("/owner/export")).body).toMatch(/<option value="1">Stall<\/option>/);
  const { status, headers } = await browser.request("/owner/export?view=1");
  expect([status, headers.get("Location")]).toEqual([302, "/owner/export?source=stall&order=oldest"]);
  const file = await browser.post("/owner/export.csv?source=stall&order=oldest", { format: "csv" });
  expect(file.body).toContain("ada@example.com");
  expect(file.body).not.toContain("bob@example.com");
  expect((await browser.request("/owner/export?view=9")).status).toBe(200);
});
