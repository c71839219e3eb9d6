import { env } from "cloudflare:test";
import { beforeEach, describe, expect, test } from "vitest";
import { freshDatabaseForEachTest } from "#tests/support/pool/database.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { OWNER, ownerBrowser } from "#tests/support/pool/owner.ts";

freshDatabaseForEachTest();
captureLog();

const SESSION = "__Host-owner";
const OTHER_SECRET = "another-secret-0123456789abcdef0123";

/** What everybody gets who is not the owner. */
let refusal: { status: number; body: string };

beforeEach(async () => {
  const { status, body } = await ownerBrowser().ask("/owner");
  refusal = { status, body };
});

/** A header that is the same on all answers but this one would tell them apart. */
function plain(answer: { status: number; body: string; headers: Headers }) {
  expect(answer.headers.getSetCookie()).toEqual([]);
  return { status: answer.status, body: answer.body };
}

describe("everyone else gets the same answer, to the byte", () => {
  const paths = [
    "/owner/entries",
    "/owner/entries/1",
    "/owner/export.csv",
    "/owner/no-such-page",
    "/owner/sign-in",
    "/owner?days=90",
  ];

  test.each([...paths, "/owner/sign-in/no-token", `/owner/sign-in/${"a".repeat(43)}`])(
    "no session: %s",
    async (path) => {
      expect(plain(await ownerBrowser().ask(path))).toEqual(refusal);
    },
  );

  test("no session, whatever is posted", async () => {
    const forms = [
      "/owner",
      "/owner/entries",
      "/owner/entries/1",
      "/owner/outbox/retry",
      "/owner/sign-out",
      "/owner/no-such-page",
    ];
    for (const path of forms)
      expect(plain(await ownerBrowser().post(path, { intent: "erase" })), path).toEqual(refusal);
    expect(plain(await ownerBrowser().post("/owner/entries", { search: "x".repeat(5_000) }))).toEqual(refusal);
    expect(plain(await ownerBrowser().ask("/owner/entries/1", { method: "DELETE" }))).toEqual(refusal);
  });

  test("an altered cookie, another's, and one that was signed with another secret", async () => {
    const browser = ownerBrowser();
    await browser.signIn();
    const value = browser.cookies.get(SESSION) ?? "";
    const flipped = value.slice(0, 5) + (value[5] === "A" ? "B" : "A") + value.slice(6);
    for (const bad of [flipped, value.slice(0, -4), value.split(".")[0] ?? "", "", "x", "%E0%A4%A", `${value}x`]) {
      browser.cookies.set(SESSION, bad);
      expect(plain(await browser.ask("/owner")), bad).toEqual(refusal);
    }
    for (const vars of [{ LINK_SECRET: OTHER_SECRET }, { OWNER_EMAIL: "next-owner@stallwright.example" }]) {
      const other = ownerBrowser(vars);
      other.cookies.set(SESSION, value);
      expect(plain(await other.ask("/owner"))).toEqual(refusal);
    }
  });

  test("a session that is over", async () => {
    const browser = ownerBrowser();
    await browser.signIn();
    for (const { name } of (await env.CACHE.list({ prefix: "owner-session:" })).keys) {
      await env.CACHE.put(name, JSON.stringify({ until: Date.now() - 1 }));
    }
    expect(plain(await browser.ask("/owner"))).toEqual(refusal);
  });

  test("an expired and a used link, opened or used", async () => {
    const browser = ownerBrowser();
    await browser.signIn();
    browser.cookies.clear();
    expect(plain(await browser.ask(browser.link()))).toEqual(refusal);
    expect(plain(await browser.post(browser.link()))).toEqual(refusal);
    await env.DB.prepare("UPDATE owner_sign_ins SET used_at = NULL, expires_at = ?").bind(Date.now()).run();
    expect(plain(await browser.ask(browser.link()))).toEqual(refusal);
    expect(plain(await browser.post(browser.link()))).toEqual(refusal);
  });

  test("a form on another site, even with the owner's cookie or a good link", async () => {
    const browser = ownerBrowser();
    await browser.post("/owner/sign-in", { email: OWNER });
    const foreign = { Origin: "https://evil.example" };
    expect(plain(await browser.post(browser.link(), {}, foreign))).toEqual(refusal);
    await browser.post(browser.link());
    for (const path of ["/owner/sign-out", "/owner/entries/1", "/owner/outbox/retry", "/owner/sign-in"]) {
      expect(plain(await browser.post(path, {}, foreign)), path).toEqual(refusal);
      expect(plain(await browser.post(path, {}, { Origin: "null" })), path).toEqual(refusal);
    }
    expect((await browser.ask("/owner")).status).toBe(200);
  });
});

test("neither signature passes for the other: a mail's token is no session", async () => {
  const { signToken } = await import("#app/waitlist/my-data/token.server.ts");
  const browser = ownerBrowser();
  browser.cookies.set(SESSION, await signToken(1, env.LINK_SECRET));
  expect(plain(await browser.ask("/owner"))).toEqual(refusal);
});

test("where no owner is configured, the owner's addresses are like any other that is not there", async () => {
  const closed = ownerBrowser({ OWNER_EMAIL: "" });
  const withoutNonce = ({ status, body }: { status: number; body: string }) => ({
    status,
    body: body.replace(/nonce="[^"]*"/g, ""),
  });
  const unknown = withoutNonce(await closed.ask("/no-such-page"));
  expect(unknown.status).toBe(404);
  for (const path of ["/owner", "/owner/entries", "/owner/sign-in/x", "/owner/export.csv"]) {
    const answer = await closed.ask(path);
    expect(withoutNonce(answer).status, path).toBe(404);
    expect(answer.body).toContain("This pitch is empty");
    expect(answer.headers.get("Referrer-Policy")).toBe("strict-origin-when-cross-origin");
  }
});

test("no answer is kept by a cache or an index, and no list of pages names them", async () => {
  const browser = ownerBrowser();
  const answers = [await browser.ask("/owner"), await browser.signIn()];
  for (const path of ["/owner", "/owner/entries", "/owner/entries/1", "/owner/export.csv", "/owner/x"])
    answers.push(await browser.ask(path));
  for (const { headers } of answers) {
    expect(headers.get("Cache-Control")).toBe("no-store");
    expect(headers.get("X-Robots-Tag")).toBe("noindex");
    expect(headers.get("Referrer-Policy")).toBe("same-origin");
  }
  for (const path of ["/sitemap.xml", "/robots.txt", "/llms.txt", "/"]) {
    expect((await browser.ask(path)).body.toLowerCase(), path).not.toMatch(
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
  const pages = [await browser.ask("/owner")];
  await browser.signIn();
  pages.push(await browser.ask("/owner"), await browser.ask("/owner/entries"));
  for (const { body, headers } of pages) {
    expect(body).not.toMatch(/<script|style=|cookiePreferences|googletagmanager/);
    expect(headers.get("Content-Security-Policy")).not.toContain("script-src");
    expect(headers.get("Content-Security-Policy")).toContain("default-src 'none'");
  }
});
