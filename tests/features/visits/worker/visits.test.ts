import { createExecutionContext, env, waitOnExecutionContext } from "cloudflare:test";
import crawlers from "crawler-user-agents";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { referrals } from "#app/switches.ts";
import { brokenD1 } from "#tests/support/pool/d1.ts";
import { freshStorageForEachTest, needs, rows } from "#tests/support/pool/start.ts";
import { createApp } from "#worker/app.ts";

needs("visits");

const log = freshStorageForEachTest();

const DAY = "2026-11-21";
const NOON = Date.parse(`${DAY}T12:00:00Z`);
beforeEach(() => void vi.useFakeTimers({ now: NOON, toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

const CHROME =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";

/** What a browser sends when a typed address opens. */
const arrival = {
  "User-Agent": CHROME,
  "Sec-Fetch-Dest": "document",
  "Sec-Fetch-Mode": "navigate",
  "Sec-Fetch-Site": "none",
};

const app = createApp(async ({ req }) => new Response("a page", { status: req.url.includes("/no-such") ? 404 : 200 }));

/** Opens a page as a new isolate, whose first visit is stored at once. */
async function open(path: string, headers: Record<string, string> = {}, { method = "GET", vars = {} } = {}) {
  const execution = createExecutionContext();
  const request = new Request(`${env.SITE_URL}${path}`, { method, headers: { ...arrival, ...headers } });
  const response = await app.fetch(request, { ...env, ...vars }, execution);
  await waitOnExecutionContext(execution);
  return response;
}

const stored = async () =>
  Object.fromEntries(
    (await rows<{ day: string; counts: string }>("page_visits")).map(({ day, counts }) => [day, JSON.parse(counts)]),
  );

test("counts visits by page, utm_source, campaign, both together and referring site", async () => {
  await open("/");
  await open("/?utm_source=newsletter&utm_campaign=autumn_fair&utm_medium=email");
  await open("/privacy?utm_source=newsletter", {
    "Sec-Fetch-Site": "cross-site",
    Referer: "https://www.facebook.com/x?y",
  });
  expect(await stored()).toEqual({
    [DAY]: {
      page: { "/": 2, "/privacy": 1 },
      utm_source: { newsletter: 2 },
      utm_campaign: { autumn_fair: 1 },
      link: { newsletter: 1, "newsletter > autumn_fair": 1 },
      referrer_host: { "www.facebook.com": 1 },
    },
  });
});

test("counts visits through personal links together, without the codes", async ({ skip }) => {
  skip(!referrals, "The site has no personal links.");
  await open("/?via=k7m2p9xd");
  await open("/?utm_source=poster&via=abcdefgh");
  await open("/?via=");
  expect(await stored()).toEqual({
    [DAY]: { page: { "/": 3 }, utm_source: { poster: 1 }, link: { poster: 1 }, via: { link: 2 } },
  });
  expect(await rows("page_visits")).toHaveLength(1);
});

test.each([
  ["navigation within the site", "/", { "Sec-Fetch-Site": "same-origin" }, "GET"],
  ["the same with other letters", "/", { "Sec-Fetch-Site": "Same-Origin" }, "GET"],
  ["a prefetch", "/", { "Sec-Purpose": "prefetch" }, "GET"],
  ["a prerendering", "/", { "Sec-Purpose": "prefetch;prerender" }, "GET"],
  ["an older browser's prefetch", "/", { Purpose: "prefetch" }, "GET"],
  ["data for a client-side navigation", "/", { "Sec-Fetch-Dest": "empty", "Sec-Fetch-Mode": "cors" }, "GET"],
  ["a frame on another site", "/", { "Sec-Fetch-Dest": "iframe", "Sec-Fetch-Site": "cross-site" }, "GET"],
  ["a request without Fetch Metadata", "/", { "Sec-Fetch-Dest": "", "Sec-Fetch-Site": "" }, "GET"],
  ["a program without a user agent", "/", { "User-Agent": "" }, "GET"],
  ["HEAD", "/", {}, "HEAD"],
  ["a form post", "/", { Origin: "http://localhost:8787" }, "POST"],
  ["a page that does not exist", "/no-such-page", {}, "GET"],
  ["the owner's pages", "/owner", {}, "GET"],
  ["a page with a token in its address", "/your-data/token", {}, "GET"],
  ["the API", "/api/signup", {}, "GET"],
  ["the health check", "/healthcheck", {}, "GET"],
])("does not count %s", async (_, path, headers, method) => {
  await open(path, headers, { method });
  expect(await rows("page_visits")).toEqual([]);
});

test("does not count visits to another host, such as a preview", async () => {
  await open("/", {}, { vars: { SITE_URL: "https://stallwright.example" } });
  expect(await rows("page_visits")).toEqual([]);
});

// In-app and desktop browsers that the crawler list names as well, and a few testing tools.
const MISSED_BOTS = 0.01;

test("does not count the bots that the field's list of crawlers names", async () => {
  const agents = crawlers.flatMap(({ instances }) => instances).filter((agent) => /^[\x20-\x7e]+$/.test(agent));
  expect(agents.length).toBeGreaterThan(2_000);
  vi.useFakeTimers({ now: NOON, toFake: ["Date", "setTimeout"] });
  const shared = { ...env };
  const executions = [];
  for (const [agent, path] of [...agents.map((agent) => [agent, "/"] as const), [CHROME, "/privacy"] as const]) {
    const execution = createExecutionContext();
    executions.push(execution);
    const headers = { ...arrival, "User-Agent": agent };
    await app.fetch(new Request(`${env.SITE_URL}${path}`, { headers }), shared, execution);
  }
  await vi.advanceTimersByTimeAsync(20_000);
  await Promise.all(executions.map(waitOnExecutionContext));
  const { page } = (await stored())[DAY];
  expect(page["/privacy"]).toBe(1);
  expect(page["/"] ?? 0).toBeLessThan(agents.length * MISSED_BOTS);
});

const SAFARI = "AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1";
const ANDROID = "Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/AP2A; wv) AppleWebKit/537.36 (KHTML, like Gecko)";

test.each([
  `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${SAFARI} Safari/605.1.15`,
  `Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) ${SAFARI} Mobile/15E148 Safari/604.1`,
  "Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0",
  `${ANDROID} SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36`,
  `${CHROME} Edg/130.0.0.0`,
  `${ANDROID} Version/4.0 Chrome/130.0.0.0 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/480.0.0.0;]`,
])("counts the browser %s", async (agent) => {
  await open("/", { "User-Agent": agent });
  expect((await stored())[DAY]).toEqual({ page: { "/": 1 } });
});

test.each(["ada@example.com", "<script>alert(1)</script>", "(other)", "x".repeat(65), "\u202eevil"])(
  "does not store the name %j",
  async (name) => {
    await open(`/?utm_campaign=${encodeURIComponent(name)}`);
    expect((await stored())[DAY]).toEqual({ page: { "/": 1 }, utm_campaign: { "(other)": 1 } });
  },
);

test("days are in the owner's time zone", async () => {
  await open("/", {}, { vars: { OWNER_TIME_ZONE: "Pacific/Kiritimati" } });
  expect(Object.keys(await stored())).toEqual(["2026-11-22"]);
});

test("the page is served although counting fails, which is logged", async () => {
  expect((await open("/?utm_campaign=autumn", {}, { vars: { DB: brokenD1 } })).status).toBe(200);
  expect(log.map((line) => JSON.parse(line))).toMatchObject([
    { event: "settings-unread" },
    { event: "visits-not-counted", counts: 2 },
  ]);
  expect(log.join()).not.toContain("autumn");
});
