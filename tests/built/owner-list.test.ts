import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { keyedHash } from "#app/server/address-hash.server.ts";
import { openDb } from "#app/server/db/client.server.ts";
import { suppress } from "#app/server/db/suppressions.server.ts";
import { answerGroups } from "#app/site.ts";
import { answerField } from "#app/waitlist/questions/answers.ts";
import { mainQuestion } from "#app/waitlist/questions/questions.server.ts";
import { visibleText } from "#tests/support/pool/built-page.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/database.ts";
import { join } from "#tests/support/pool/join.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { listedAddresses, signedInBrowser } from "#tests/support/pool/owner.ts";
import { addEntries, seedEntries } from "#tests/support/pool/seed-entries.ts";
import { answersTo, choiceQuestions } from "#tests/support/site-answers.ts";

freshStorageForEachTest();
const log = captureLog();

const browser = signedInBrowser();

describe("the list", () => {
  test.each(["ADA", "da@", "ada@example.com"])(
    "searches for %j anywhere in an address, without an address in any URL",
    async (search) => {
      for (const name of ["ada", "mada", "bob"]) await join(`${name}@example.com`);
      const { status, headers } = await browser.post("/owner/entries?order=oldest&after=1", { search: ` ${search} ` });
      const found = headers.get("Location") ?? "";
      expect([status, found]).toEqual([
        303,
        expect.stringMatching(/^\/owner\/entries\?order=oldest&search=[0-9a-f]{8}$/),
      ]);
      const { body } = await browser.request(found);
      expect(listedAddresses(body)).toEqual(["ada@example.com", "mada@example.com"]);
      const urls = Array.from(body.matchAll(/(?:href|action)="([^"]*)"/g), ([, url]) => url).join();
      // The key is random, and can be spelt like the address.
      expect(urls.replace(/\b[0-9a-f]{8}\b/g, "key")).not.toMatch(/ada|@|%40/i);
      expect((await env.CACHE.list()).keys.filter(({ name }) => !name.startsWith("owner-session:"))).toEqual([]);
      await browser.post("/owner/entries", { search: "" });
      expect([...browser.cookies.keys()]).toEqual(["owner", "owner-browser"]);
    },
  );

  test("shows everything when it is opened again, and says when a search has ended", async () => {
    for (const name of ["ada", "mada", "bob"]) await join(`${name}@example.com`);
    const search = async (text: string) =>
      (await browser.post("/owner/entries", { search: text })).headers.get("Location");
    const first = await search("ada@");
    const second = await search("bob");
    expect(listedAddresses((await browser.request("/owner/entries")).body)).toHaveLength(3);
    expect(listedAddresses((await browser.request(second ?? "")).body)).toEqual(["bob@example.com"]);
    const replaced = (await browser.request(first ?? "")).body;
    expect(visibleText(replaced)).toContain("The search has ended or was replaced by another one. Search again.");
    expect(listedAddresses(replaced)).toHaveLength(3);
  });

  test("keeps the search out of the URLs of its pages", async () => {
    for (let n = 10; n < 40; n += 1) await join(`person${n}@fair.example`);
    await join("bob@example.com");
    const { headers } = await browser.post("/owner/entries?status=active", { search: "@fair." });
    const { body } = await browser.request(headers.get("Location") ?? "");
    expect(listedAddresses(body)).toEqual(Array.from({ length: 25 }, (_, n) => `person${n + 10}@fair.example`));
    const next = /href="([^"]*)">Next/.exec(body)?.[1]?.replaceAll("&amp;", "&") ?? "";
    expect(next).toMatch(/^\/owner\/entries\?status=active&search=[0-9a-f]{8}&after=25$/);
    expect(listedAddresses((await browser.request(next)).body)).toEqual(
      [35, 36, 37, 38, 39].map((n) => `person${n}@fair.example`),
    );
  });

  test("tells those who can get email from those whose address bounced, and links both from the overview", async () => {
    for (const name of ["ada", "bob"]) await join(`${name}@example.com`);
    const hash = await keyedHash("address:v1", "bob@example.com", env.HASH_KEY);
    await env.DB.prepare("UPDATE waitlist_emails SET address_hash = ? WHERE email LIKE 'bob%'").bind(hash).run();
    await suppress(openDb(env.DB), { hashes: [hash], reason: "hard-bounce", until: null }, Date.now());
    const statusOn = async (path: string) => {
      const { body } = await browser.request(path);
      return Array.from(body.matchAll(/class="status status-[a-z]+">(\w+)/g), ([, status]) => status);
    };
    const bob = (await rows<{ id: number }>("waitlist_emails")).at(-1)?.id;
    expect(await statusOn("/owner/entries")).toEqual(["Suppressed", "Active"]);
    expect(visibleText((await browser.request(`/owner/entries/${bob}`)).body)).toContain("Suppressed");
    const { body } = await browser.request("/owner");
    for (const [status, address] of [
      ["active", "ada@example.com"],
      ["suppressed", "bob@example.com"],
    ]) {
      expect(body).toContain(`href="/owner/entries?status=${status}"`);
      expect(listedAddresses((await browser.request(`/owner/entries?status=${status}`)).body)).toEqual([address]);
    }
  });

  test("ignores a search in the URL", async () => {
    for (const name of ["ada", "bob"]) await join(`${name}@example.com`);
    const { body } = await browser.request("/owner/entries?search=ada");
    expect(listedAddresses(body)).toHaveLength(2);
    expect(body).not.toMatch(/value="ada"|search=ada/);
    expect(log.join()).not.toMatch(/\bada\b|@/);
  });

  test("pages by id and keeps its filters", async () => {
    for (let n = 0; n < 30; n += 1) await join(`ada${n}@example.com`, { source: "stall" });
    await join("bob@example.com");
    const first = await browser.request("/owner/entries?source=stall&order=oldest");
    expect(listedAddresses(first.body)).toHaveLength(25);
    const next = /href="([^"]*)">Next/.exec(first.body)?.[1]?.replaceAll("&amp;", "&") ?? "";
    expect(next).toBe("/owner/entries?source=stall&order=oldest&after=25");
    const second = await browser.request(next);
    expect(listedAddresses(second.body)).toEqual([25, 26, 27, 28, 29].map((n) => `ada${n}@example.com`));
    const back = /href="([^"]*)">Previous/.exec(second.body)?.[1]?.replaceAll("&amp;", "&") ?? "";
    expect(listedAddresses((await browser.request(back)).body)).toEqual(listedAddresses(first.body));
  });

  test("filters by emails and throwaway addresses, and its pages keep the filters", async () => {
    for (let n = 0; n < 30; n += 1) await join(`ada${n}@example.com`);
    await join("bob@example.com");
    await env.DB.exec("UPDATE email_outbox SET dead_at = 1, reason = 'never' WHERE entry_id <= 30");
    await env.DB.exec("UPDATE waitlist_emails SET disposable = 1 WHERE id <= 29");
    const { body } = await browser.request("/owner/entries?email=dead.never&disposable=yes&order=oldest");
    expect(listedAddresses(body)).toHaveLength(25);
    expect(body).toMatch(/<option[^>]*value="dead.never"[^>]*selected/);
    expect(body).toMatch(/<option[^>]*value="yes"[^>]*selected/);
    const next = /href="([^"]*)">Next/.exec(body)?.[1]?.replaceAll("&amp;", "&") ?? "";
    expect(next).toBe("/owner/entries?email=dead.never&disposable=yes&order=oldest&after=25");
    expect(listedAddresses((await browser.request(next)).body)).toEqual(
      [25, 26, 27, 28].map((n) => `ada${n}@example.com`),
    );
    expect(listedAddresses((await browser.request("/owner/entries?email=waiting")).body)).toEqual(["bob@example.com"]);
  });

  test.each([
    "?email=dead.x&disposable=maybe",
    "?order=x&status=x&source=%27--&after=x&before=-1",
    "?after=999999999999999",
    "?source=nowhere",
    "?status[]=active",
    "?answer_role=x&from=yesterday&until=2026-02-30&without=email",
  ])("accepts the invalid query %s", async (search) => {
    await join("ada@example.com");
    expect((await browser.request(`/owner/entries${search}`)).status).toBe(200);
  });

  test("says which filters are not valid", async () => {
    const text = visibleText((await browser.request("/owner/entries?status=admin&from=2026-02-30")).body);
    expect(text).toContain("“Status” must be one of Active, Unconfirmed, Suppressed, Unsubscribed.");
    expect(text).toContain("“Joined from” must be a day, such as 2026-11-21.");
  });

  test("counts the entries that match, on every page", async () => {
    for (let n = 10; n < 40; n += 1) await join(`ada${n}@example.com`, { utm_campaign: "fair" });
    await join("bob@example.com");
    const count = async (query: string) =>
      /<caption>([^.]*)\./.exec((await browser.request(`/owner/entries${query}`)).body)?.[1];
    expect(await count("")).toBe("31 entries");
    expect(await count("?utm_campaign=fair&after=20&order=oldest")).toBe("30 entries");
    expect(await count("?without=utm_campaign")).toBe("1 entry");
    expect(visibleText((await browser.request("/owner/entries?source=nowhere")).body)).toContain("No entries match.");
    await env.DB.exec("DELETE FROM email_outbox");
    await seedEntries(10_000, Date.now());
    expect(await count("?without=utm_campaign")).toBe("More than 10,000 entries");
    const { body } = await browser.request("/owner/entries?without=utm_campaign&order=oldest");
    const countAll = /href="([^"]*)">Count all/.exec(body)?.[1]?.replaceAll("&amp;", "&") ?? "";
    expect(countAll).toBe("/owner/entries?without=utm_campaign&order=oldest&count=all");
    const counted = (await browser.request(countAll)).body;
    expect(visibleText(counted)).toContain("10,001 entries.");
    // Other pages count up to the limit again.
    expect(counted).not.toMatch(/Count all|href="[^"]*count=all/);
    await env.DB.exec("DELETE FROM waitlist_emails WHERE email = 'bob@example.com'");
    expect(await count("?without=utm_campaign")).toBe("10,000 entries");
  });

  test("filters by campaign, referring site, source and day, and each filter can be removed", async () => {
    await join("ada@example.com", { utm_campaign: "fair & <b>", referrer_host: "news.example" });
    await join("bob@example.com", { utm_campaign: "fair & <b>" });
    await join("cyd@example.com");
    await env.DB.exec("UPDATE waitlist_emails SET source = 'stall' WHERE id <> 2");
    await env.DB.exec("UPDATE waitlist_emails SET created_at = 0 WHERE id = 3");
    const people = async (query: string) =>
      listedAddresses((await browser.request(`/owner/entries?order=oldest&${query}`)).body);
    const campaign = `utm_campaign=${encodeURIComponent("fair & <b>")}`;
    expect(await people(campaign)).toEqual(["ada@example.com", "bob@example.com"]);
    expect(await people("without=utm_campaign")).toEqual(["cyd@example.com"]);
    expect(await people("referrer_host=news.example")).toEqual(["ada@example.com"]);
    expect(await people("source=landing_page")).toEqual(["bob@example.com"]);
    expect(await people("from=1970-01-01&until=1970-01-01")).toEqual(["cyd@example.com"]);
    expect(await people("source=stall&from=2000-01-01")).toEqual(["ada@example.com"]);
    const { body } = await browser.request(`/owner/entries?source=stall&${campaign}`);
    const chips = Array.from(
      body.matchAll(/href="([^"]*)"><span[^>]*>Remove the filter <\/span>([^<]*)/g),
      ([, href, text]) => [
        text?.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&"),
        href?.replaceAll("&amp;", "&"),
      ],
    );
    expect(chips).toEqual([
      ["Source: stall", "/owner/entries?utm_campaign=fair+%26+%3Cb%3E"],
      ["Campaign: fair & <b>", "/owner/entries?source=stall"],
    ]);
  });

  test("filters by an answer or without one, and shows the answers", async ({ skip }) => {
    const [question] = choiceQuestions;
    skip(question === undefined, "No question has answers to choose from.");
    if (question === undefined) return;
    const [answer] = answersTo(question);
    for (const name of ["ada", "bob"]) await join(`${name}@example.com`);
    const stored = JSON.stringify({ [question.key]: answer });
    await env.DB.prepare("UPDATE waitlist_emails SET answers = ? WHERE id = 1").bind(stored).run();
    const field = answerField(question);
    const listed = async (query: string) => (await browser.request(`/owner/entries?${query}`)).body;
    const body = await listed(`${field}=${answer}`);
    expect(listedAddresses(body)).toEqual(["ada@example.com"]);
    const part = answerGroups[question.key]?.[answer] ?? question.answers?.[answer];
    if (question === mainQuestion) expect(body).toContain(`aria-current="page">${part}<`);
    else expect(visibleText(body)).toContain(`${question.label}: ${question.answers?.[answer]}`);
    expect(listedAddresses(await listed(`without=${field}`))).toEqual(["bob@example.com"]);
    const [, other = ""] = answersTo(question);
    const both = await listed(`${field}=${answer}&${field}=${other}`);
    expect(listedAddresses(both)).toEqual(["ada@example.com"]);
    expect(visibleText(both)).toContain(
      `${question.label}: ${question.answers?.[answer]} or ${question.answers?.[other]}`,
    );
    const ticked = Array.from(
      both.matchAll(/<input type="checkbox" name="([^"]*)"[^>]*checked=""[^>]*>/g),
      ([, name]) => name,
    );
    expect(ticked).toEqual([field, field]);
  });

  test("keeps its filters, search and page while an entry is opened and changed", async () => {
    for (let n = 10; n < 40; n += 1) await join(`ada${n}@example.com`, { utm_campaign: "fair" });
    await join("bob@example.com");
    const { headers } = await browser.post("/owner/entries?utm_campaign=fair", { search: "ada" });
    const first = await browser.request(headers.get("Location") ?? "");
    const list = /href="([^"]*)">Next/.exec(first.body)?.[1]?.replaceAll("&amp;", "&") ?? "";
    const second = await browser.request(list);
    const entry = /href="(\/owner\/entries\/\d+[^"]*)"/.exec(second.body)?.[1]?.replaceAll("&amp;", "&") ?? "";
    const back = async (path: string) =>
      /href="([^"]*)">Back to the list/.exec((await browser.request(path)).body)?.[1]?.replaceAll("&amp;", "&");
    expect(await back(entry)).toBe(list);
    const changed = (await browser.post(entry, { intent: "unsubscribe" })).headers.get("Location") ?? "";
    expect(changed).toBe(`${entry}&done=unsubscribed`);
    expect(await back(changed)).toBe(list);
    const noted = (await browser.post(changed, { intent: "note", note: "x" })).headers.get("Location") ?? "";
    expect(noted).toBe(`${entry}&done=noted`);
    expect(listedAddresses((await browser.request(list)).body)).toEqual(listedAddresses(second.body));
    const erased = (await browser.post(entry, { intent: "erase" })).headers.get("Location");
    expect(erased).toBe("/owner/entries?utm_campaign=fair&done=erased");
  });

  test("escapes user input", async () => {
    const id = await join('"<img/src=x>"@example.com'.replace(/[<>"]/g, "'"), {
      utm_campaign: "<script>alert(1)</script>",
    });
    await addEntries(10, Date.now());
    for (const path of ["/owner", "/owner/entries", `/owner/entries/${id}`]) {
      const { body } = await browser.request(path);
      expect(body).toContain("&lt;script&gt;alert(1)");
      expect(body).not.toContain("<script");
    }
  });
});
