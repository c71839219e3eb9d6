import { createExecutionContext, env, waitOnExecutionContext } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { builtWorker } from "#tests/support/pool/built-site.ts";
import { captureLog } from "#tests/support/pool/log.ts";

const log = captureLog();

async function ask(path: string, init: RequestInit = {}, siteUrl = env.SITE_URL) {
  const execution = createExecutionContext();
  const request = new Request(`${siteUrl}${path}`, { redirect: "manual", ...init });
  const response = await builtWorker.fetch(request, { ...env, SITE_URL: siteUrl }, execution);
  const body = await response.text();
  await waitOnExecutionContext(execution);
  const { status, headers } = response;
  return { status, body, location: headers.get("Location"), cookies: headers.getSetCookie() };
}

/** Sends the banner's form as a browser without JavaScript does. */
function choose(fields: Record<string, string>, headers: Record<string, string> = {}, siteUrl = env.SITE_URL) {
  const init = { method: "POST", headers: { Origin: siteUrl, ...headers }, body: new URLSearchParams(fields) };
  return ask("/cookie-policy", init, siteUrl);
}

/** Nonces differ from answer to answer, as they must. */
function withoutNonces(html: string): string {
  return html.replace(/nonce="[^"]*"/g, "");
}

/** The choice in a `Set-Cookie` header. */
function savedIn(cookie = ""): unknown {
  return JSON.parse(decodeURIComponent(/^cookiePreferences=([^;]*)/.exec(cookie)?.[1] ?? "null"));
}

const accepted = `cookiePreferences=${encodeURIComponent('{"necessary":true,"analytics":true,"marketing":true,"v":1}')}`;

describe("the banner in the server's HTML", () => {
  test("stands on every page while there is no readable choice, and on none once there is", async () => {
    for (const path of ["/", "/survey", "/privacy", "/cookie-policy", "/roadmap", "/no-such-page"]) {
      expect((await ask(path)).body, path).toContain('aria-label="Cookie preferences"');
      expect((await ask(path, { headers: { Cookie: accepted } })).body, path).not.toContain("Decline All");
    }
  });

  test("is asked for by the address, with the saved choice in its toggles; asking changes nothing", async () => {
    const { body, cookies } = await ask("/privacy?cookies=settings", { headers: { Cookie: accepted } });
    expect(body.match(/<input[^>]*type="checkbox"[^>]*checked=""/g)).toHaveLength(3);
    expect(cookies).toEqual([]);
  });

  test("tells a browser that sends Global Privacy Control that it was heard", async () => {
    expect((await ask("/", { headers: { "Sec-GPC": "1" } })).body).toContain("sends Global Privacy Control");
    expect((await ask("/", { headers: { "Sec-GPC": "0" } })).body).not.toContain("sends Global Privacy Control");
  });

  test("depends on no other cookie, and is never set by reading a page", async () => {
    const headers = { Cookie: "_ga=1; session=2; _fbp=3" };
    const [plain, other] = [await ask("/privacy"), await ask("/privacy", { headers })];
    expect(withoutNonces(other.body)).toBe(withoutNonces(plain.body));
    expect([...plain.cookies, ...other.cookies]).toEqual([]);
  });

  test("a choice that cannot be read is logged without its content, and asked for again", async () => {
    const { body } = await ask("/", { headers: { Cookie: 'cookiePreferences={"analytics":"ada@example.com"}' } });
    expect(body).toContain("Decline All");
    expect(log).toEqual(['{"level":"warn","event":"consent-unreadable"}']);
  });
});

describe("sending it", () => {
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
  ])("%j saves %j and leads back", async (fields, saved) => {
    const { status, cookies, location } = await choose(fields, { Referer: `${env.SITE_URL}/roadmap?utm_source=fb` });
    expect(status).toBe(303);
    expect(savedIn(cookies[0])).toEqual({ necessary: true, ...saved, v: 1 });
    expect(cookies[0]).toMatch(/; Max-Age=31536000; Path=\/; SameSite=Lax$/);
    expect(location).toBe(`${env.SITE_URL}/roadmap?utm_source=fb`);
  });

  test("over https the cookie is for https alone", async () => {
    const { cookies } = await choose({ choice: "accept" }, {}, "https://stallwright.example");
    expect(cookies[0]).toMatch(/; Secure$/);
  });

  test("removes what was declined, from the host and the domain above", async () => {
    const headers = { Cookie: "_ga=1; _fbp=2; session=3" };
    const { cookies } = await choose({ choice: "selected", marketing: "on" }, headers, "https://www.stalls.example");
    expect(cookies.slice(1)).toEqual([
      "_ga=; Max-Age=0; Path=/",
      "_ga=; Max-Age=0; Path=/; Domain=www.stalls.example",
      "_ga=; Max-Age=0; Path=/; Domain=stalls.example",
    ]);
  });

  test("does not ask again behind an answered question", async () => {
    const { location } = await choose({ choice: "decline" }, { Referer: `${env.SITE_URL}/?a=b&cookies=settings` });
    expect(location).toBe(`${env.SITE_URL}/?a=b`);
  });

  test.each(["https://evil.example/", "javascript:alert(1)", "not an address", ""])(
    "from %j it leads to our own page and nowhere else",
    async (referer) => {
      const { location } = await choose({ choice: "decline" }, { Referer: referer });
      expect(location).toBe(`${env.SITE_URL}/cookie-policy`);
    },
  );

  test("a page of ours whose path looks like another host is still a page of ours", async () => {
    const { location } = await choose({ choice: "decline" }, { Referer: `${env.SITE_URL}//evil.example/` });
    expect(location).toBe(`${env.SITE_URL}//evil.example/`);
  });

  test.each([{}, { choice: "maybe" }])("%j is no choice: 400, and nothing is saved", async (fields) => {
    const { status, cookies } = await choose(fields as Record<string, string>);
    expect({ status, cookies }).toEqual({ status: 400, cookies: [] });
  });

  test("from another site: 403; over 4 KB: 413; nothing is saved", async () => {
    const foreign = await choose({ choice: "accept" }, { Origin: "https://evil.example" });
    const large = await choose({ choice: "accept", pad: "x".repeat(5_000) });
    expect([foreign.status, large.status]).toEqual([403, 413]);
    expect([...foreign.cookies, ...large.cookies]).toEqual([]);
  });

  test("a GET that looks like it changes nothing", async () => {
    const { status, cookies } = await ask("/cookie-policy?choice=accept&analytics=on&marketing=on");
    expect({ status, cookies }).toEqual({ status: 200, cookies: [] });
  });
});
