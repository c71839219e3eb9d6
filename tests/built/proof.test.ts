import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { founder, questions, site } from "#app/site.ts";
import { eraseEntry } from "#app/waitlist/entries/erase-entries.server.ts";
import { bindingsWith, escaped, read, runCron } from "#tests/support/pool/built.ts";
import { brokenD1, meteredD1 } from "#tests/support/pool/d1.ts";
import { signedInBrowser } from "#tests/support/pool/owner.ts";
import { addEntries, db, execute, freshStorageForEachTest, join, needs, stopClock } from "#tests/support/pool/start.ts";
import { storeLetter } from "#tests/support/pool/stored-letter.ts";

/* What the landing page tells of the people behind it. */

const log = freshStorageForEachTest();

const browser = signedInBrowser();

/** Computes the stats, as the owner's button does. */
const count = () => browser.post("/owner/stats?days=30");

async function section(overrides = {}): Promise<string> {
  const { status, body } = await read("/", overrides);
  expect(status).toBe(200);
  return /<div class="proof">.*?<\/div>/s.exec(body)?.[0].replaceAll("<!-- -->", "") ?? "";
}

describe("the number of Pioneers", () => {
  needs("product", "pioneerCount");
  const { many } = site.pioneer;

  test("is hidden below 100, shown from 100 on, and rounded down", async () => {
    await addEntries(99);
    await count();
    expect(await section()).not.toContain("proof-count");
    await join("bob@example.com");
    expect(await section()).not.toContain("proof-count");
    await count();
    expect(await section()).toContain(`<strong>100+</strong> <span>${many} are already on the waitlist.</span>`);
    expect(await section({ LAUNCH_URL: "https://app.market.example/" })).toContain(
      `<span>${many} joined before we opened.</span>`,
    );
  });

  test("comes with the number of each side, from 20 of it on; who is both counts for each", async () => {
    const [role] = questions.filter(({ key, answers }) => key === "role" && answers !== undefined);
    if (role?.answers?.["host"] === undefined || role.answers["stallholder"] === undefined) return;
    const { host, stallholder } = site;
    const answer = (given: string, first: number, last: number) =>
      execute(
        "UPDATE waitlist_emails SET answers = ?1 WHERE id BETWEEN ?2 AND ?3",
        JSON.stringify({ role: given }),
        first,
        last,
      );
    await addEntries(99);
    await answer("host", 1, 19);
    await answer("stallholder", 20, 88);
    await count();
    expect(await section()).not.toContain("proof-count");
    await join("bob@example.com");
    await count();
    expect(await section()).toContain(`are already on the waitlist, including 60+ ${stallholder.many}.</span>`);
    await answer("both", 100, 100);
    await count();
    expect(await section()).toContain(`, including 20+ ${host.many} and 70+ ${stallholder.many}.</span>`);
    await execute("UPDATE waitlist_emails SET status = 'unsubscribed' WHERE id = 1");
    await join("eve@example.com");
    await count();
    expect(await section()).toContain(`, including 70+ ${stallholder.many}.</span>`);
  });

  test("has no one who left or has yet to confirm, and stays while someone is erased", async () => {
    await addEntries(101);
    await env.DB.exec("UPDATE waitlist_emails SET status = 'unsubscribed' WHERE id = 101");
    await count();
    expect(await section()).toContain("100+");
    await eraseEntry(db, 1, Date.now());
    expect(await section()).toContain("100+");
    await count();
    expect(await section()).not.toContain("proof-count");
  });

  test("is counted by the cron job too, in the middle of an hour", async () => {
    await addEntries(100);
    stopClock(Date.UTC(2026, 10, 21, 12, 29));
    await runCron(bindingsWith({}));
    expect(await section()).not.toContain("proof-count");
    stopClock(Date.UTC(2026, 10, 21, 12, 30));
    await runCron(bindingsWith({}));
    expect(await section()).toContain(`<strong>100+</strong> <span>${many} are already on the waitlist.</span>`);
  });

  test("costs a page three rows read besides the settings, however long the list", async () => {
    await addEntries(500);
    await count();
    const { d1, rowsRead } = meteredD1();
    expect(await section({ DB: d1 })).toContain("500+");
    expect(rowsRead()).toBeLessThanOrEqual(3 + 1);
  });

  test("is the last that the isolate has read when the database fails, or left out; the page is there", async () => {
    await addEntries(100);
    await count();
    expect(await section()).toContain("100+");
    expect(await section({ DB: brokenD1 })).toContain("100+");
    expect(log.join()).toContain("page-part-failed");
    const CACHE = new Proxy(env.CACHE, { get: (target, name) => Reflect.get(target, name).bind(target) });
    expect(await section({ DB: brokenD1, CACHE })).not.toContain("proof-count");
  });
});

describe("the newest public letter", () => {
  needs("product", "letters");
  const store = (subject: string, started_at: number | null, is_public = true) =>
    storeLetter({ subject, started_at, is_public });

  test("is linked once there is one", async () => {
    await store("A draft", null);
    await store("A private one", Date.now(), false);
    expect(await section()).not.toContain("/letters/");
    await store("The first", Date.parse("2026-10-03T12:00:00Z"));
    const second = await store("The second <one>", Date.parse("2026-11-03T12:00:00Z"));
    expect(await section()).toContain(
      `<a href="/letters/${second}">The second &lt;one&gt;</a></h3><p>Hello</p><time class="muted" dateTime="2026-11-03">3 November 2026</time>`,
    );
    expect(await section()).not.toContain("The first");
  });

  const long = "It rained all day, and nobody went home. ".repeat(4);
  test.each([
    [
      "its preview line",
      { preview_line: "Power, {{role|shelter}} and parking.", body: "Hello" },
      "Power, shelter and parking.",
    ],
    [
      "or the first line of its text after the salutation, without Markdown",
      { body: "# News\n\nDear {{role|maker}},\n\nWe **asked** [you](https://example.com).\nYou answered." },
      "We asked you.",
    ],
    [
      "or what stands in the salutation’s line",
      { body: "Hello {{role|all}}, here is the news." },
      "Hello all, here is the news.",
    ],
    ["cut between two words", { body: long }, `${long.slice(0, 116)}…`],
    ["or nothing", { body: "![A stall](https://example.com/a.png)" }, null],
  ])("begins with %s", async (_, content, line) => {
    await storeLetter({ subject: "The first", started_at: Date.now(), is_public: true, ...content });
    const shown = line === null ? "</h3><time" : `</h3><p>${line}</p>`;
    expect(await section()).toContain(shown);
  });

  test("gives the roadmap its link to the letters", async () => {
    const link = 'href="/letters"';
    expect((await read("/roadmap")).body).not.toContain(link);
    await store("The first", Date.now());
    expect((await read("/roadmap")).body).toContain(link);
  });
});

describe("the founder's note", () => {
  needs("product");

  test("is signed, and absent where app/site.ts has none", async () => {
    if (founder === null) return expect(await section()).not.toContain("<figure");
    expect(await section()).toContain(
      `<blockquote>${escaped(founder.note)}</blockquote><figcaption>${escaped(founder.name)}</figcaption>`,
    );
  });
});
