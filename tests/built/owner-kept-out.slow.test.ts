import { env } from "cloudflare:test";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createSignInLink } from "#app/owner/sign-in/sign-in-tokens.server.ts";
import { visibleText } from "#tests/support/pool/built.ts";
import { locationLimits } from "#tests/support/pool/location-limits.ts";
import { OWNER, ownerBrowser } from "#tests/support/pool/owner.ts";
import { db, freshStorageForEachTest, join, rows } from "#tests/support/pool/start.ts";

/* How many sign-in links are emailed, and what a stranger who knows an owner's address can do to use them up. */

freshStorageForEachTest();
afterEach(() => void vi.useRealTimers());
beforeEach(() => void vi.useFakeTimers({ now: Date.parse("2026-11-21T12:00:00Z"), toFake: ["Date"] }));

const MINUTE = 60_000;
const pass = (minutes: number) => vi.setSystemTime(Date.now() + minutes * MINUTE);

/** Browsers behind one of Cloudflare's locations. */
function location() {
  const limits = locationLimits(Date.now);
  return (vars: object = {}, siteUrl?: string) => {
    const browser = ownerBrowser({ ...limits, ...vars }, siteUrl);
    return {
      ...browser,
      /** Asks for a link. @returns whether one was emailed */
      async ask(client: string, email = OWNER) {
        const before = browser.emails.length;
        await browser.post("/owner/sign-in", { email }, { "CF-Connecting-IP": client });
        return browser.emails.length > before;
      },
    };
  };
}

type Browser = ReturnType<ReturnType<typeof location>>;

/** A stranger asks for so many links at once, from so many clients. */
async function flood(stranger: Browser, requests = 15) {
  let emails = 0;
  for (let n = 0; n < requests; n += 1) if (await stranger.ask(`198.18.${n}.7`)) emails += 1;
  return emails;
}

test("one email is sent in five minutes, even for concurrent requests", async () => {
  const browser = ownerBrowser();
  const links = () => browser.emails.map(({ text = "" }) => /\/owner\/sign-in\/[\w.-]+/.exec(text)?.[0] ?? "no link");
  await Promise.all(Array.from({ length: 8 }, () => browser.post("/owner/sign-in", { email: OWNER })));
  expect(links()).toHaveLength(1);
  pass(4.9);
  await browser.post("/owner/sign-in", { email: OWNER });
  expect(links()).toHaveLength(1);
  pass(0.1);
  await browser.post("/owner/sign-in", { email: OWNER });
  expect(new Set(links()).size).toBe(2);
  // The outbox has the latest email only. Either link works, and using one makes the other void.
  expect(await rows("email_outbox")).toHaveLength(1);
  for (const link of links()) expect((await browser.request(link)).status).toBe(200);
  const used = await Promise.all(links().map((link) => browser.post(link)));
  expect(used.map(({ status }) => status).toSorted()).toEqual([303, 403]);
});

test("ten links that no one used are emailed in 24 hours, then one an hour, always with the same response", async () => {
  const browser = ownerBrowser({ ADDRESS_LIMIT: { limit: async () => ({ success: true }) } });
  const responses = new Set<string>();
  const ask = async (times: number) => {
    for (let n = 0; n < times; n += 1) {
      const { status, body } = await browser.post("/owner/sign-in", { email: OWNER });
      responses.add(`${status} ${body}`);
      pass(6);
    }
    return browser.emails.length;
  };
  const create = () => createSignInLink(db, { siteUrl: env.SITE_URL, email: OWNER }, Date.now());
  // Links from the command line do not count.
  for (let n = 0; n < 10; n += 1) await create();
  expect(await ask(13)).toBe(10);
  pass(24 * 60 - 13 * 6 - 1);
  expect(await ask(2)).toBe(11);
  // A sign-in begins the count again.
  const link = (await create()).slice(env.SITE_URL.length);
  expect((await browser.post(link)).status).toBe(303);
  browser.cookies.clear();
  expect(await ask(12)).toBe(21);
  expect(responses).toEqual(
    new Set([`200 ${(await browser.post("/owner/sign-in", { email: "eve@a.example" })).body}`]),
  );
});

test("requests for links are limited for each client, with the same response", async () => {
  const browser = location()();
  const attempt = () =>
    browser.post("/owner/sign-in", { email: "ada@example.com" }, { "CF-Connecting-IP": "192.0.2.1" });
  const responses = await Promise.all(Array.from({ length: 12 }, attempt));
  expect(new Set(responses.map(({ status, body }) => `${status} ${body}`)).size).toBe(1);
  expect(await rows("blocked_attempts")).toMatchObject([{ reason: "rate-limited" }]);
});

test("a browser that has signed in before gets its links while a stranger asks for others, in every minute", async () => {
  const browserOf = location();
  const [owner, stranger] = [browserOf(), browserOf()];
  await owner.signIn();
  await owner.post("/owner/sign-out");
  for (let run = 0; run < 14; run += 1) {
    pass(6);
    await flood(stranger);
  }
  expect(stranger.emails).toHaveLength(10);
  // Even behind the stranger's own address.
  for (let n = 0; n < 40; n += 1) await stranger.ask("198.18.0.7");
  expect(await owner.ask("198.18.0.7")).toBe(true);
  expect((await owner.post(owner.signInLink())).status).toBe(303);
});

test("what a known browser asks for is limited, too", async () => {
  const owner = location()();
  await owner.signIn();
  let emails = 0;
  for (let run = 0; run < 20; run += 1) {
    pass(6);
    if (await owner.ask("203.0.113.7")) emails += 1;
    expect(await owner.ask("203.0.113.7")).toBe(false);
  }
  // Ten at once, then one an hour.
  expect(emails).toBe(11);
});

test("the cookie is long-lived, not readable by scripts or sent by other sites, and names no one", async () => {
  const siteUrl = "https://stallwright.example";
  const owner = location()({ SITE_URL: siteUrl }, siteUrl);
  const { headers } = await owner.signIn();
  const cookie = headers.getSetCookie().find((line) => line.startsWith("__Host-owner-browser=")) ?? "";
  for (const part of ["Path=/", "HttpOnly", "Secure", "SameSite=Strict", "Max-Age=31536000"])
    expect(cookie).toContain(part);
  expect(cookie).toMatch(/^[\w-]+=[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.[\w-]{43};/);
});

test("the cookie of one owner is no other's, and neither an altered nor an older secret's counts", async () => {
  const browserOf = location();
  const OTHER = "other@waitlist-site.example";
  const OWNER_EMAIL = `${OWNER}, ${OTHER}`;
  const owner = browserOf({ OWNER_EMAIL });
  await owner.signIn();
  const known = owner.cookies.get("owner-browser") ?? "no cookie";
  const stranger = browserOf({ OWNER_EMAIL });
  for (const [email, cookie] of [
    [OTHER, known],
    [OWNER, `${known.startsWith("a") ? "b" : "a"}${known.slice(1)}`],
  ] as const) {
    pass(6);
    expect(await stranger.ask("198.18.0.7", email)).toBe(true);
    const forged = browserOf({ OWNER_EMAIL });
    forged.cookies.set("owner-browser", cookie);
    // Of the five minutes in which all unknown browsers get one link.
    expect(await forged.ask("203.0.113.7", email)).toBe(false);
  }
  const rotated = browserOf({ OWNER_EMAIL, LINK_SECRET: "another-secret-0123456789abcdef0123" });
  rotated.cookies.set("owner-browser", known);
  expect(await rotated.ask("203.0.113.7")).toBe(false);
  expect(await owner.ask("203.0.113.7")).toBe(true);
});

test("one link an hour stays in reserve for other networks, however often a stranger asks", async () => {
  const browserOf = location();
  const [stranger, owner] = [browserOf(), browserOf()];
  // From each address of one network.
  for (let n = 0; n < 12 * 4; n += 1) {
    await stranger.ask(`198.18.0.${n}`);
    pass(5);
  }
  expect(stranger.emails).toHaveLength(10);
  expect(await owner.ask("203.0.113.7")).toBe(true);
  expect((await owner.post(owner.signInLink())).status).toBe(303);
});

test("a stranger with many networks gets one link an hour from the reserve", async () => {
  const browserOf = location();
  const stranger = browserOf();
  for (let run = 0; run < 12 * 6; run += 1) {
    await stranger.ask(`198.18.${run}.7`);
    pass(5);
  }
  // Ten in the first hour, then one in each.
  expect(stranger.emails).toHaveLength(10 + 5);
});

test("the overview says how many requests were refused in the last day, and the chart when", async () => {
  const browserOf = location();
  const [owner, stranger] = [browserOf(), browserOf()];
  await join("ada@example.com");
  expect(await flood(stranger, 8)).toBe(1);
  pass(6);
  await owner.signIn();
  await vi.waitFor(async () => {
    await owner.post("/owner/stats");
    const text = visibleText((await owner.request("/owner")).body);
    expect(text).toContain("7 requests for a sign-in link were refused since yesterday (UTC)");
    expect(text).toContain("Too many sign-in links");
  });
  pass(2 * 24 * 60);
  await owner.ask("203.0.113.7");
  await owner.post(owner.signInLink());
  await owner.post("/owner/stats");
  const text = visibleText((await owner.request("/owner")).body);
  expect(text).not.toContain("were refused since yesterday");
  expect(text).toContain("Too many sign-in links");
});
