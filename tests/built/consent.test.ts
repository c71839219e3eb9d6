import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { bindingsWith, send as sendTo } from "#tests/support/pool/built.ts";
import { freshStorageForEachTest } from "#tests/support/pool/start.ts";

const log = freshStorageForEachTest();

async function send(path: string, init: RequestInit = {}, siteUrl = env.SITE_URL) {
  const { headers, ...response } = await sendTo(siteUrl + path, init, bindingsWith({ SITE_URL: siteUrl }));
  return { ...response, location: headers.get("Location"), cookies: headers.getSetCookie() };
}

/** Posts the banner's form as a browser without JavaScript does. */
function choose(fields: Record<string, string>, headers: Record<string, string> = {}, siteUrl = env.SITE_URL) {
  const init = { method: "POST", headers: { Origin: siteUrl, ...headers }, body: new URLSearchParams(fields) };
  return send("/cookie-policy", init, siteUrl);
}

/** Nonces differ per response. */
function withoutNonces(html: string): string {
  return html.replace(/nonce="[^"]*"/g, "");
}

/** Parses the choice from a `Set-Cookie` header. */
function savedIn(cookie = ""): unknown {
  return JSON.parse(decodeURIComponent(/^cookiePreferences=([^;]*)/.exec(cookie)?.[1] ?? "null"));
}

const accepted = `cookiePreferences=${encodeURIComponent('{"necessary":true,"analytics":true,"marketing":true}')}`;

describe("the banner in the server's HTML", () => {
  test("is on every page until there is a readable choice, then on none", async () => {
    for (const path of ["/", "/survey", "/privacy", "/cookie-policy", "/roadmap", "/no-such-page"]) {
      expect((await send(path)).body, path).toContain('aria-label="Cookie preferences"');
      expect((await send(path, { headers: { Cookie: accepted } })).body, path).not.toContain("Decline All");
    }
  });

  test("opens by URL with the saved choice in its toggles, and changes nothing", async () => {
    const { body, cookies } = await send("/privacy?cookies=settings", { headers: { Cookie: accepted } });
    expect(body.match(/<input[^>]*type="checkbox"[^>]*checked=""/g)).toHaveLength(3);
    expect(cookies).toEqual([]);
  });

  test("depends on no other cookie, and reading a page sets none", async () => {
    const headers = { Cookie: "_ga=1; session=2; _fbp=3" };
    const [plain, other] = [await send("/privacy"), await send("/privacy", { headers })];
    expect(withoutNonces(other.body)).toBe(withoutNonces(plain.body));
    expect([...plain.cookies, ...other.cookies]).toEqual([]);
  });

  test("an unreadable choice is logged without its content, and the banner is shown again", async () => {
    // A page without parts that read the database, which has no tables here.
    const { body } = await send("/cookie-policy", {
      headers: { Cookie: 'cookiePreferences={"analytics":"ada@example.com"}' },
    });
    expect(body).toContain("Decline All");
    expect(log).toEqual(['{"level":"warn","event":"consent-unreadable"}']);
  });
});

describe("submitting the banner", () => {
  test.each([
    [
      { choice: "decline", analytics: "on", marketing: "on" },
      { analytics: false, marketing: false },
    ],
    [{ choice: "accept" }, { analytics: true, marketing: true }],
    [{ choice: "selected" }, { analytics: false, marketing: false }],
    [
      { choice: "selected", marketing: "on" },
      { analytics: false, marketing: true },
    ],
  ])("%j saves %j and redirects back", async (fields, saved) => {
    const { status, cookies, location } = await choose(fields, { Referer: `${env.SITE_URL}/roadmap?utm_source=fb` });
    expect(status).toBe(303);
    expect(savedIn(cookies[0])).toEqual({ necessary: true, ...saved });
    expect(cookies[0]).toMatch(/; Max-Age=31536000; Path=\/; SameSite=Lax$/);
    expect(location).toBe(`${env.SITE_URL}/roadmap?utm_source=fb`);
  });

  test("expires declined cookies on the host and its parent domain", async () => {
    const headers = { Cookie: "_ga=1; _fbp=2; session=3" };
    const { cookies } = await choose({ choice: "selected", marketing: "on" }, headers, "https://www.stalls.example");
    expect(cookies[0]).toMatch(/; Secure$/);
    expect(cookies.slice(1)).toEqual([
      "_ga=; Max-Age=0; Path=/",
      "_ga=; Max-Age=0; Path=/; Domain=www.stalls.example",
      "_ga=; Max-Age=0; Path=/; Domain=stalls.example",
    ]);
  });

  test.each([
    // Without reopening the settings.
    [`${env.SITE_URL}/?a=b&cookies=settings`, `${env.SITE_URL}/?a=b`],
    [`${env.SITE_URL}//evil.example/`, `${env.SITE_URL}//evil.example/`],
    ["https://evil.example/", `${env.SITE_URL}/cookie-policy`],
    ["javascript:alert(1)", `${env.SITE_URL}/cookie-policy`],
    ["", `${env.SITE_URL}/cookie-policy`],
  ])("of a page at %j redirects to %s", async (referer, expected) => {
    expect((await choose({ choice: "decline" }, { Referer: referer })).location).toBe(expected);
  });

  test.each<[number, Record<string, string>, Record<string, string>]>([
    [400, {}, {}],
    [400, { choice: "maybe" }, {}],
    [403, { choice: "accept" }, { Origin: "https://evil.example" }],
    [413, { choice: "accept", pad: "x".repeat(5_000) }, {}],
  ])("is refused with %i and saves nothing: %#", async (expected, fields, headers) => {
    const { status, cookies } = await choose(fields, headers);
    expect({ status, cookies }).toEqual({ status: expected, cookies: [] });
  });

  test("a GET with the same fields changes nothing", async () => {
    const { status, cookies } = await send("/cookie-policy?choice=accept&analytics=on&marketing=on");
    expect({ status, cookies }).toEqual({ status: 200, cookies: [] });
  });
});
