import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { newsOnly } from "#app/waitlist/sign-up/consent-wording.ts";
import { escaped, post as postForm, site, visibleText } from "#tests/support/pool/built.ts";
import { loggedActions, signedIn, signedInBrowser, technicalWords } from "#tests/support/pool/owner.ts";
import { freshStorageForEachTest, needs, rows } from "#tests/support/pool/start.ts";

needs("embed");
freshStorageForEachTest();

const { post, request } = signedInBrowser();

const origins = async () => (await rows<{ origin: string }>("embed_origins")).map(({ origin }) => origin);
const locationOf = ({ status, headers }: { status: number; headers: Headers }) => [status, headers.get("Location")];

/** The text of a field to copy. */
function copied(body: string, name: string): string {
  return new RegExp(`<textarea id="${name}"[^>]*readOnly=""[^>]*>([^<]*)</textarea>`).exec(body)?.[1] ?? "";
}

describe("the sites", () => {
  test("one is allowed by the address of any of its pages, once, and removed, each in the log", async () => {
    const form = { site: "https://Shop.example/about?x=1" };
    const before = (await request("/owner/embed")).body;
    expect(visibleText(before)).toContain("No site is allowed yet.");
    expect(technicalWords(before)).toEqual([]);
    expect(locationOf(await post("/owner/embed", form))).toEqual([303, "/owner/embed?done=allow-origin"]);
    expect(locationOf(await post("/owner/embed", form))).toEqual([303, "/owner/embed?done=unchanged"]);
    expect(await origins()).toEqual(["https://shop.example"]);
    const { body } = await request("/owner/embed");
    expect(body).toContain('<input type="hidden" name="origin" value="https://shop.example"/>');
    const removal = { origin: "https://shop.example" };
    expect(locationOf(await post("/owner/embed/remove", removal))).toEqual([303, "/owner/embed?done=remove-origin"]);
    expect(locationOf(await post("/owner/embed/remove", removal))).toEqual([303, "/owner/embed?done=unchanged"]);
    expect(await origins()).toEqual([]);
    expect(await loggedActions()).toEqual([
      ["allow-origin", { site: "https://shop.example" }],
      ["remove-origin", { site: "https://shop.example" }],
    ]);
  });

  test("one that cannot be allowed is shown again, with the reason", async () => {
    const { status, body } = await post("/owner/embed", { site: 'http://"><b>shop' });
    expect(status).toBe(422);
    expect(visibleText(body)).toContain("must begin with https://");
    expect(body).toContain('value="http://&quot;&gt;&lt;b&gt;shop"');
    expect(await origins()).toEqual([]);
    expect(await loggedActions()).toEqual([]);
  });

  test("one on a loopback address is allowed by a site on one, and its form adds people there only", async () => {
    const origin = "http://localhost:3000";
    const away = await signedIn({ SITE_URL: site.SITE_URL }, site.SITE_URL);
    for (const typed of [
      origin,
      "http://127.0.0.1:3000",
      "http://[::1]:3000",
      "http://a.localhost",
      "https://localhost",
    ])
      expect([typed, (await away.post("/owner/embed", { site: typed })).status]).toEqual([typed, 422]);
    expect((await post("/owner/embed", { site: `${origin}/shop` })).status).toBe(303);
    const fields = { email: "ada@example.com", wording: newsOnly.version };
    const send = (replaced: object) => postForm("/api/embed", fields, { headers: { Origin: origin }, replaced });
    expect((await send({ SITE_URL: site.SITE_URL })).status).toBe(403);
    expect((await send({})).status).toBe(201);
  });

  test("there can be twenty", async () => {
    for (let n = 0; n < 20; n += 1) await env.DB.exec(`INSERT INTO embed_origins VALUES ('https://s${n}.example', 0)`);
    expect(visibleText((await request("/owner/embed")).body)).toContain("You can allow 20 sites.");
    const { status, body } = await post("/owner/embed", { site: "https://shop.example" });
    expect([status, visibleText(body)]).toEqual([422, expect.stringContaining("Remove one first.")]);
    expect((await post("/owner/embed", { site: "https://s7.example" })).status).toBe(303);
    expect(await origins()).toHaveLength(20);
  });
});

describe("the form to copy", () => {
  test("posts to this site, with the words of consent that people agree to, and needs no script", async () => {
    const html = copied((await request("/owner/embed")).body, "html");
    for (const part of [
      `action="${env.SITE_URL}/api/embed"`,
      'method="post"',
      'target="_top"',
      'name="email"',
      'autocomplete="email"',
      'autocorrect="off"',
      '<label for="waitlist-email">Your email address</label>',
      'name="pitch_remark"',
      'name="source" value="embed"',
      `href="${env.SITE_URL}/privacy"`,
    ]) {
      expect(html).toContain(escaped(part));
    }
    expect(html).toContain(escaped(newsOnly.text));
    expect(html).not.toMatch(/script|on\w+=/);
  });

  test.each([
    ['"><script>', 200, "script"],
    ["", 422, "embed"],
  ])("for the name %j", async (name, code, source) => {
    const { status, body } = await request(`/owner/embed?${new URLSearchParams({ source: name })}`);
    expect(status).toBe(code);
    expect(copied(body, "html")).toContain(escaped(`name="source" value="${source}"`));
    expect(body.includes("Use letters from a to z")).toBe(code === 422);
  });
});
