import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { formats } from "#app/owner/links/print/formats.ts";
import { headlineSize, MAX_HEADLINE } from "#app/owner/links/print/headline.ts";
import { site } from "#app/site.ts";
import { escaped, visibleText } from "#tests/support/pool/built-page.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/database.ts";
import { join } from "#tests/support/pool/join.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { needs } from "#tests/support/pool/needs.ts";
import { signedIn, signedInBrowser } from "#tests/support/pool/owner.ts";

freshStorageForEachTest();
captureLog();

const browser = signedInBrowser();
const labels = { page: "/", utm_source: "fair", utm_campaign: "Frome Market" };
const address = (fields: Record<string, string> = {}) =>
  `/owner/links/print?${new URLSearchParams({ ...labels, ...fields })}`;

describe("the page to print", () => {
  test("has the headline, the invitation and the address without labels, once for each piece", async () => {
    for (const [format, { pieces }] of Object.entries(formats)) {
      const { status, body } = await browser.request(address({ format, headline: "Meet <us> & join" }));
      expect(status).toBe(200);
      expect(body.match(/<bdi>Meet &lt;us&gt; &amp; join<\/bdi>/g)).toHaveLength(pieces);
      expect(body.match(/>Scan to join</g)).toHaveLength(pieces);
      expect(body.match(new RegExp(`>${new URL(env.SITE_URL).host}<`, "g"))).toHaveLength(pieces);
      expect(body).not.toContain("<script");
    }
  });

  test("without a headline it has the tagline; a page of the site has its path", async () => {
    const { body } = await browser.request(address({ page: "/privacy" }));
    expect(body).toContain(`<bdi>${escaped(site.tagline)}</bdi>`);
    expect(body).toContain(`>${new URL(env.SITE_URL).host}/privacy<`);
    expect(body).toContain(">Scan to open<");
  });

  test("once the product is open, it invites no one to join", async () => {
    const open = await signedIn({ LAUNCH_URL: "https://product.example" });
    expect((await open.request(address())).body).not.toContain("Scan to join");
  });

  test("a headline that is too long is refused beside its field, and kept", async () => {
    const headline = "x".repeat(MAX_HEADLINE + 1);
    const { status, body } = await browser.request(address({ headline }));
    expect(status).toBe(422);
    expect(body).toContain('id="headline-problem"');
    expect(body).toContain(`value="${headline}"`);
    expect(body).not.toContain('class="piece"');
  });

  test("an unknown size or style is an A4 poster in colour, and a wrong link leads to its form", async () => {
    const { body } = await browser.request(address({ format: "__proto__", style: "x" }));
    expect(body).toContain('<option value="poster-a4" selected="">');
    expect(body).not.toContain("ink-");
    const wrong = await browser.request("/owner/links/print?page=/no");
    expect([wrong.status, wrong.headers.get("Location")]).toEqual([303, "/owner/links?page=%2Fno"]);
  });

  test("reading it changes nothing", async () => {
    const before = await rows("owner_log");
    await browser.request(address());
    expect(await rows("owner_log")).toEqual(before);
  });
});

test("a headline is as large as its length allows", () => {
  const sizes = [
    "Join us",
    "Find your next craft fair in Frome",
    "Find your next craft fair, or the makers for yours, near you",
  ].map(headlineSize);
  expect(sizes).toEqual([...sizes].sort((a, b) => a - b));
  expect(new Set(sizes).size).toBe(3);
  expect(sizes[0]).toBe(1);
});

describe("a letter to the people who joined through a link", () => {
  needs("letters");

  /** Two people from the market, one through another source, and one who came by themselves. */
  async function addPeople() {
    await join("ada@example.com", { utm_source: "fair", utm_campaign: "Frome Market" });
    await join("bob@example.com", { utm_source: "fair", utm_campaign: "Frome Market" });
    await join("cyd@example.com", { utm_source: "newsletter", utm_campaign: "Frome Market" });
    await join("dan@example.com");
  }

  const forms = (html: string) =>
    Array.from(html.matchAll(/<form[^>]*action="\/owner\/letters\/for"[^>]*>(.*?)<\/form>/gs), ([, form = ""]) =>
      Object.fromEntries(
        Array.from(form.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g), ([, name, value]) => [
          name,
          value,
        ]),
      ),
    );

  test("is begun with one button, on the links page and on the page to print", async () => {
    await addPeople();
    const exact = { utm_source: "fair", utm_campaign: "Frome Market" };
    const links = forms((await browser.request("/owner/links")).body);
    expect(links).toEqual([
      { utm_campaign: "Frome Market" },
      ...["fair", "newsletter"].map((utm_source) => ({ utm_source })),
    ]);
    const made = (await browser.request(`/owner/links?${new URLSearchParams(labels)}`)).body;
    expect(forms(made)[0]).toEqual(exact);
    expect(forms((await browser.request(address())).body)).toEqual([exact]);
    expect(visibleText(made)).toContain("Write a letter to the people who joined through it");
  });

  test.each([
    [{ utm_campaign: "Frome Market" }, 3],
    [{ utm_source: "fair", utm_campaign: "Frome Market" }, 2],
    [{ utm_source: "newsletter" }, 1],
  ])("to %j is a draft for exactly those people, and is recorded", async (fields, people) => {
    await addPeople();
    const { status, headers } = await browser.post("/owner/letters/for", fields as Record<string, string>);
    const location = headers.get("Location") ?? "";
    expect([status, location]).toEqual([303, expect.stringMatching(/^\/owner\/letters\/\d+\?done=addressed$/)]);
    const [letter] = await rows<{ state: string; audience: string }>("letters");
    expect(letter?.state).toBe("draft");
    expect(JSON.parse(letter?.audience ?? "")).toEqual({ filter: fields });
    expect((await browser.request(location)).body).toContain('role="status"');
    const audience = await browser.request(location.replace(/\?.*/, "/audience"));
    expect(visibleText(audience.body)).toMatch(new RegExp(`\\b${people} (person|people) will get this letter`));
    expect((await rows<{ action: string }>("owner_log")).at(-1)?.action).toBe("create-letter");
  });

  test.each([{}, { utm_source: "" }, { source: "@" }, { utm_campaign: "x".repeat(500) }, { colour: "green" }])(
    "%j begins no letter to everyone",
    async (fields) => {
      expect((await browser.post("/owner/letters/for", fields as Record<string, string>)).status).toBe(404);
      expect(await rows("letters")).toEqual([]);
    },
  );

  test("no letter is begun by opening its address", async () => {
    expect((await browser.request("/owner/letters/for?utm_source=fair")).status).toBe(404);
    expect(await rows("letters")).toEqual([]);
  });
});
