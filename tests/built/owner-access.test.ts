import { env } from "cloudflare:test";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { freshStorageForEachTest } from "#tests/support/pool/database.ts";
import { dataToken, unsubscribeToken } from "#tests/support/pool/email-links.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { OWNER, ownerBrowser } from "#tests/support/pool/owner.ts";

freshStorageForEachTest();
const log = captureLog();

const SESSION = "owner";
const OTHER_SECRET = "another-secret-0123456789abcdef0123";

/** The response to every unauthorised request. */
let refusal: { status: number; body: string };

beforeEach(async () => {
  const { status, body } = await ownerBrowser().request("/owner");
  refusal = { status, body };
});

/** Status and body, for comparison; a cookie would distinguish a response from the others. */
function plain(response: { status: number; body: string; headers: Headers }) {
  expect(response.headers.getSetCookie()).toEqual([]);
  return { status: response.status, body: response.body };
}

describe("unauthorised requests get identical responses", () => {
  const paths = [
    "/owner/entries",
    "/owner/entries/1",
    "/owner/entries/erase?source=a",
    "/owner/entries/select?source=a",
    "/owner/entries/unsubscribe?source=a",
    "/owner/entries/views",
    "/owner/bulk/1",
    "/owner/embed",
    "/owner/export.csv",
    "/owner/fair",
    "/owner/fair/1",
    "/owner/log",
    "/owner/api-keys",
    "/owner/referrals",
    "/owner/referrals/1",
    "/owner/series",
    "/owner/series/1/preview",
    "/owner/no-such-page",
    "/owner/sign-in",
    "/owner/stats",
    "/owner?days=90",
  ];

  const forged = `/owner/sign-in/${crypto.randomUUID()}.${"A".repeat(43)}`;

  test.each([...paths, "/owner/sign-in/no-token", forged])("no session: %s", async (path) => {
    expect(plain(await ownerBrowser().request(path))).toEqual(refusal);
  });

  test("each leaves a line in the log with its reason, and no token", async () => {
    // In an hour, because only the first lines of a minute are logged.
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_600_000 });
    onTestFinished(() => void vi.useRealTimers());
    log.length = 0;
    await ownerBrowser().request(forged);
    await ownerBrowser().request("/owner/entries");
    await ownerBrowser().post("/owner/entries", {}, { Origin: "https://evil.example" });
    await ownerBrowser().post("/owner/sign-in", { email: "eve@example.com" });
    const lines = log.map((line) => JSON.parse(line)).filter(({ event }) => event === "owner-access-refused");
    expect(lines.map(({ reason }) => reason)).toEqual(["link", "session", "origin", "address"]);
    expect(log.join()).not.toMatch(/eve@|A{43}/);
  });

  test("no session, any POST", async () => {
    const forms = [
      "/owner",
      "/owner/entries",
      "/owner/entries/1",
      "/owner/entries/unsubscribe?source=a",
      "/owner/entries/views?source=a",
      "/owner/entries/views/1",
      "/owner/bulk/1",
      "/owner/embed",
      "/owner/embed/remove",
      "/owner/fair",
      "/owner/fair/1",
      "/owner/outbox/retry",
      "/owner/api-keys",
      "/owner/api-keys/1",
      "/owner/referrals/1",
      "/owner/referrals/1/reward",
      "/owner/referrals/referrers.csv",
      "/owner/referrals/milestones.csv",
      "/owner/series",
      "/owner/series/1",
      "/owner/series/hour",
      "/owner/stats",
      "/owner/sign-in/no-token",
      "/owner/sign-out",
      "/owner/sign-out-everywhere",
      "/owner/no-such-page",
    ];
    for (const path of forms)
      expect(plain(await ownerBrowser().post(path, { intent: "erase" })), path).toEqual(refusal);
    expect(plain(await ownerBrowser().post("/owner/entries", { search: "x".repeat(5_000) }))).toEqual(refusal);
    expect(plain(await ownerBrowser().request("/owner/entries/1", { method: "DELETE" }))).toEqual(refusal);
  });

  test("a cookie that was altered, belongs to another owner, or was signed with another secret", async () => {
    const browser = ownerBrowser();
    await browser.signIn();
    const value = browser.cookies.get(SESSION) ?? "";
    const flipped = value.slice(0, 5) + (value[5] === "A" ? "B" : "A") + value.slice(6);
    for (const bad of [flipped, value.slice(0, -4), value.split(".")[0] ?? "", "", "x", "%E0%A4%A", `${value}x`]) {
      browser.cookies.set(SESSION, bad);
      expect(plain(await browser.request("/owner")), bad).toEqual(refusal);
    }
    for (const vars of [{ LINK_SECRET: OTHER_SECRET }, { OWNER_EMAIL: "next-owner@waitlist-site.example" }]) {
      const other = ownerBrowser(vars);
      other.cookies.set(SESSION, value);
      expect(plain(await other.request("/owner"))).toEqual(refusal);
    }
  });

  test("an expired session", async () => {
    const browser = ownerBrowser();
    await browser.signIn();
    await env.DB.prepare("UPDATE owner_sessions SET expires_at = ?").bind(Date.now()).run();
    expect(plain(await browser.request("/owner"))).toEqual(refusal);
  });

  test("an expired or used link", async () => {
    const browser = ownerBrowser();
    await browser.signIn();
    browser.cookies.clear();
    expect(plain(await browser.request(browser.signInLink()))).toEqual(refusal);
    expect(plain(await browser.post(browser.signInLink()))).toEqual(refusal);
    await env.DB.prepare("UPDATE owner_sign_in_tokens SET used_at = NULL, expires_at = ?").bind(Date.now()).run();
    expect(plain(await browser.request(browser.signInLink()))).toEqual(refusal);
    expect(plain(await browser.post(browser.signInLink()))).toEqual(refusal);
  });

  test("a cross-site form, even with the owner's cookie or a valid link", async () => {
    const browser = ownerBrowser();
    await browser.post("/owner/sign-in", { email: OWNER });
    const foreign = { Origin: "https://evil.example" };
    expect(plain(await browser.post(browser.signInLink(), {}, foreign))).toEqual(refusal);
    await browser.post(browser.signInLink());
    for (const path of [
      "/owner/sign-out",
      "/owner/sign-out-everywhere",
      "/owner/entries/1",
      "/owner/outbox/retry",
      "/owner/stats",
      "/owner/sign-in",
    ]) {
      expect(plain(await browser.post(path, {}, foreign)), path).toEqual(refusal);
      expect(plain(await browser.post(path, {}, { Origin: "null" })), path).toEqual(refusal);
      const withoutOrigin = { method: "POST", headers: { "Sec-Fetch-Site": "cross-site" } };
      expect(plain(await browser.request(path, withoutOrigin)), path).toEqual(refusal);
    }
    expect((await browser.request("/owner")).status).toBe(200);
  });
});

test("tokens of entries and of sign-in links are not interchangeable, and none is a session", async () => {
  const browser = ownerBrowser();
  await browser.post("/owner/sign-in", { email: OWNER });
  const signInToken = browser.signInLink().split("/").at(-1) ?? "";
  for (const token of [await dataToken(1), await unsubscribeToken(1), signInToken]) {
    browser.cookies.set(SESSION, token);
    expect(plain(await browser.request("/owner"))).toEqual(refusal);
    browser.cookies.clear();
    if (token === signInToken) continue;
    expect(plain(await browser.request(`/owner/sign-in/${token}`))).toEqual(refusal);
    expect(plain(await browser.post(`/owner/sign-in/${token}`))).toEqual(refusal);
  }
  for (const folder of ["your-data", "unsubscribe"]) {
    expect((await browser.request(`/${folder}/${signInToken}`)).status).toBe(404);
    expect((await browser.post(`/${folder}/${signInToken}`, { intent: "erase" })).status).toBe(404);
  }
});

test("without an owner, the owner's URLs respond like any unknown URL", async () => {
  const withoutOwner = ownerBrowser({ OWNER_EMAIL: "" });
  const withoutNonce = ({ status, body }: { status: number; body: string }) => ({
    status,
    body: body.replace(/nonce="[^"]*"/g, ""),
  });
  const unknown = withoutNonce(await withoutOwner.request("/no-such-page"));
  expect(unknown.status).toBe(404);
  for (const path of ["/owner", "/owner/entries", "/owner/sign-in/x", "/owner/export.csv"]) {
    const response = await withoutOwner.request(path);
    expect(withoutNonce(response).status, path).toBe(404);
    expect(response.body).toContain("This pitch is empty");
    expect(response.headers.get("Referrer-Policy")).toBe("strict-origin-when-cross-origin");
  }
});

test("responses are not cached or indexed, and no page or sitemap links to them", async () => {
  const browser = ownerBrowser();
  const responses = [await browser.request("/owner"), await browser.signIn()];
  for (const path of ["/owner", "/owner/entries", "/owner/entries/1", "/owner/export.csv", "/owner/x"])
    responses.push(await browser.request(path));
  for (const { headers } of responses) {
    expect(headers.get("Cache-Control")).toBe("no-store");
    expect(headers.get("X-Robots-Tag")).toBe("noindex");
    expect(headers.get("Referrer-Policy")).toBe("same-origin");
  }
  for (const path of ["/sitemap.xml", "/robots.txt", "/llms.txt", "/"]) {
    expect((await browser.request(path)).body.toLowerCase(), path).not.toMatch(
      /(href|action|src)="[^"]*owner|https?:\S+\/owner|llow: \/owner/,
    );
  }
});

test("no page runs a script", async () => {
  const browser = ownerBrowser({
    GA_MEASUREMENT_ID: "G-TEST12345",
    TURNSTILE_SITE_KEY: "1x0",
    TURNSTILE_SECRET: "1x1",
  });
  const pages = [await browser.request("/owner")];
  await browser.signIn();
  pages.push(await browser.request("/owner"), await browser.request("/owner/entries"));
  for (const { body, headers } of pages) {
    expect(body).not.toMatch(/<script|style=|cookiePreferences|googletagmanager/);
    expect(headers.get("Content-Security-Policy")).not.toContain("script-src");
    expect(headers.get("Content-Security-Policy")).toContain("default-src 'none'");
  }
});
