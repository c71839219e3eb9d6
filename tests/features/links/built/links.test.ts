import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { site } from "#app/site.ts";
import * as switches from "#app/switches.ts";
import { escaped, visibleText } from "#tests/support/pool/built.ts";
import { loggedActions, signedIn, signedInBrowser, technicalWords } from "#tests/support/pool/owner.ts";
import { freshStorageForEachTest, join, needs, rows } from "#tests/support/pool/start.ts";

/* Tagged links: making one, its QR code, the page to print, and a letter to those who joined through it. */

freshStorageForEachTest();

const browser = signedInBrowser();

const autumn = { page: "/privacy", utm_source: "fair", utm_medium: "print", utm_campaign: "autumn fair 2026" };
const get = async (path: string, fields: object = {}) =>
  (await browser.request(`/owner/links${path}${path.includes("?") ? "" : `?${new URLSearchParams({ ...fields })}`}`))
    .body;

test("a link is made with the labels that were filled in, and the first one is a step of the overview", async () => {
  await get("", autumn);
  expect((await browser.request("/owner")).body).toContain("<h3>Make a link");
  for (const [fields, link] of [
    [autumn, "/privacy?utm_source=fair&amp;utm_medium=print&amp;utm_campaign=autumn+fair+2026"],
    [{ page: "/", utm_source: " poster ", utm_medium: "", utm_campaign: "" }, "/?utm_source=poster"],
  ] as const) {
    const { status, headers } = await browser.post("/owner/links", fields);
    const { body } = await browser.request(headers.get("Location") ?? "");
    expect([status, body]).toEqual([303, expect.stringContaining(`>${env.SITE_URL}${link}</code>`)]);
    expect(technicalWords(body)).toEqual([]);
  }
  expect((await browser.request("/owner")).body).toContain("Done: </span>Make a link");
});

test.each([
  [{ page: "/owner" }, "page"],
  [{ page: "https://evil.example/" }, "page"],
  [{ utm_source: " " }, "utm_source"],
  [{ utm_campaign: "ada@example.com" }, "utm_campaign"],
  [{ utm_campaign: "x".repeat(65) }, "utm_campaign"],
  [{ utm_medium: "<b>" }, "utm_medium"],
  [{ utm_source: "東".repeat(64) }, "utm_campaign"],
])("refuses %j beside the field, keeps what was typed, and makes no link", async (wrong, field) => {
  const { status, body } = await browser.post("/owner/links", { ...autumn, ...wrong });
  expect(status).toBe(422);
  expect(body).toContain(`id="${field}-problem"`);
  expect(body).not.toContain("qr-code");
  const { page: _, ...typed } = { ...autumn, ...wrong };
  for (const [name, value] of Object.entries(typed)) {
    const input = new RegExp(`<input[^>]*name="${name}"[^>]*>`).exec(body)?.[0];
    expect(input, name).toContain(`value="${value.trim().replace("<", "&lt;").replace(">", "&gt;")}"`);
  }
  expect((await browser.request("/owner")).body).toContain("<h3>Make a link");
});

test("suggests the labels that people joined by, once each in any spelling", async () => {
  await join("ada@example.com", { utm_source: "makers_post", utm_campaign: "spring" });
  for (const used of ["makers_post", "spring"]) expect(await get("")).toContain(`<option value="${used}">`);
  await join("bob@example.com", { utm_source: "Makers_Post", utm_campaign: "Spring" });
  expect((await get("")).match(/<option value="(makers_post|spring)">/gi)).toHaveLength(2);
});

test("the QR code is a file of its own, without a script or a foreign address", async () => {
  const { headers, body } = await browser.request(`/owner/links/qr.svg?${new URLSearchParams(autumn)}`);
  expect(headers.get("Content-Type")).toBe("image/svg+xml");
  expect(headers.get("Content-Disposition")).toBe('attachment; filename="qr-code.svg"');
  expect(body).toMatch(
    /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 \d+ \d+"[^>]*><rect[^>]*\/><path[^>]*\/><\/svg>\n$/,
  );
  const png = await browser.request(`/owner/links/qr.png?${new URLSearchParams(autumn)}`);
  expect(png.headers.get("Content-Type")).toBe("image/png");
  expect(png.headers.get("Content-Disposition")).toBe('attachment; filename="qr-code.png"');
});

describe("the list of links", () => {
  /** The rows of the list: name, address, and what follows. */
  const list = async (path = "") => {
    const [, table = ""] =
      /<table class="table cards link-table"[^>]*>.*?<tbody>(.*?)<\/tbody>/s.exec(await get(path)) ?? [];
    return table
      .split("<tr>")
      .slice(1)
      .map((row) =>
        Array.from(row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs), ([, cell = ""]) =>
          visibleText(`<main>${cell}</main>`).trim(),
        ),
      );
  };
  const make = async (fields: object) =>
    (await browser.post("/owner/links", { page: "/", utm_medium: "", utm_campaign: "", ...fields })).headers.get(
      "Location",
    ) ?? "";
  const numbers = (visited: number, joined: number) => [...(switches.visits ? [String(visited)] : []), String(joined)];
  const renewed = () => env.DB.exec("DELETE FROM stats");

  test("keeps them, newest first, once each, with their whole address and who made them", async () => {
    expect(await make(autumn)).toBe("/owner/links/1");
    expect(await make({ utm_source: "poster" })).toBe("/owner/links/2");
    expect(await make(autumn)).toBe("/owner/links/1?done=link-exists");
    expect((await loggedActions()).map(([action]) => action)).toEqual(["make-link", "make-link"]);
    const rows = await list();
    expect(rows.map(([name, address]) => [name, address])).toEqual([
      ["poster", `${env.SITE_URL}/?utm_source=poster`],
      [
        "autumn fair 2026 (fair, print)",
        `${env.SITE_URL}/privacy?utm_source=fair&amp;utm_medium=print&amp;utm_campaign=autumn+fair+2026`,
      ],
    ]);
    expect(rows[0]?.[2]).toMatch(/^\d{1,2} \w{3} \d{4} by owner@/);
    // A bookmark of one leads to its page.
    const { headers } = await browser.request(`/owner/links?${new URLSearchParams(autumn)}`);
    expect(headers.get("Location")).toBe("/owner/links/1");
  });

  test("counts who came and joined by each, in any spelling", async () => {
    for (const fields of [autumn, { utm_source: "fair" }, { utm_source: "poster", utm_campaign: "autumn fair 2026" }])
      await make(fields);
    await join("ada@example.com", { utm_source: "Fair", utm_campaign: "Autumn fair 2026" });
    await join("bob@example.com", { utm_source: "fair", utm_campaign: "autumn fair 2026" });
    await join("cyd@example.com", { utm_source: "fair" });
    await join("dan@example.com", { utm_campaign: "autumn fair 2026" });
    for (const [day, link] of [
      ["2026-11-20", { "fair > autumn fair 2026": 7, fair: 2, "(other)": 3 }],
      ["2026-11-21", { "fair > AUTUMN fair 2026": 1, elsewhere: 9 }],
    ] as const)
      await env.DB.prepare("INSERT INTO page_visits (day, counts) VALUES (?, ?)")
        .bind(day, JSON.stringify({ link }))
        .run();
    await renewed();
    expect((await list()).map((row) => row.slice(3))).toEqual([numbers(0, 0), numbers(2, 1), numbers(8, 2)]);
    const { body } = await browser.request("/owner/links/1");
    expect((await browser.request("/owner/links/3")).body).not.toContain("/owner/entries?");
    expect(body).toContain('href="/owner/entries?utm_source=fair&amp;utm_campaign=autumn+fair+2026">2<');
    expect((await browser.request("/owner/links/2")).body).toContain(
      'href="/owner/entries?utm_source=fair&amp;without=utm_campaign">1<',
    );
  });

  test("reads its numbers as they are stored, without a name that visitors chose", async () => {
    await make({ utm_source: "fair" });
    await join("ada@example.com", { utm_source: "fair" });
    await renewed();
    await list();
    await join("bob@example.com", { utm_source: "fair" });
    expect((await list())[0]?.at(-1)).toBe("1");
    expect(await rows("stats")).toMatchObject([{ key: "links:1", value: expect.not.stringContaining("fair") }]);
  });

  test("has pages of 25", async () => {
    for (let number = 1; number <= 26; number += 1)
      await env.DB.prepare("INSERT INTO links VALUES (?1, '/', 'fair_' || ?1, '', '', 'owner@example.com', 1)")
        .bind(String(number))
        .run();
    expect((await list()).map(([name]) => name)).toEqual(
      Array.from({ length: 25 }, (_, index) => `fair_${26 - index}`),
    );
    expect(await get("")).toContain('href="/owner/links?before=2">Older<');
    expect((await list("?before=2")).map(([name]) => name)).toEqual(["fair_1"]);
  });

  test("loses one that is removed, which the log still names; its address goes on working", async () => {
    const path = await make(autumn);
    const removed = await browser.post(path, { intent: "remove" });
    expect(removed.headers.get("Location")).toBe("/owner/links?done=remove-link");
    expect(await list()).toEqual([]);
    expect((await browser.request(path)).status).toBe(404);
    expect((await browser.post(path, { intent: "remove" })).headers.get("Location")).toBe(
      "/owner/links?done=unchanged",
    );
    expect((await loggedActions()).at(-1)).toEqual([
      "remove-link",
      { linkId: 1, page: "/privacy", source: "fair", medium: "print", campaign: "autumn fair 2026" },
    ]);
    expect(visibleText((await browser.request("/owner/log")).body)).toContain(
      "Removed a link from the list: link 1, page /privacy, source fair",
    );
    expect(
      (await browser.request("/privacy?utm_source=fair&utm_medium=print&utm_campaign=autumn+fair+2026")).status,
    ).toBe(200);
    expect(await make(autumn)).toBe("/owner/links/2");
  });

  test("a button that is none of a link's changes nothing", async () => {
    const path = await make(autumn);
    expect((await browser.post(path, { intent: "rename" })).status).toBe(400);
    expect(await list()).toHaveLength(1);
  });
});

test("a wrong address of a link has no page to print and no code", async () => {
  expect((await browser.request("/owner/links?page=/no&utm_source=x")).status).toBe(422);
  const { status, headers } = await browser.request("/owner/links/print?page=/no");
  expect([status, headers.get("Location")]).toEqual([303, "/owner/links?page=%2Fno"]);
  expect((await browser.request("/owner/links/qr.svg?page=/no")).status).toBe(404);
});

describe("the page to print", () => {
  const labels = { page: "/", utm_source: "fair", utm_campaign: "Frome Market" };
  const { host } = new URL(env.SITE_URL);

  test.each([
    ["poster-a3", 1],
    ["poster-a4", 1],
    ["flyer-a5", 2],
    ["flyer-a6", 4],
    ["table-card", 2],
  ])("as a %s has the headline, the invitation and the address %i times", async (format, pieces) => {
    const body = await get("/print", { ...labels, format, headline: "Meet <us> & join" });
    expect(body.match(/<bdi>Meet &lt;us&gt; &amp; join<\/bdi>/g)).toHaveLength(pieces);
    expect(body.match(/>Scan to join</g)).toHaveLength(pieces);
    expect(body.match(new RegExp(`>${host}<`, "g"))).toHaveLength(pieces);
  });

  test("has the tagline without a headline, the path of a page, and invites no one once the product is open", async () => {
    const body = await get("/print", { ...labels, page: "/privacy" });
    for (const part of [`<bdi>${escaped(site.tagline)}</bdi>`, `>${host}/privacy<`, ">Scan to open<"])
      expect(body).toContain(part);
    const open = await signedIn({ LAUNCH_URL: "https://product.example" });
    const print = await open.request(`/owner/links/print?${new URLSearchParams(labels)}`);
    expect(print.body).not.toContain("Scan to join");
  });

  test("refuses a headline that is too long, and ignores an unknown size or style", async () => {
    const headline = "x".repeat(81);
    const refused = await get("/print", { ...labels, headline });
    expect(refused).toContain('id="headline-problem"');
    expect(refused).toContain(`value="${headline}"`);
    expect(refused).not.toContain('class="piece"');
    const body = await get("/print", { ...labels, format: "__proto__", style: "x" });
    expect(body).toContain('<option value="poster-a4" selected="">');
    expect(body).not.toContain("ink-");
  });
});

describe("a letter to the people who joined through a link", () => {
  needs("letters");

  /** Two people from the market, one through another source, and one who came by themselves. */
  async function addPeople() {
    for (const [name, utm_source] of Object.entries({ ada: "fair", bob: "fair", cyd: "newsletter" }))
      await join(`${name}@example.com`, { utm_source, utm_campaign: "Frome Market" });
    await join("dan@example.com");
  }

  /** The hidden fields of the buttons that begin a letter. */
  const forms = (html: string) =>
    Array.from(html.matchAll(/<form[^>]*action="\/owner\/letters\/for"[^>]*>(.*?)<\/form>/gs), ([, form = ""]) =>
      Array.from(form.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g), ([, ...pair]) => pair.join("=")),
    );

  test("is begun with one button, on the links page and on the page to print", async () => {
    await addPeople();
    const exact = ["utm_source=fair", "utm_campaign=Frome Market"];
    const all = [["utm_campaign=Frome Market"], ["utm_source=fair"], ["utm_source=newsletter"]];
    expect(forms(await get(""))).toEqual(all);
    const labels = { page: "/", utm_source: "fair", utm_campaign: "Frome Market" };
    const { headers } = await browser.post("/owner/links", labels);
    expect(forms((await browser.request(headers.get("Location") ?? "")).body)).toEqual([exact]);
    expect(forms(await get("/print", labels))).toEqual([exact]);
  });

  test.each<[Record<string, string>, number]>([
    [{ utm_campaign: "Frome Market" }, 3],
    [{ utm_source: "fair", utm_campaign: "Frome Market" }, 2],
    [{ utm_source: "newsletter" }, 1],
  ])("to %j is a draft for exactly those people, and is recorded", async (fields, people) => {
    await addPeople();
    const { headers } = await browser.post("/owner/letters/for", fields);
    expect(headers.get("Location")).toMatch(/^\/owner\/letters\/\d+\?done=addressed$/);
    expect(await rows("letters")).toMatchObject([{ state: "draft", audience: JSON.stringify({ filter: fields }) }]);
    const audience = await browser.request(headers.get("Location")?.replace(/\?.*/, "/audience") ?? "");
    expect(visibleText(audience.body)).toMatch(new RegExp(`\\b${people} (person|people) will get this letter`));
    expect((await rows<{ action: string }>("owner_log")).at(-1)?.action).toBe("create-letter");
  });

  test.each<[Record<string, string>]>([
    [{}],
    [{ utm_source: "" }],
    [{ source: "@" }],
    [{ utm_campaign: "x".repeat(500) }],
    [{ colour: "green" }],
  ])("to %j, which is everyone, is not begun", async (fields) => {
    expect((await browser.post("/owner/letters/for", fields)).status).toBe(404);
    expect(await rows("letters")).toEqual([]);
  });
});
