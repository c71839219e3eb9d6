import { env } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { keyedHash } from "#app/server/address-hash.server.ts";
import { openDb } from "#app/server/db/client.server.ts";
import { addEntry } from "#app/waitlist/add-entry.server.ts";
import type { Campaign } from "#app/waitlist/campaign.ts";
import { eraseEntry, unsubscribeEntry } from "#app/waitlist/entries.server.ts";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/database.ts";
import { dataToken } from "#tests/support/pool/email-links.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { ownerBrowser } from "#tests/support/pool/owner.ts";
import { seedEntries } from "#tests/support/pool/seed-entries.ts";

freshDatabaseForEachTest();
const log = captureLog();

let browser: ReturnType<typeof ownerBrowser>;

const TODAY = "2026-11-21";

afterEach(() => void vi.useRealTimers());
beforeEach(async () => {
  vi.useFakeTimers({ now: Date.parse(`${TODAY}T12:00:00Z`), toFake: ["Date"] });
  browser = ownerBrowser();
  await browser.signIn();
});

async function join(email: string, campaign: Campaign = {}, source = "landing_page") {
  const added = await addEntry(openDb(env.DB), { email, source, columns: campaign, now: Date.now() });
  if (added.kind !== "new") throw new Error(added.kind);
  return added.id;
}

/** The text of a page, with single spaces. */
function textOf(html: string): string {
  return html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");
}

/** The addresses that a page lists, in order. */
function listed(html: string): string[] {
  return Array.from(html.matchAll(/<a href="\/owner\/entries\/\d+(?:\?[^"]*)?">([^<]+)/g), ([, email]) => email ?? "");
}

describe("the overview", () => {
  test("shows zeros for a list that everyone has left", async () => {
    await eraseEntry(openDb(env.DB), await join("ada@example.com"), Date.now());
    const { status, body } = await browser.request("/owner");
    expect(status).toBe(200);
    expect(textOf(body)).toContain("On the waitlist 0 Joined in total 1 Unsubscribed 0 Erased 1");
    expect(textOf(body)).toContain("No entries yet.");
    expect(textOf(body)).toContain("None in the last 30 days.");
    expect(body).not.toMatch(/NaN|undefined|null/);
  });

  test("shows sign-ups, sources, campaigns, emails and blocked attempts", async () => {
    for (const name of ["ada", "bob", "cyd"]) await join(`${name}@example.com`, { utm_campaign: "autumn_fair" });
    await join("dan@example.com", {}, "stall");
    await unsubscribeEntry(openDb(env.DB), 1, Date.now());
    const dead = "UPDATE email_outbox SET dead_at = 1, reason = 'address-refused' WHERE entry_id = 2";
    await env.DB.prepare(dead).run();
    await env.DB.prepare("INSERT INTO blocked_attempts VALUES (?, 'honeypot', 7)").bind(TODAY).run();
    for (const days of [30, 90, 365]) {
      const { body } = await browser.request(`/owner?days=${days}`);
      const text = textOf(body);
      expect(text).toContain("On the waitlist 3 Joined in total 4 Unsubscribed 1 Erased 0");
      expect(text).toContain(`${TODAY} 4 4`);
      expect(text).toContain("landing_page 3 stall 1");
      expect(text).toContain("autumn_fair 0 3 – No campaign 0 1 –");
      expect(text).toContain("Sent 0 Waiting 2 Dead 1");
      expect(text).toContain("Dead This address does not accept email 1");
      expect(text).toContain(`${TODAY} Filled the honeypot 7`);
      expect(body.match(/<tr><th scope="row">\d{4}-\d\d-\d\d<\/th><td class="number">/g)).toHaveLength(days);
    }
    expect((await browser.request("/owner?days=1e9")).body).toContain("last 30 days");
  });

  test("shows visits, the share that joined and confirmed, and links every group to its entries", async () => {
    const db = openDb(env.DB);
    const counts = { page: { "/": 40 }, utm_campaign: { autumn_fair: 8, "(other)": 2 } };
    await env.DB.prepare("INSERT INTO page_visits VALUES (?, ?)").bind(TODAY, JSON.stringify(counts)).run();
    const asked = {
      source: "landing_page",
      columns: { utm_campaign: "autumn_fair" },
      now: Date.now(),
      mustConfirm: true,
    };
    for (const name of ["ada", "bob"]) await addEntry(db, { ...asked, email: `${name}@example.com` });
    await env.DB.exec("UPDATE waitlist_emails SET confirmed_at = 1, role = 'host' WHERE id = 1");
    await join("cyd@example.com", { utm_source: "poster & co" });
    const { body } = await browser.request("/owner");
    const text = textOf(body);
    expect(text).toContain("Visits 40 None in the 30 days before");
    expect(text).toContain("Joined 3 7.5% of 40 visits None in the 30 days before");
    expect(text).toContain("Confirmed 1 50% of 2 asked");
    expect(text).toContain("Today 3 0 yesterday");
    expect(text).toContain("autumn_fair 8 2 25% 1 of 2 No campaign 30 1 3.3% – All others 2 0 0% –");
    expect(text).toContain("/ 40");
    const links = Array.from(body.matchAll(/href="(\/owner\/entries\?[^"]*)"/g), ([, href = ""]) => {
      return href
        .replaceAll("&amp;", "&")
        .replace("/owner/entries?", "")
        .replace(`from=2026-10-23&until=${TODAY}`, "…");
    });
    expect(links).toEqual(
      expect.arrayContaining([
        "…",
        "confirmation=confirmed&…",
        "utm_campaign=autumn_fair&…",
        "without=utm_campaign&…",
        "utm_source=poster+%26+co&…",
        "without=utm_source&…",
        "without=referrer_host&…",
        "role=host&…",
        "role=none&…",
        "source=landing_page&…",
        `from=${TODAY}&until=${TODAY}`,
      ]),
    );
    expect((await browser.request("/owner?days=90")).body).toContain("until=");
  });

  test("says why all email is on hold, and when it continues, as does the entry's page", async () => {
    const id = await join("ada@example.com");
    const until = Date.now() + 3 * 24 * 3_600_000;
    await env.DB.prepare("INSERT INTO email_holds VALUES ('wrong-key', ?, 1)").bind(until).run();
    const words = "Email is on hold: The email provider refused the API key (RESEND_API_KEY); next attempt at ";
    for (const path of ["/owner", `/owner/entries/${id}`]) {
      expect(textOf((await browser.request(path)).body), path).toContain(words);
    }
  });

  test("draws a bar for every day with sign-ups", async () => {
    const db = openDb(env.DB);
    for (const back of [0, 1, 5]) {
      const now = Date.now() - back * 24 * 3_600_000;
      await addEntry(db, { email: `ada${back}@example.com`, source: "landing_page", columns: {}, now });
    }
    const { body } = await browser.request("/owner");
    const charts = body.matchAll(/class="chart-bars chart-bars-joined" d="([^"]*)"/g);
    // One for narrow screens and one for wide ones.
    expect(Array.from(charts, ([, path = ""]) => path.match(/M/g)?.length)).toEqual([3, 3]);
  });

  test("says in words why emails wait or are dead, with links to the entries", async () => {
    for (const name of ["ada", "bob", "cyd"]) await join(`${name}@example.com`);
    await env.DB.exec("UPDATE email_outbox SET dead_at = 1, reason = 'complaint' WHERE entry_id = 2");
    await env.DB.exec("UPDATE email_outbox SET reason = 'timed-out' WHERE entry_id = 3");
    const { body } = await browser.request("/owner");
    const links = Array.from(body.matchAll(/<a href="([^"]*email=[^"]*)">([^<]+)/g), ([, href, words]) => [
      words,
      href,
    ]);
    expect(Object.fromEntries(links)).toEqual({
      "No attempt yet": "/owner/entries?email=waiting.none",
      "The email provider took too long to answer": "/owner/entries?email=waiting.timed-out",
      "The recipient reported an email as spam": "/owner/entries?email=dead.complaint",
    });
    const people = await Promise.all(links.map(async ([, href = ""]) => listed((await browser.request(href)).body)));
    expect(people.flat().toSorted()).toEqual(["ada@example.com", "bob@example.com", "cyd@example.com"]);
    expect(textOf(body)).toContain("1 email is never sent again");
    expect(body).not.toContain('action="/owner/outbox/retry"');
  });

  test("emails that may have arrived are sent again only by their own button", async () => {
    for (const name of ["ada", "bob"]) await join(`${name}@example.com`);
    await env.DB.exec("UPDATE email_outbox SET dead_at = 1, reason = 'timed-out' WHERE entry_id = 1");
    await env.DB.exec("UPDATE email_outbox SET dead_at = 1, reason = 'outcome-unknown' WHERE entry_id = 2");
    const text = textOf((await browser.request("/owner")).body);
    expect(text).toContain("Try again Sends 1 email again.");
    expect(text).toContain("Send again anyway The provider never confirmed 1 email.");
    const dead = async () =>
      (await rows("email_outbox")).flatMap(({ dead_at, entry_id }) => (dead_at ? [entry_id] : []));
    await browser.post("/owner/outbox/retry", { emails: "everything" });
    expect(await dead()).toEqual([2]);
    const { headers } = await browser.post("/owner/outbox/retry", { emails: "outcome-unknown" });
    expect(headers.get("Location")).toBe("/owner?requeued=1");
    expect(await dead()).toEqual([]);
  });

  test("requeues dead emails to entries, but no expired sign-in email", async () => {
    await join("ada@example.com");
    await env.DB.prepare("UPDATE email_outbox SET sent_at = NULL, dead_at = 1, attempts = 10").run();
    const { headers } = await browser.post("/owner/outbox/retry");
    expect(headers.get("Location")).toBe("/owner?requeued=1");
    expect(await rows("email_outbox")).toMatchObject([
      { kind: "sign-in", dead_at: 1 },
      { kind: "welcome", dead_at: null, attempts: 0 },
    ]);
    expect(textOf((await browser.request("/owner?requeued=1")).body)).toContain(
      "1 email is queued again and will be sent",
    );
  });

  const onList = async (path = "/owner") => /On the list (\d+)/.exec(textOf((await browser.request(path)).body))?.[1];
  const storedAt = async () => (await rows<{ computed_at: number }>("stats")).map((row) => row.computed_at);
  const makeOlder = (minutes: number) =>
    env.DB.prepare("UPDATE stats SET computed_at = computed_at - ?")
      .bind(minutes * 60_000)
      .run();

  test("shows stored numbers with their time, and renews old ones for the next view", async () => {
    await join("ada@example.com");
    expect(await onList()).toBe("1");
    await join("bob@example.com");
    expect(await onList()).toBe("1");
    await env.DB.prepare("UPDATE stats SET computed_at = ?")
      .bind(Date.UTC(2026, 10, 20, 14, 5))
      .run();
    const stale = textOf((await browser.request("/owner")).body);
    expect(stale).toContain("As of 20 Nov 2026, 14:05");
    expect(stale).toContain("On the list 1 ");
    expect(await onList()).toBe("2");
    expect(textOf((await browser.request("/owner")).body)).not.toContain("As of 20 Nov 2026, 14:05");
  });

  test("computes its numbers again when the button is pressed", async () => {
    await join("bob@example.com");
    for (const days of [30, 90]) {
      expect(await onList(`/owner?days=${days}`)).toBe("1");
      await join(`ada${days}@example.com`);
      const { body } = await browser.request(`/owner?days=${days}`);
      const [form = ""] = /<form[^>]*\/owner\/stats[^>]*>/.exec(body) ?? [];
      expect(form).toContain('method="post"');
      const action = /action="([^"]*)"/.exec(form)?.[1] ?? "";
      const { status, headers } = await browser.post(action);
      expect([status, headers.get("Location")]).toEqual([303, `/owner?days=${days}`]);
      expect(await onList(`/owner?days=${days}`)).toBe("2");
      await env.DB.exec("DELETE FROM waitlist_emails WHERE id > 1");
    }
  });

  test("GET and HEAD of the button's address change nothing", async () => {
    await join("ada@example.com");
    await onList();
    await join("bob@example.com");
    await makeOlder(600);
    const before = await storedAt();
    for (const method of ["GET", "HEAD"]) {
      for (const path of ["/owner/stats", "/owner/stats?days=30"]) {
        expect((await browser.request(path, { method })).status).toBe(404);
      }
    }
    expect(await storedAt()).toEqual(before);
    expect(await onList()).toBe("1");
  });

  test("counts entries erased by the owner, by their subscriber and at the end of the retention period", async () => {
    const [byOwner, bySubscriber] = [await join("ada@example.com"), await join("bob@example.com")];
    const old = Date.UTC(2020, 0, 1);
    await addEntry(openDb(env.DB), { email: "cyd@example.com", source: "landing_page", columns: {}, now: old });
    await join("dan@example.com");
    await browser.post(`/owner/entries/${byOwner}`, { intent: "erase" });
    const page = `/your-data/${await dataToken(bySubscriber)}`;
    expect((await browser.post(page, { intent: "erase" })).status).toBe(303);
    expect((await browser.post(page, { intent: "erase" })).status).toBe(303);
    await browser.runCron();
    const text = textOf((await browser.request("/owner")).body);
    expect(text).toContain("On the list 1 Joined in total 4 Unsubscribed 0 Erased 3");
    const totals = await rows<{ count: number }>("erased_totals");
    expect(totals.reduce((sum, { count }) => sum + count, 0)).toBe(3);
    expect(JSON.stringify(totals)).not.toContain("@");
  });
});

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
      expect(listed(body)).toEqual(["ada@example.com", "mada@example.com"]);
      expect(Array.from(body.matchAll(/(?:href|action)="([^"]*)"/g), ([, url]) => url).join()).not.toMatch(
        /ada|@|%40/i,
      );
      expect((await env.CACHE.list()).keys.filter(({ name }) => !name.startsWith("owner-session:"))).toEqual([]);
      await browser.post("/owner/entries", { search: "" });
      expect([...browser.cookies.keys()]).toEqual(["owner"]);
    },
  );

  test("shows everything when it is opened again, and says when a search has ended", async () => {
    for (const name of ["ada", "mada", "bob"]) await join(`${name}@example.com`);
    const search = async (text: string) =>
      (await browser.post("/owner/entries", { search: text })).headers.get("Location");
    const first = await search("ada@");
    const second = await search("bob");
    expect(listed((await browser.request("/owner/entries")).body)).toHaveLength(3);
    expect(listed((await browser.request(second ?? "")).body)).toEqual(["bob@example.com"]);
    const replaced = (await browser.request(first ?? "")).body;
    expect(textOf(replaced)).toContain("The search has ended or was replaced by another one. Search again.");
    expect(listed(replaced)).toHaveLength(3);
  });

  test("keeps the search out of the URLs of its pages", async () => {
    for (let n = 10; n < 40; n += 1) await join(`person${n}@fair.example`);
    await join("bob@example.com");
    const { headers } = await browser.post("/owner/entries?status=active", { search: "@fair." });
    const { body } = await browser.request(headers.get("Location") ?? "");
    expect(listed(body)).toEqual(Array.from({ length: 25 }, (_, n) => `person${n + 10}@fair.example`));
    const next = /href="([^"]*)">Next/.exec(body)?.[1]?.replaceAll("&amp;", "&") ?? "";
    expect(next).toMatch(/^\/owner\/entries\?status=active&search=[0-9a-f]{8}&after=25$/);
    expect(listed((await browser.request(next)).body)).toEqual(
      [35, 36, 37, 38, 39].map((n) => `person${n}@fair.example`),
    );
  });

  test("ignores a search in the URL", async () => {
    for (const name of ["ada", "bob"]) await join(`${name}@example.com`);
    const { body } = await browser.request("/owner/entries?search=ada");
    expect(listed(body)).toHaveLength(2);
    expect(body).not.toMatch(/value="ada"|search=ada/);
    expect(log.join()).not.toMatch(/\bada\b|@/);
  });

  test("pages by id and keeps its filters", async () => {
    for (let n = 0; n < 30; n += 1) await join(`ada${n}@example.com`, {}, "stall");
    await join("bob@example.com");
    const first = await browser.request("/owner/entries?source=stall&order=oldest");
    expect(listed(first.body)).toHaveLength(25);
    const next = /href="([^"]*)">Next/.exec(first.body)?.[1]?.replaceAll("&amp;", "&") ?? "";
    expect(next).toBe("/owner/entries?source=stall&order=oldest&after=25");
    const second = await browser.request(next);
    expect(listed(second.body)).toEqual([25, 26, 27, 28, 29].map((n) => `ada${n}@example.com`));
    const back = /href="([^"]*)">Previous/.exec(second.body)?.[1]?.replaceAll("&amp;", "&") ?? "";
    expect(listed((await browser.request(back)).body)).toEqual(listed(first.body));
  });

  test("filters by emails and throwaway addresses, and its pages keep the filters", async () => {
    for (let n = 0; n < 30; n += 1) await join(`ada${n}@example.com`);
    await join("bob@example.com");
    await env.DB.exec("UPDATE email_outbox SET dead_at = 1, reason = 'never' WHERE entry_id <= 30");
    await env.DB.exec("UPDATE waitlist_emails SET disposable = 1 WHERE id <= 29");
    const { body } = await browser.request("/owner/entries?email=dead.never&disposable=yes&order=oldest");
    expect(listed(body)).toHaveLength(25);
    expect(body).toMatch(/<option[^>]*value="dead.never"[^>]*selected/);
    expect(body).toMatch(/<option[^>]*value="yes"[^>]*selected/);
    const next = /href="([^"]*)">Next/.exec(body)?.[1]?.replaceAll("&amp;", "&") ?? "";
    expect(next).toBe("/owner/entries?email=dead.never&disposable=yes&order=oldest&after=25");
    expect(listed((await browser.request(next)).body)).toEqual([25, 26, 27, 28].map((n) => `ada${n}@example.com`));
    expect(listed((await browser.request("/owner/entries?email=waiting")).body)).toEqual(["bob@example.com"]);
  });

  test.each([
    "?email=dead.x&disposable=maybe",
    "?order=x&status=x&source=%27--&after=x&before=-1",
    "?after=999999999999999",
    "?source=nowhere",
    "?status[]=active",
    "?role=x&from=yesterday&until=2026-02-30&without=email",
  ])("accepts the invalid query %s", async (search) => {
    await join("ada@example.com");
    expect((await browser.request(`/owner/entries${search}`)).status).toBe(200);
  });

  test("says which filters are not valid", async () => {
    const text = textOf((await browser.request("/owner/entries?role=admin&from=2026-02-30")).body);
    expect(text).toContain("role must be one of host, stallholder, both, curious, none.");
    expect(text).toContain("from must be a day, such as 2026-11-21.");
  });

  test("counts the entries that match, on every page", async () => {
    for (let n = 10; n < 40; n += 1) await join(`ada${n}@example.com`, { utm_campaign: "fair" });
    await join("bob@example.com");
    const count = async (query: string) =>
      /<caption>([^.]*)\./.exec((await browser.request(`/owner/entries${query}`)).body)?.[1];
    expect(await count("")).toBe("31 entries");
    expect(await count("?utm_campaign=fair&after=20&order=oldest")).toBe("30 entries");
    expect(await count("?without=utm_campaign")).toBe("1 entry");
    expect(textOf((await browser.request("/owner/entries?role=host")).body)).toContain("No entries match.");
    await env.DB.exec("DELETE FROM email_outbox");
    await seedEntries(10_000, Date.now());
    expect(await count("?without=utm_campaign")).toBe("More than 10,000 entries");
    await env.DB.exec("DELETE FROM waitlist_emails WHERE email = 'bob@example.com'");
    expect(await count("?without=utm_campaign")).toBe("10,000 entries");
  });

  test("filters by campaign, referring site, role and day, and each filter can be removed", async () => {
    await join("ada@example.com", { utm_campaign: "fair & <b>", referrer_host: "news.example" });
    await join("bob@example.com", { utm_campaign: "fair & <b>" });
    await join("cyd@example.com");
    await env.DB.exec("UPDATE waitlist_emails SET role = 'host' WHERE id <> 2");
    await env.DB.exec("UPDATE waitlist_emails SET created_at = 0 WHERE id = 3");
    const people = async (query: string) =>
      listed((await browser.request(`/owner/entries?order=oldest&${query}`)).body);
    const campaign = `utm_campaign=${encodeURIComponent("fair & <b>")}`;
    expect(await people(campaign)).toEqual(["ada@example.com", "bob@example.com"]);
    expect(await people("without=utm_campaign")).toEqual(["cyd@example.com"]);
    expect(await people("referrer_host=news.example")).toEqual(["ada@example.com"]);
    expect(await people("role=none")).toEqual(["bob@example.com"]);
    expect(await people("from=1970-01-01&until=1970-01-01")).toEqual(["cyd@example.com"]);
    expect(await people("role=host&from=2000-01-01")).toEqual(["ada@example.com"]);
    const { body } = await browser.request(`/owner/entries?role=host&${campaign}`);
    const chips = Array.from(
      body.matchAll(/href="([^"]*)"><span[^>]*>Remove the filter <\/span>([^<]*)/g),
      ([, href, text]) => [
        text?.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&"),
        href?.replaceAll("&amp;", "&"),
      ],
    );
    expect(chips).toEqual([
      ["Role: Event host", "/owner/entries?utm_campaign=fair+%26+%3Cb%3E"],
      ["Campaign: fair & <b>", "/owner/entries?role=host"],
    ]);
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
    expect(listed((await browser.request(list)).body)).toEqual(listed(second.body));
    const erased = (await browser.post(entry, { intent: "erase" })).headers.get("Location");
    expect(erased).toBe("/owner/entries?utm_campaign=fair&done=erased");
  });

  test("escapes user input", async () => {
    const id = await join('"<img/src=x>"@example.com'.replace(/[<>"]/g, "'"), {
      utm_campaign: "<script>alert(1)</script>",
    });
    for (const path of ["/owner", "/owner/entries", `/owner/entries/${id}`]) {
      const { body } = await browser.request(path);
      expect(body).toContain("&lt;script&gt;alert(1)");
      expect(body).not.toContain("<script");
    }
  });
});

describe("an entry", () => {
  test("shows all its fields and emails", async () => {
    const id = await join("ada@example.com", { utm_campaign: "autumn_fair", referrer_host: "news.example" });
    const text = textOf((await browser.request(`/owner/entries/${id}`)).body);
    for (const part of [
      "ada@example.com",
      "Status active",
      "Campaign autumn_fair",
      "Referring site news.example",
      "Welcome Waiting since",
    ]) {
      expect(text).toContain(part);
    }
  });

  test("says why its emails are not sent, and that its address is throwaway", async () => {
    const id = await join("ada@example.com");
    await env.DB.exec("UPDATE waitlist_emails SET disposable = 1");
    await env.DB.exec("UPDATE email_outbox SET dead_at = 1, reason = 'address-refused'");
    const hash = await keyedHash("address:v1", "ada@example.com", env.HASH_KEY);
    const suppression = "INSERT INTO suppressions (address_hash, reason, until, created_at) VALUES (?, ?, ?, 1)";
    await env.DB.prepare(suppression)
      .bind(hash, "hard-bounce", Date.UTC(2099, 0, 2, 9))
      .run();
    const page = async () => textOf((await browser.request(`/owner/entries/${id}`)).body);
    expect(await page()).toContain("Throwaway address yes");
    expect(await page()).toMatch(/Welcome Failed .*: This address does not accept email/);
    expect(await page()).toContain(
      "This address does not accept email. We send no email to it until 2 Jan 2099, 09:00.",
    );
    await env.DB.exec("UPDATE suppressions SET reason = 'complaint', until = NULL");
    expect(await page()).toContain("The recipient reported an email as spam. We send no email to it.");
  });

  test("resends the welcome email once per request, at most three times in 24 hours", async () => {
    const id = await join("ada@example.com");
    for (const sent of [1, 2, 3]) {
      const { headers } = await browser.post(`/owner/entries/${id}`, { intent: "resend" });
      expect(headers.get("Location")).toBe(`/owner/entries/${id}?done=resent`);
      expect(browser.emails.filter(({ to }) => to === "ada@example.com")).toHaveLength(sent);
    }
    const { headers } = await browser.post(`/owner/entries/${id}`, { intent: "resend" });
    expect(headers.get("Location")).toBe(`/owner/entries/${id}?done=resend-limit`);
    const { body } = await browser.request(headers.get("Location") ?? "");
    expect(textOf(body)).toContain("can be sent again at most 3 times in 24 hours");
    expect(browser.emails.filter(({ to }) => to === "ada@example.com")).toHaveLength(3);
  });

  test("is unsubscribed, and then gets no emails", async () => {
    const id = await join("ada@example.com");
    const done = async (intent: string) =>
      (await browser.post(`/owner/entries/${id}`, { intent })).headers.get("Location")?.split("done=")[1];
    expect(await done("unsubscribe")).toBe("unsubscribed");
    expect(await done("unsubscribe")).toBe("unchanged");
    expect(await done("resend")).toBe("unchanged");
    expect(browser.emails.filter(({ to }) => to === "ada@example.com")).toEqual([]);
    expect(textOf((await browser.request(`/owner/entries/${id}`)).body)).toContain("Status unsubscribed");
  });

  test("asks before it unsubscribes or erases", async () => {
    const id = await join("ada@example.com");
    const { body } = await browser.request(`/owner/entries/${id}`);
    for (const intent of ["unsubscribe", "erase"]) {
      expect(body).toMatch(
        new RegExp(`<details[^>]*><summary[^>]*>[^<]*</summary><form[^>]*>(?:(?!</form>).)*value="${intent}"`),
      );
    }
  });

  test("is erased only after confirmation, and leaves no row, key or log line with its address", async () => {
    const id = await join("ada@example.com", { utm_campaign: "ada@example.com" });
    const found = await browser.post("/owner/entries", { search: "ada@example.com" });
    // Stores stats that name the campaign.
    for (const path of [found.headers.get("Location") ?? "", "/owner?days=30", "/owner?days=90"]) {
      expect((await browser.request(path)).body).toContain("ada@example.com");
    }
    const { body } = await browser.request(`/owner/entries/${id}`);
    expect(body).toMatch(/<details[^>]*><summary[^>]*>Erase<\/summary><form.*value="erase".*<\/details>/s);
    await browser.post(`/owner/entries/${id}`, { intent: "resend" });
    const { headers } = await browser.post(`/owner/entries/${id}`, { intent: "erase" });
    expect(headers.get("Location")).toBe("/owner/entries?done=erased");
    expect([...browser.cookies.values()].join()).not.toMatch(/ada(@|%40)/);
    const tables = await env.DB.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all<{ name: string }>();
    for (const { name } of tables.results.filter((table) => !/^(_cf|sqlite_|d1_)/.test(table.name))) {
      const { results } = await env.DB.prepare(`SELECT * FROM ${name}`).all();
      expect(JSON.stringify(results), name).not.toContain("ada@example");
    }
    for (const { name } of (await env.CACHE.list()).keys)
      expect(name + (await env.CACHE.get(name))).not.toContain("ada@");
    expect(log.join("\n")).not.toContain("ada@");
    expect((await browser.request(`/owner/entries/${id}`)).status).toBe(404);
    expect(textOf((await browser.request("/owner")).body)).toContain("Joined in total 1 Unsubscribed 0 Erased 1");
  });

  test("unknown entries and intents change nothing", async () => {
    const id = await join("ada@example.com");
    expect((await browser.request("/owner/entries/999")).status).toBe(404);
    expect((await browser.post(`/owner/entries/${id}`, { intent: "rejoin" })).status).toBe(400);
    expect((await browser.post(`/owner/entries/${id}`)).status).toBe(400);
    expect((await browser.post("/owner/entries/999", { intent: "erase" })).headers.get("Location")).toContain(
      "unchanged",
    );
    expect((await browser.request("/owner/no-such-page")).status).toBe(404);
    expect(await rows("waitlist_emails")).toMatchObject([{ status: "active" }]);
  });

  test("GET and HEAD change nothing, with any query", async () => {
    const id = await join("ada@example.com");
    await browser.request("/owner");
    const owned = ["owner_sign_in_tokens", "owner_sessions", "owner_log"] as const;
    const tables = ["waitlist_emails", "email_outbox", "erased_totals", "stats", ...owned] as const;
    const database = async () => JSON.stringify(await Promise.all(tables.map((table) => rows(table))));
    const before = await database();
    for (const path of [
      "/owner",
      "/owner/entries",
      `/owner/entries/${id}?intent=erase`,
      "/owner/outbox/retry",
      "/owner/stats",
      "/owner/sign-out",
      "/owner/sign-out-everywhere",
      "/owner/log",
      "/owner/entries?search=x",
    ]) {
      for (const method of ["GET", "HEAD"]) await browser.request(path, { method });
    }
    expect(await database()).toBe(before);
    expect((await browser.request("/owner")).status).toBe(200);
  });
});

test("a database failure gives an error page with the reference of a log line", async () => {
  const broken = ownerBrowser({ DB: {} });
  for (const [name, value] of browser.cookies) broken.cookies.set(name, value);
  for (const path of ["/owner", "/owner/entries", "/owner/entries/1"]) {
    const { status, body } = await broken.request(path);
    expect(status).toBe(503);
    const reference = /<strong>([\w-]+)<\/strong>/.exec(body)?.[1] ?? "none";
    expect(log.filter((line) => line.includes(reference))).toHaveLength(1);
  }
});
