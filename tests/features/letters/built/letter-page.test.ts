import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { founder, site } from "#app/site.ts";
import * as switches from "#app/switches.ts";
import { escaped, post, read } from "#tests/support/pool/built.ts";
import { meteredD1 } from "#tests/support/pool/d1.ts";
import { execute, freshStorageForEachTest, needs, rows } from "#tests/support/pool/start.ts";
import { storeLetter } from "#tests/support/pool/stored-letter.ts";

/* What stands around a letter that anyone can read. */

needs("letters");

freshStorageForEachTest();

const STARTED = Date.parse("2026-10-03T12:00:00Z");

const store = (subject: string, letter: Parameters<typeof storeLetter>[0] = {}) =>
  storeLetter({ subject, is_public: true, started_at: STARTED, ...letter });

const mainOf = (html: string) => /<main.*<\/main>/s.exec(html)?.[0].replaceAll("<!-- -->", "") ?? "";

const pageOf = async (id: number, vars = {}) => mainOf((await read(`/letters/${id}`, vars)).body);

test("is signed by the founder, and by the site where none is named", async () => {
  const page = await pageOf(await store("News"));
  const signature = /<div class="letter-signature">.*?<\/div>/s.exec(page)?.[0] ?? "";
  expect(signature).toContain(escaped(site.name));
  expect(/<strong>(.*?)<\/strong>/.exec(signature)?.[1]).toBe(founder === null ? undefined : escaped(founder.name));
});

test("is not signed again where the letter ends with the name", async () => {
  const name = founder?.name ?? site.name;
  const ends = async (body: string) =>
    /<div class="letter-signature">.*?<\/div>/s.exec(await pageOf(await store("News", { body })))?.[0] ?? "";
  for (const body of [`Hello,\n\n**${name}**\n${site.name}`, `Hello from\n${name}\n\n---`]) {
    expect(await ends(body), body).not.toContain("<p>");
    expect(await ends(body), body).toMatch(/<svg|<img/);
  }
  expect(await ends(`${name} writes,\n\nand ends otherwise.`)).toContain(escaped(name));
});

test("leads to the letters sent just before and just after, private ones and drafts left out", async () => {
  const [first, second, third] = [
    await store("The <first>", { started_at: STARTED - 1 }),
    await store("The second"),
    await store("The third"),
  ];
  await store("A private one", { is_public: false });
  await store("A draft", { state: "draft", started_at: null });
  const neighboursOf = async (id: number) =>
    Array.from(
      (await pageOf(id)).matchAll(
        /<a class="letter-neighbour" rel="(\w+)" href="([^"]+)">.*?<strong>(.*?)<\/strong>/gs,
      ),
      ([, rel, path, subject]) => `${rel} ${path} ${subject}`,
    );
  expect(await neighboursOf(first)).toEqual([`next /letters/${second} The second`]);
  expect(await neighboursOf(second)).toEqual([
    `prev /letters/${first} The &lt;first&gt;`,
    `next /letters/${third} The third`,
  ]);
  expect(await neighboursOf(third)).toEqual([`prev /letters/${second} The second`]);
  await execute("UPDATE letters SET is_public = (id = ?)", second);
  expect(await pageOf(second)).not.toContain("letter-neighbour");
});

test("costs no more rows read among many letters", async () => {
  for (let nth = 0; nth < 100; nth += 1) await store("News", { started_at: STARTED + nth });
  const meter = meteredD1();
  expect(await pageOf(50, { DB: meter.d1 })).toContain("letter-neighbour");
  expect(meter.rowsRead()).toBeLessThanOrEqual(10);
});

describe("the form", () => {
  const form = { email: "ada@example.com", source: "letter" };
  const send = (path: string, fields: Record<string, string>) =>
    post(path, fields, { headers: { Origin: env.SITE_URL, Accept: "text/html" } });

  test("joins from the letter’s own page, with its source and the campaign, and shows the ticket there", async () => {
    const path = `/letters/${await store("News")}`;
    expect((await read(path)).body).toMatch(
      /<form id="join-letter"[^>]* action="#join-letter-result" method="post".*name="source" value="letter"/s,
    );
    const joined = await send(`${path}?utm_source=letter&utm_campaign=letter-1`, form);
    expect(joined.status).toBe(201);
    expect(joined.body).toMatch(/class="ticket".*<form id="join-letter"/s);
    const entry = { ...form, utm_source: "letter", utm_campaign: "letter-1" };
    expect(await rows("waitlist_emails")).toMatchObject([entry]);
    const again = await send(path, form);
    expect([again.status, again.body.includes("This email is already on our waitlist!")]).toEqual([409, true]);
    expect(await rows("waitlist_emails")).toHaveLength(1);
  });

  test("refuses sign-ups below a private, draft or missing letter", async () => {
    const id = await store("A private one", { is_public: false });
    await store("A draft", { state: "draft", started_at: null });
    for (const name of [id, id + 1, id + 2, "none"])
      expect((await send(`/letters/${name}`, form)).status, `${name}`).toBe(404);
    expect(await rows("waitlist_emails")).toEqual([]);
  });

  test("is left out after the launch", async () => {
    const id = await store("News");
    expect(await pageOf(id, { LAUNCH_URL: "https://app.market.example/" })).not.toContain("<form");
  });
});

test("shares the letter’s own address, also without JavaScript", async () => {
  const id = await store("News & more");
  const page = await pageOf(id);
  expect(page.includes("Share this letter")).toBe(switches.share);
  if (!switches.share) return;
  const url = `${env.SITE_URL}/letters/${id}`;
  expect(page).toContain(`type="button" value="${url}"`);
  const links = Array.from(page.matchAll(/<a [^>]*href="(mailto:\?|https:\/\/(?:www\.facebook|wa\.me)[^"]*)[^"]*"/g));
  expect(links).toHaveLength(3);
  for (const [link] of links) expect(link).toContain(encodeURIComponent(url));
  expect(page).toContain(`mailto:?subject=${encodeURIComponent("News & more")}`);
});

test("the drawings of the list and of a letter are hidden from assistive technology", async () => {
  const id = await store("News");
  for (const path of ["/letters", `/letters/${id}`]) {
    const main = mainOf((await read(path)).body);
    const drawings = main.match(/<svg[^>]*>/g) ?? [];
    expect(drawings.length, path).toBeGreaterThan(0);
    for (const drawing of drawings) expect(drawing, path).toContain('aria-hidden="true"');
  }
});

test("the list links its feed for people too", async () => {
  expect((await read("/letters")).body).toContain('<a class="quiet-link" href="/letters/feed.xml">');
});
