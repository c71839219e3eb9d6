import { env } from "cloudflare:test";
import { describe, expect, test, vi } from "vitest";
import { letters } from "#app/server/db/schema/letters.server.ts";
import { site } from "#app/site.ts";
import { escaped, read } from "#tests/support/pool/built.ts";
import { brokenD1, meteredD1 } from "#tests/support/pool/d1.ts";
import { db, freshStorageForEachTest, needs, stopClock } from "#tests/support/pool/start.ts";
import { storeLetter } from "#tests/support/pool/stored-letter.ts";

needs("letters");

const log = freshStorageForEachTest();

const STARTED = Date.parse("2026-10-03T12:00:00Z");
const PICTURE = "https://pictures.example/fair.png";

const FEED = "/letters/feed.xml";

/** What other sites respond. */
const serve = (respond: () => Response) => vi.spyOn(globalThis, "fetch").mockImplementation(async () => respond());

/** Stores a public letter that was sent, unless its fields say otherwise. */
const store = (letter: Parameters<typeof storeLetter>[0] = {}) =>
  storeLetter({
    ...{ subject: "Doors open", preview_line: "Your turn comes next.", is_public: true, updated_at: STARTED },
    ...{ started_at: STARTED, ...letter },
  });

test("public letters that were sent are on the list and in feed and sitemap, newest first, and can be read; others not", async () => {
  expect((await read("/letters")).text).toContain("We haven’t sent a letter yet. The first will appear here.");
  const states = ["finished", "stopped", "sending"] as const;
  const sentAfter = (days: number) => ({ started_at: STARTED + days * 86_400_000 });
  const shown = await Promise.all(
    states.map((state, day) => store({ subject: "A sent one", state, ...sentAfter(day) })),
  );
  const hidden = [
    await store({ subject: "A draft", state: "draft", started_at: null }),
    await store({ subject: "A scheduled one", state: "scheduled", scheduled_for: STARTED, started_at: null }),
    await store({ subject: "A private one", is_public: false }),
  ];
  const newestFirst = shown.map((id) => `/letters/${id}`).toReversed();
  const found = (text: string, pattern: RegExp) => Array.from(text.matchAll(pattern), ([, match]) => match);

  const list = (await read("/letters")).body;
  expect(found(list, /href="(\/letters\/\d+)"/g)).toEqual(newestFirst);
  expect(list).toContain('<time dateTime="2026-10-03">3 October 2026</time>');
  const feed = (await read(FEED)).body;
  expect(found(feed, /<id>(.*?)<\/id>/g)).toEqual(["/letters", ...newestFirst].map((path) => env.SITE_URL + path));
  const sitemap = (await read("/sitemap.xml")).body;
  const listed = found(sitemap, /<loc>[^<]*(\/letters\/\d+)<\/loc><lastmod>[\d-]+</g);
  expect(listed.toSorted()).toEqual(newestFirst.toSorted());
  expect(sitemap).toContain(`${newestFirst[2]}</loc><lastmod>2026-10-03</lastmod>`);
  for (const path of newestFirst) expect((await read(path)).status, path).toBe(200);

  const [id] = shown;
  const spellings = [`0${id}`, `${id}.0`, `+${id}`, `${id}x`, "x", "-1", "99", "9".repeat(40), `${id}/x`];
  for (const path of [...hidden, ...spellings]) expect((await read(`/letters/${path}`)).status, String(path)).toBe(404);
  for (const text of [list, feed]) expect(text).not.toMatch(/A draft|A scheduled one|A private one/);
});

describe("the list, page by page", () => {
  /** Stores public letters, the first of them the oldest, with numbers from 1. */
  async function storeMany(count: number) {
    for (let n = 1; n <= count; n += 1) await store({ subject: `Letter ${n}`, started_at: STARTED + n * 1_000 });
  }

  const numbersOn = (html: string) =>
    Array.from(html.matchAll(/href="\/letters\/\d+">Letter (\d+)</g), ([, number]) => Number(number));
  const linkOf = (html: string, rel: "prev" | "next") =>
    new RegExp(`<a(?=[^>]* rel="${rel}")[^>]* href="([^"]+)"`).exec(html)?.[1] ?? null;

  test.each([1, 20, 21, 45])("shows each of %i letters once, newest first, and links the pages", async (count) => {
    await storeMany(count);
    const found: number[] = [];
    let [path, from]: [string | null, string | null] = ["/letters", null];
    for (let nth = 1; path !== null; nth += 1) {
      const { body } = await read(path);
      expect(linkOf(body, "prev"), path).toBe(from);
      expect(body).toContain(`<link rel="canonical" href="${env.SITE_URL}${path}"/>`);
      const title = nth === 1 ? "Letters" : `Letters, page ${nth}`;
      expect(body).toContain(`<title>${title} | ${escaped(site.name)}</title>`);
      expect(body).not.toContain('name="robots"');
      found.push(...numbersOn(body));
      [path, from] = [linkOf(body, "next"), path];
    }
    expect(found).toEqual(Array.from({ length: count }, (_, nth) => count - nth));
    expect(from).toBe(count <= 20 ? "/letters" : `/letters/page/${Math.ceil(count / 20)}`);
  });

  test("has no page beyond the last one, no first page of another address and no other spellings; further pages are cached", async () => {
    await storeMany(45);
    for (const page of ["0", "1", "4", "02", "2.0", "+2", "2x", "1000", "99999999999"])
      expect([301, 404], page).toContain((await read(`/letters/page/${page}`)).status);
    expect((await read("/letters/page/2?utm_source=x")).status).toBe(200);
    expect((await read("/letters/page/2", { DB: brokenD1 })).status).toBe(503);
    const isolate = { ...env, RENDER_CACHE: "on" };
    const shown = async () => numbersOn((await read("/letters/page/2", isolate)).body);
    expect(await shown()).toHaveLength(20);
    const sitemap = (await read("/sitemap.xml")).body;
    expect(sitemap).not.toContain("/letters/page/");
    expect(sitemap.match(/\/letters\/\d+</g)).toHaveLength(45);
    expect((await read(FEED)).body.match(/<entry>/g)).toHaveLength(45);
    await db.update(letters).set({ is_public: false });
    expect(await shown()).toHaveLength(20);
  });

  test("reads the letters of the page and of those before it, not all", async () => {
    await storeMany(200);
    const meter = meteredD1();
    for (const [path, rows] of Object.entries({ "/letters": 25, "/letters/page/3": 70, "/": 10 })) {
      meter.reset();
      await read(path, { DB: meter.d1 });
      expect(meter.rowsRead(), path).toBeLessThanOrEqual(rows);
    }
  });
});

test("a letter has its subject, date, canonical address and description, and the whole body", async () => {
  const body = `# News\n\nTwo **bold** and *soft* words,\n[our roadmap]({{site}}/roadmap) and [a map](https://map.example/?a=1&b=2).\n
- one\n- two\n\n**[Open the map](https://map.example)**\n`;
  const id = await store({ subject: 'Doors <open> & "more"', body });
  const page = (await read(`/letters/${id}`)).body.replaceAll("<!-- -->", "");
  for (const markup of [
    `<title>Doors &lt;open&gt; &amp; &quot;more&quot; | ${escaped(site.name)}</title>`,
    `<link rel="canonical" href="${env.SITE_URL}/letters/${id}"/>`,
    '<meta name="description" content="Your turn comes next."/>',
    "<h1>Doors &lt;open&gt; &amp; &quot;more&quot;</h1>",
    '<time dateTime="2026-10-03">3 October 2026</time>',
    "<h2>News</h2>",
    "<strong>bold</strong> and <em>soft</em>",
    `words,<br/><a href="${env.SITE_URL}/roadmap" rel="noopener">our roadmap</a>`,
    'href="https://map.example/?a=1&amp;b=2"',
    "<ul><li>one</li><li>two</li></ul>",
    '<a class="button" href="https://map.example" rel="noopener">Open the map</a>',
  ])
    expect(page).toContain(markup);
});

describe("the feed", () => {
  test("has each letter's time and preview, and is named on the letters' pages", async () => {
    expect((await read(FEED)).status).toBe(200);
    expect((await read(FEED, { DB: brokenD1 })).status).toBe(503);
    const id = await store({ subject: 'Doors <open> & "more"\u0007', preview_line: "" });
    await store({ subject: "The second", state: "sending", started_at: STARTED + 86_400_000 });
    const { status, headers, body } = await read(FEED);
    expect([status, headers.get("Content-Type")]).toEqual([200, "application/atom+xml; charset=utf-8"]);
    expect(body).toContain("<title>Doors &lt;open&gt; &amp; &quot;more&quot;</title>");
    expect(body).toContain("<published>2026-10-03T12:00:00.000Z</published>");
    expect(body.match(/<summary>.*<\/summary>/g)).toEqual(["<summary>Your turn comes next.</summary>"]);
    // That of the feed is that of the newest letter.
    expect(/<updated>(.*?)<\/updated>/.exec(body)?.[1]).toBe("2026-10-04T12:00:00.000Z");
    const link = new RegExp(`<link rel="alternate" type="application/atom\\+xml" title="[^"]+" href="${FEED}"/>`);
    for (const path of ["/letters", `/letters/${id}`]) expect((await read(path)).body).toMatch(link);
    expect((await read("/roadmap")).body).not.toMatch(link);
  });

  test.each([0x0, 0xb, 0x7f, 0xd800, 0xdfff, 0xffff, 0x1fffe])("is valid XML with U+%s in a letter", async (code) => {
    const bad = String.fromCodePoint(code);
    await store({ subject: `Do${bad}ors ]]> 🧵`, preview_line: `Tu${bad}rn`, body: `He${bad}llo` });
    // The characters of XML 1.0: https://www.w3.org/TR/xml/#charsets
    const noXml = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;
    for (const path of [FEED, "/sitemap.xml"]) expect((await read(path)).body).not.toMatch(noXml);
    // The database has U+FFFD for half of a surrogate pair.
    expect((await read(FEED)).body).toMatch(/<title>Do\ufffd*ors \]\]&gt; 🧵<\/title>/);
  });
});

test("a letter is an article for search engines and shared links; the list is not", async () => {
  const subject = "Doors </script> open";
  const id = await store({ subject });
  const pageOf = async (path: string) => {
    const { body } = await read(path);
    const structured = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(body)?.[1] ?? "";
    return { body, things: JSON.parse(structured)["@graph"] };
  };
  const [letter, list] = [await pageOf(`/letters/${id}`), await pageOf("/letters")];
  const published = "2026-10-03T12:00:00.000Z";
  for (const meta of ['og:type" content="article"', `article:published_time" content="${published}"`])
    expect(letter.body).toContain(`<meta property="${meta}/>`);
  expect(letter.things.at(-1)).toMatchObject({
    ...{ "@type": "Article", headline: subject, description: "Your turn comes next.", datePublished: published },
    url: `${env.SITE_URL}/letters/${id}`,
  });
  expect(list.body).toContain('<meta property="og:type" content="website"/>');
  expect(JSON.stringify(list.things)).not.toContain("Article");
});

test("links to unsubscribe are left out, and strangers greeted as people without an answer, also by a question that is asked no more", async () => {
  const greeting = "{{an_old_question|all of you}}";
  const body = `Hello **${greeting}**. [Leave]({{unsubscribe}}) us.\n\n**[Unsubscribe]({{unsubscribe}})**`;
  const id = await store({ subject: `News for ${greeting}`, preview_line: `To ${greeting}`, body });
  const [list, letter] = [await read("/letters"), await read(`/letters/${id}`)];
  for (const page of [list, letter]) {
    expect(page.text).toContain("News for all of you");
    expect(page.body).toContain("To all of you");
    expect(page.body).not.toContain("{{");
  }
  expect(letter.body).toContain("Hello <strong>all of you</strong>.");
  expect(letter.text).toContain("Leave us.");
  expect(letter.text).not.toContain("Unsubscribe");
});

test("a letter that was sent before today's limits of writing can be read, with its pictures", async () => {
  const body = `${"*a* ".repeat(60)}\n\n${"- b\n".repeat(1_200)}\n![A fair](${PICTURE}?before)`;
  const page = await read(`/letters/${await store({ body })}`);
  expect(page.body.match(/<li>b/g)).toHaveLength(1_200);
  const source = /<img src="([^"]+)" alt="A fair"/.exec(page.body)?.[1] ?? "";
  serve(() => new Response("png", { headers: { "Content-Type": "image/png" } }));
  expect((await read(source)).body).toBe("png");
});

describe("a letter's picture", () => {
  /** Stores a letter with a picture of this address. @returns the picture's path on this site */
  async function picturePath(source: string): Promise<string> {
    const { body, headers } = await read(`/letters/${await store({ body: `![A fair](${source})` })}`);
    expect(body).not.toContain(source);
    expect(headers.get("Content-Security-Policy")).toMatch(/img-src 'self' data:;/);
    return /<img src="(\/letters\/\d+\/pictures\/[0-9a-f]{32})" alt="A fair"/.exec(body)?.[1] ?? "";
  }

  const headers = { "Content-Type": "image/png" };

  test("is fetched once and served from this site, from the letter's address only, to which other spellings redirect", async () => {
    const path = await picturePath(PICTURE);
    const fetched = serve(() => new Response("png", { headers }));
    const [folder, name] = [path.slice(0, -32), path.slice(-32)];
    const encoded = [...name].map((sign, nth) => {
      return `${folder}${name.slice(0, nth)}%${sign.charCodeAt(0).toString(16)}${name.slice(nth + 1)}`;
    });
    const id = path.split("/")[2] ?? "";
    const ids = [path.replace("/letters", "/Letters"), path.replace(`/${id}/`, `/%3${id}/`)];
    for (const spelling of [...encoded, ...ids, `${path}?1`]) {
      const { status, headers } = await read(spelling);
      expect([status, headers.get("Location")], spelling).toEqual([301, path]);
    }
    const hidden = await store({ body: `![A fair](${PICTURE})`, is_public: false });
    for (const other of [`/letters/${hidden}/pictures/${name}`, `/letters/${id}/pictures/${"0".repeat(32)}`])
      expect((await read(other)).status, other).toBe(404);
    expect(fetched).not.toHaveBeenCalled();
    for (const { status, body, headers } of [...(await Promise.all([read(path), read(path)])), await read(path)]) {
      expect([status, body, headers.get("Content-Type")]).toEqual([200, "png", "image/png"]);
      expect(headers.get("Content-Security-Policy")).toContain("sandbox");
    }
    expect(fetched.mock.calls.map(([address]) => String(address))).toEqual([PICTURE]);
  });

  test.each([
    ["gone", () => new Response("none", { status: 404 }), "not-ok"],
    ["larger than 10 MB", () => new Response(new Uint8Array(11 * 1_048_576), { headers }), "too-large"],
  ])("that is %s is asked for once a minute, and logged once", async (name, respond, code) => {
    const path = await picturePath(`https://pictures.example/${encodeURIComponent(name)}.png`);
    const fetched = serve(respond);
    stopClock();
    for (let nth = 0; nth < 15; nth += 1) expect((await read(path)).status).toBe(502);
    expect(fetched).toHaveBeenCalledTimes(1);
    expect(log.map((line) => JSON.parse(line))).toMatchObject([{ event: "letter-picture-failed", code }]);
    vi.setSystemTime(Date.now() + 61_000);
    serve(() => new Response("png", { headers }));
    expect((await read(path)).body).toBe("png");
  });
});

test("a letter's page is cached for a minute, so that a letter made private disappears then", async () => {
  const id = await store();
  const isolate = { ...env, RENDER_CACHE: "on" };
  const status = async () => (await read(`/letters/${id}`, isolate)).status;
  stopClock();
  expect(await status()).toBe(200);
  await db.update(letters).set({ is_public: false });
  expect(await status()).toBe(200);
  vi.setSystemTime(Date.now() + 61_000);
  expect(await status()).toBe(404);
});

test("when the database fails, the list says so, a letter shows the error page, and the sitemap has the other pages", async () => {
  const broken = { DB: brokenD1 };
  const shown = { status: 503, text: expect.stringContaining("can’t be shown right now") };
  expect(await read("/letters", broken)).toMatchObject(shown);
  expect((await read("/letters/1", broken)).status).toBe(500);
  const sitemap = { status: 200, body: expect.stringContaining(`<loc>${env.SITE_URL}/roadmap</loc>`) };
  expect(await read("/sitemap.xml", broken)).toMatchObject(sitemap);
  expect(log.join()).not.toContain("ada@example.com");
});
