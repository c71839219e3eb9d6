import { env } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openDb } from "#app/server/db/client.server.ts";
import { questions } from "#app/site.ts";
import * as switches from "#app/switches.ts";
import { addEntry } from "#app/waitlist/add-entry.server.ts";
import { unsubscribeEntry } from "#app/waitlist/entries.server.ts";
import { eraseEntry } from "#app/waitlist/erase-entries.server.ts";
import { answerField } from "#app/waitlist/questions/answers.ts";
import { visibleText } from "#tests/support/pool/built-page.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/database.ts";
import { dataToken } from "#tests/support/pool/email-links.ts";
import { join } from "#tests/support/pool/join.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { needs } from "#tests/support/pool/needs.ts";
import { ownerBrowser, signedInBrowser } from "#tests/support/pool/owner.ts";
import { addEntries } from "#tests/support/pool/seed-entries.ts";
import { answersTo, answersToAll, choiceQuestions } from "#tests/support/site-answers.ts";

freshStorageForEachTest();
const log = captureLog();

const TODAY = "2026-11-21";

afterEach(() => void vi.useRealTimers());
beforeEach(() => void vi.useFakeTimers({ now: Date.parse(`${TODAY}T12:00:00Z`), toFake: ["Date"] }));

const browser = signedInBrowser();

describe("the overview", () => {
  test("shows zeros for a list that everyone has left", async () => {
    await eraseEntry(openDb(env.DB), await join("ada@example.com"), Date.now());
    const { status, body } = await browser.request("/owner");
    expect(status).toBe(200);
    expect(visibleText(body)).toContain("0 can get email Erased 1 Joined in total 1");
    expect(visibleText(body)).toContain("Where people came from is shown once 10 people have joined");
    expect(visibleText(body)).toContain("Blocked attempts: none in the last 30 days.");
    expect(body).not.toMatch(/NaN|undefined|null/);
  });

  test("shows names that are also those of an object's own members", async () => {
    const origins = { utm_campaign: "__proto__", utm_source: "constructor", referrer_host: "constructor" };
    const ids = [];
    for (const source of ["constructor", "__proto__"])
      ids.push(await join(`ada@${source.replaceAll("_", "")}.example`, { source, ...origins }));
    await addEntries(10, Date.now());
    const filter = new URLSearchParams({ source: "constructor", ...origins });
    for (const path of ["", "/entries", `/entries?${filter}`, ...ids.map((id) => `/entries/${id}`)]) {
      const { status, body } = await browser.request(`/owner${path}`);
      expect([path, status]).toEqual([path, 200]);
      expect(visibleText(body)).toContain("constructor");
      expect(visibleText(body)).toContain("__proto__");
    }
  });

  test("shows sign-ups, sources, campaigns, emails and blocked attempts", async () => {
    for (const name of ["ada", "bob", "cyd"]) await join(`${name}@example.com`, { utm_campaign: "autumn_fair" });
    await join("dan@example.com", { source: "stall" });
    await addEntries(10, Date.now() - 1_000);
    await unsubscribeEntry(openDb(env.DB), 1, Date.now());
    const dead = "UPDATE email_outbox SET dead_at = 1, reason = 'address-refused' WHERE entry_id = 2";
    await env.DB.prepare(dead).run();
    await env.DB.prepare("INSERT INTO blocked_attempts (day, reason, count) VALUES (?, 'honeypot', 7)")
      .bind(TODAY)
      .run();
    for (const [days, rows, latest] of [
      [30, 30, TODAY],
      [90, 90, TODAY],
      // A year by weeks, which their first day names.
      [365, 52, "2026-11-15"],
    ] as const) {
      const { body } = await browser.request(`/owner?days=${days}`);
      const text = visibleText(body);
      expect(text).toContain("13 can get email Unsubscribed 1 Joined in total 14");
      expect(text).toContain(`${latest} 14 14`);
      expect(text).toContain("Main form 13 stall 1");
      expect(text).toContain(switches.visits ? "No campaign 11 0 – autumn_fair 3 0 –" : "No campaign 11 autumn_fair 3");
      expect(text).toContain("Sent in 90 days 0 Waiting 2 Failed 1");
      expect(text).toContain("Failed This address does not accept email 1");
      expect(text).toContain(`${latest} Filled in the hidden field 7`);
      expect(body.match(/<tr><th scope="row">\d{4}-\d\d-\d\d<\/th><td class="number"[^>]*>/g)).toHaveLength(rows);
    }
    expect((await browser.request("/owner?days=1e9")).body).toContain("last 30 days");
  });

  describe("with visits", () => {
    needs("visits");

    test("says when they are not counted any more today", async () => {
      await join("ada@example.com");
      const stopped = "has stopped counting visits until midnight UTC";
      expect((await browser.request("/owner")).body).not.toContain(stopped);
      const sql = "INSERT INTO page_visits (day, counts, writes, written_on) VALUES (?, '{}', 20000, ?)";
      await env.DB.prepare(sql).bind(TODAY, TODAY).run();
      expect((await browser.request("/owner")).body).toContain(stopped);
    });

    test("shows them, the share that joined and confirmed, and links every group to its entries", async () => {
      const db = openDb(env.DB);
      const counts = { page: { "/": 40 }, utm_campaign: { autumn_fair: 8, "(other)": 2 } };
      await env.DB.prepare("INSERT INTO page_visits (day, counts) VALUES (?, ?)")
        .bind(TODAY, JSON.stringify(counts))
        .run();
      const asked = {
        source: "landing_page",
        columns: { utm_campaign: "autumn_fair" },
        now: Date.now(),
        mustConfirm: true,
      };
      for (const name of ["ada", "bob"]) await addEntry(db, { ...asked, email: `${name}@example.com` });
      await env.DB.exec("UPDATE waitlist_emails SET confirmed_at = 1 WHERE id = 1");
      const answers = JSON.stringify(answersToAll(0));
      await env.DB.prepare("UPDATE waitlist_emails SET answers = ? WHERE id = 1").bind(answers).run();
      await join("cyd@example.com", { utm_source: "poster & co" });
      await addEntries(10, Date.now());
      const { body } = await browser.request("/owner");
      const text = visibleText(body);
      expect(text).toContain("Visits 40 None in the 30 days before");
      expect(text).toContain("Joined 13 32.5% of 40 visits None in the 30 days before");
      expect(text).toContain("Confirmed 1 50% of 2 asked");
      expect(text).toContain("Today 13 0 yesterday");
      expect(text).toContain("No campaign 11 30 36.7% – autumn_fair 2 8 25% 1 of 2 All others 0 2 0% –");
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
          ...questions.map((question) => `without=${answerField(question)}&…`),
          ...choiceQuestions.map((question) => `${answerField(question)}=${answersTo(question)[0]}&…`),
          "source=landing_page&…",
          `from=${TODAY}&until=${TODAY}`,
        ]),
      );
      expect((await browser.request("/owner?days=90")).body).toContain("until=");
    });
  });

  test("draws a bar for every day with sign-ups", async () => {
    for (const back of [0, 1, 5]) await join(`ada${back}@example.com`, { now: Date.now() - back * 24 * 3_600_000 });
    const { body } = await browser.request("/owner");
    const bars = (kind: string) =>
      Array.from(body.matchAll(new RegExp(`class="chart-${kind} [^"]*joined" d="([^"]*)"`, "g")), ([, path = ""]) => {
        return path.match(/M/g)?.length;
      });
    // One chart for narrow screens and one for wide ones; today is not over.
    expect([bars("bars"), bars("today")]).toEqual([
      [2, 2],
      [1, 1],
    ]);
  });

  const onList = async (path = "/owner") =>
    /(\d+) can get email/.exec(visibleText((await browser.request(path)).body))?.[1];
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
    const stale = visibleText((await browser.request("/owner")).body);
    expect(stale).toContain("As of 20 Nov 2026, 14:05");
    expect(stale).toContain("1 can get email");
    expect(await onList()).toBe("2");
    expect(visibleText((await browser.request("/owner")).body)).not.toContain("As of 20 Nov 2026, 14:05");
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
    const text = visibleText((await browser.request("/owner")).body);
    expect(text).toContain("1 can get email Erased 3 Joined in total 4");
    const totals = await rows<{ count: number }>("erased_totals");
    expect(totals.reduce((sum, { count }) => sum + count, 0)).toBe(3);
    expect(JSON.stringify(totals)).not.toContain("@");
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
