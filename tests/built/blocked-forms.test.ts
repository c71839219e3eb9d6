import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { send as sendTo, visibleText } from "#tests/support/pool/built.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/start.ts";

const log = freshStorageForEachTest();

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
const foreign = { headers: { Origin: "https://evil.example" } };
const tooLarge = { body: `email=ada@example.com&pad=${"x".repeat(5_000)}` };
const wrongMethod = { method: "PUT" };

/** Posts a browser's form with the given faults. */
async function send(
  path: string,
  wrong: { method?: string; body?: string | ReadableStream; headers?: Record<string, string> },
) {
  const { method = "POST", body = "email=ada@example.com", headers = {} } = wrong;
  const own = { "Content-Type": "application/x-www-form-urlencoded", Accept: BROWSER, Origin: env.SITE_URL };
  const response = await sendTo(env.SITE_URL + path, { method, body, headers: { ...own, ...headers } });
  return { ...response, html: response.body, text: visibleText(response.body) };
}

const paths = ["/", "/cookie-policy", "/no-such-page", "/your-data/1.x", "/your-data/1.x/export", "/confirm/1.x"];

describe.each(paths)("a browser's form rejected at %s", (path) => {
  test.each([
    ["a foreign origin", foreign, 403, "was sent from another site"],
    ["a hidden origin", { headers: { Origin: "null" } }, 403, "hides where it came from"],
    ["a large body", tooLarge, 413, "was too long to accept"],
    ["a method that forms cannot use", wrongMethod, 405, "We couldn’t read what this form sent"],
  ])("%s: an error page with the status, the reason and a link back", async (_what, wrong, status, reason) => {
    const response = await send(path, wrong);
    expect(response.status).toBe(status);
    expect(response.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
    expect(response.headers.get("Allow")).toBe(status === 405 ? "GET, HEAD, POST" : null);
    expect(response.text).toContain(reason);
    expect(response.html).toMatch(new RegExp(`<a[^>]*href="${path}"[^>]*>Open the page again</a>`));
    // The page frame is complete: the footer needs the configuration, the banner the visitor's choice.
    expect(response.html).toContain(`mailto:${env.CONTACT_EMAIL}`);
    expect(response.html).toContain('value="decline"');
    expect(response.html).toContain('<meta name="robots" content="noindex"');
    expect(response.html.match(/<link rel="stylesheet"/g)).toHaveLength(1);
    expect(await rows("waitlist_emails")).toEqual([]);
    expect(log.filter((line) => line.includes("failed"))).toEqual([]);
  });
});

test.each(["//evil.example/x", "/\\evil.example", "///evil.example", "/\\/evil.example//x"])(
  "the link back from %s stays on the site",
  async (path) => {
    for (const wrong of [foreign, tooLarge, ...["PUT", "DELETE", "PATCH"].map((method) => ({ method }))]) {
      const { html } = await send(path, wrong);
      const [, href = "none"] = /<a[^>]*href="([^"]*)"[^>]*>Open the page again<\/a>/.exec(html) ?? [];
      expect(href).toMatch(/^\/evil\.example/);
      expect(new URL(href, env.SITE_URL).origin).toBe(env.SITE_URL);
    }
  },
);

test("a large body without a Content-Length is rejected with the same page", async () => {
  const { readable, writable } = new FixedLengthStream(5_000);
  const writer = writable.getWriter();
  void writer.write(new Uint8Array(5_000).fill(0x61)).then(() => writer.close());
  const { status, text } = await send("/", { body: readable });
  expect(status).toBe(413);
  expect(text).toContain("was too long to accept");
});

test("the error page respects the visitor's cookie choice", async () => {
  const preference = encodeURIComponent(JSON.stringify({ necessary: true, analytics: false, marketing: false }));
  const { status, html } = await send("/", {
    headers: { ...foreign.headers, Cookie: `cookiePreferences=${preference}` },
  });
  expect(status).toBe(403);
  expect(html).not.toContain('value="decline"');
});

test("clients other than browsers get one line of text", async () => {
  for (const [wrong, status] of [
    [foreign, 403],
    [tooLarge, 413],
    [wrongMethod, 405],
  ] as const) {
    const headers = { ...("headers" in wrong ? wrong.headers : {}), Accept: "*/*" };
    const response = await send("/", { ...wrong, headers });
    expect(response.status).toBe(status);
    expect(response.headers.get("Content-Type")).toContain("text/plain");
    expect(response.html.split("\n")).toHaveLength(2);
  }
});
