import { env } from "cloudflare:test";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { dataToken, unsubscribeToken } from "#tests/support/pool/built.ts";
import { OWNER, ownerBrowser } from "#tests/support/pool/owner.ts";
import { freshStorageForEachTest, join } from "#tests/support/pool/start.ts";

/* Who is kept out of the owner's pages, on every route. */

const log = freshStorageForEachTest();

/** Every route, with its methods. A fork may have fewer, because it removed a feature. */
const table: Record<string, string> = {
  "/owner": "GET",
  "/owner/api-keys": "GET POST",
  "/owner/api-keys/:id": "POST",
  "/owner/bulk/:id": "GET POST",
  "/owner/emails": "GET",
  "/owner/emails/confirm": "GET POST",
  "/owner/emails/confirm-reminder": "GET POST",
  "/owner/emails/welcome": "GET POST",
  "/owner/embed": "GET POST",
  "/owner/embed/remove": "POST",
  "/owner/entries": "GET POST",
  "/owner/entries/:id": "GET POST",
  "/owner/entries/erase": "GET POST",
  "/owner/entries/new": "GET POST",
  "/owner/entries/select": "GET",
  "/owner/entries/unsubscribe": "GET POST",
  "/owner/entries/views": "GET POST",
  "/owner/entries/views/:id": "POST",
  "/owner/export": "GET",
  "/owner/export.csv": "GET POST",
  "/owner/fair": "GET POST",
  "/owner/fair/:id": "GET POST",
  "/owner/import": "GET POST",
  "/owner/import/:id": "GET POST",
  "/owner/import/:id/problems.csv": "GET POST",
  "/owner/letters": "GET POST",
  "/owner/letters/:id": "GET POST",
  "/owner/letters/:id/audience": "GET POST",
  "/owner/letters/:id/email": "GET",
  "/owner/letters/:id/preview": "GET",
  "/owner/letters/:id/recipients.csv": "POST",
  "/owner/letters/:id/send": "GET POST",
  "/owner/letters/for": "POST",
  "/owner/letters/invite": "POST",
  "/owner/letters/new": "GET",
  "/owner/links": "GET POST",
  "/owner/links/print": "GET",
  "/owner/links/qr.svg": "GET",
  "/owner/log": "GET",
  "/owner/outbox/release": "POST",
  "/owner/outbox/retry": "POST",
  "/owner/outbox/try": "POST",
  "/owner/referrals": "GET",
  "/owner/referrals/:id": "GET POST",
  "/owner/referrals/:id/reward": "POST",
  "/owner/referrals/milestones.csv": "POST",
  "/owner/referrals/referrers.csv": "POST",
  "/owner/series": "GET POST",
  "/owner/series/:id": "GET POST",
  "/owner/series/:id/email": "GET",
  "/owner/series/:id/preview": "GET POST",
  "/owner/series/hour": "POST",
  "/owner/series/new": "GET",
  "/owner/sign-in": "POST",
  "/owner/sign-in/:token": "GET POST",
  "/owner/sign-out": "POST",
  "/owner/sign-out-everywhere": "POST",
  "/owner/stats": "POST",
  "/owner/webhooks": "GET POST",
  "/owner/webhooks/:id": "GET POST",
};

/** The routes that the site has, read from its source. */
const sections = Object.values(
  import.meta.glob<string>("../../app/owner/**/section.server.ts", { query: "?raw", import: "default", eager: true }),
).join("\n");

const TOKEN = `${crypto.randomUUID()}.${"A".repeat(43)}`;
const routes = Object.entries(table).map(([path, methods]) => ({
  path: path.replace(":id", "1").replace(":token", TOKEN),
  methods: methods.split(" "),
}));
const paths = (method: string) => routes.flatMap(({ path, methods }) => (methods.includes(method) ? [path] : []));

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

/** All that the database holds. */
async function database(): Promise<string> {
  const tables = await env.DB.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all<{ name: string }>();
  const own = tables.results.filter(({ name }) => !/^(_cf|sqlite_|d1_)/.test(name));
  return JSON.stringify(await Promise.all(own.map(({ name }) => env.DB.prepare(`SELECT * FROM ${name}`).raw())));
}

/** A signed-in owner of a list with one of everything. */
async function ownerOfEverything() {
  const browser = ownerBrowser();
  await browser.signIn();
  await join("ada@example.com");
  for (const [path, fields] of [
    ["/letters", { subject: "News", "preview-line": "", body: "Hello" }],
    ["/series", { days: "3", audience: "", subject: "News", body: "Hello" }],
    ["/webhooks", { url: "https://hooks.example/", events: "entry.joined", personal: "no" }],
    ["/fair", { event: "Fair", days: "1" }],
    ["/entries/views?source=landing_page", { name: "Main" }],
    ["/stats?days=30", {}],
  ] as const)
    await browser.post(`/owner${path}`, fields);
  return browser;
}

test("every route has a row", () => {
  const served = Array.from(sections.matchAll(/method: "(\w+)"(?: as const)?, path: ["`]([^"`]+)["`]/g));
  expect(served).toHaveLength(sections.match(/handler: /g)?.length ?? 0);
  const missing = served.filter(([, method = "", path]) => {
    const places =
      path === "/"
        ? ["/owner"]
        : ["welcome", "confirm", "confirm-reminder"].map((kind) => `/owner${path?.replace(/\$\{kind\}/, kind)}`);
    return !places.every((place) => table[place]?.split(" ").includes(method.toUpperCase()));
  });
  expect(missing.map(([route]) => route)).toEqual([]);
});

describe("unauthorised requests get identical responses", () => {
  test("without a session", async () => {
    await join("ada@example.com");
    const before = await database();
    for (const path of [...paths("GET"), "/owner/sign-in", "/owner/no-such-page", "/owner?days=90"]) {
      expect(plain(await ownerBrowser().request(path)), path).toEqual(refusal);
      expect((await ownerBrowser().request(path, { method: "HEAD" })).status, path).toBe(403);
    }
    for (const path of [...paths("POST"), "/owner", "/owner/no-such-page"]) {
      if (path === "/owner/sign-in") continue;
      // The longer ones are refused with a sentence, but to owners only.
      for (const length of [10, 5_000, 600_000]) {
        const form = { intent: "erase", body: "x".repeat(length) };
        expect(plain(await ownerBrowser().post(path, form)), path).toEqual(refusal);
      }
      const init = { method: "DELETE", headers: { Origin: env.SITE_URL } };
      expect(plain(await ownerBrowser().request(path, init)), path).toEqual(refusal);
    }
    expect(await database()).toBe(before);
  });

  test("for forms of other sites, even with the owner's cookie or a valid link", async () => {
    const browser = await ownerOfEverything();
    await env.DB.exec("UPDATE owner_sign_in_tokens SET created_at = 0");
    await browser.post("/owner/sign-in", { email: OWNER });
    const before = await database();
    const cookies = new Map(browser.cookies);
    for (const path of [...paths("POST"), browser.signInLink()]) {
      for (const headers of [{ Origin: "https://evil.example" }, { Origin: "null" }])
        expect(plain(await browser.post(path, { intent: "delete" }, headers)), path).toEqual(refusal);
      const withoutOrigin = { method: "POST", headers: { "Sec-Fetch-Site": "cross-site" } };
      expect(plain(await browser.request(path, withoutOrigin)), path).toEqual(refusal);
    }
    expect(await database()).toBe(before);
    expect(browser.cookies).toEqual(cookies);
  });

  test("with a cookie that was altered, has expired, or belongs to another owner or another secret", async () => {
    const browser = ownerBrowser();
    await browser.signIn();
    const value = browser.cookies.get("owner") ?? "";
    const flipped = value.slice(0, 5) + (value[5] === "A" ? "B" : "A") + value.slice(6);
    for (const bad of [flipped, value.slice(0, -4), value.split(".")[0] ?? "", "", "x", "%E0%A4%A", `${value}x`]) {
      browser.cookies.set("owner", bad);
      expect(plain(await browser.request("/owner")), bad).toEqual(refusal);
    }
    for (const vars of [
      { LINK_SECRET: "another-secret-0123456789abcdef0123" },
      { OWNER_EMAIL: "next-owner@waitlist-site.example" },
    ]) {
      const other = ownerBrowser(vars);
      other.cookies.set("owner", value);
      expect(plain(await other.request("/owner"))).toEqual(refusal);
    }
    browser.cookies.set("owner", value);
    expect((await browser.request("/owner")).status).toBe(200);
    await env.DB.prepare("UPDATE owner_sessions SET expires_at = ?").bind(Date.now()).run();
    expect(plain(await browser.request("/owner"))).toEqual(refusal);
  });

  test("with a link that has been used or has expired", async () => {
    const browser = ownerBrowser();
    await browser.signIn();
    browser.cookies.clear();
    const expectRefused = async () => {
      expect(plain(await browser.request(browser.signInLink()))).toEqual(refusal);
      expect(plain(await browser.post(browser.signInLink()))).toEqual(refusal);
    };
    await expectRefused();
    await env.DB.prepare("UPDATE owner_sign_in_tokens SET used_at = NULL, expires_at = ?").bind(Date.now()).run();
    await expectRefused();
  });

  test("with the token of an entry, or with a sign-in link's as a session; and no entry is open to the latter", async () => {
    const browser = ownerBrowser();
    await browser.post("/owner/sign-in", { email: OWNER });
    const signInToken = browser.signInLink().split("/").at(-1) ?? "";
    for (const token of [await dataToken(1), await unsubscribeToken(1), signInToken]) {
      browser.cookies.set("owner", token);
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

  test("and leave a line in the log with the reason, without a token or an address", async () => {
    // In an hour, because only the first lines of a minute are logged.
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_600_000 });
    onTestFinished(() => void vi.useRealTimers());
    log.length = 0;
    await ownerBrowser().request(`/owner/sign-in/${TOKEN}`);
    await ownerBrowser().request("/owner/entries");
    await ownerBrowser().post("/owner/entries", {}, { Origin: "https://evil.example" });
    await ownerBrowser().post("/owner/sign-in", { email: "eve@example.com" });
    const lines = log.map((line) => JSON.parse(line)).filter(({ event }) => event === "owner-access-refused");
    expect(lines.map(({ reason }) => reason)).toEqual(["link", "session", "origin", "address"]);
    expect(log.join()).not.toMatch(/eve@|A{43}/);
  });
});

describe("for a signed-in owner", () => {
  test("reading changes nothing, and no page runs a script, is cached or indexed", async () => {
    const browser = await ownerOfEverything();
    const before = await database();
    for (const path of paths("GET")) {
      const { headers, body } = await browser.request(path);
      if (headers.get("Content-Type")?.startsWith("text/html")) {
        expect(body, path).not.toMatch(/<script|googletagmanager/);
        expect(headers.get("Content-Security-Policy"), path).toContain("default-src 'none'");
        expect(headers.get("Content-Security-Policy"), path).not.toContain("script-src");
      }
      expect(headers.get("Cache-Control"), path).toBe("no-store");
      expect(headers.get("X-Robots-Tag"), path).toBe("noindex");
      expect(headers.get("Referrer-Policy"), path).toBe("same-origin");
      await browser.request(path, { method: "HEAD" });
      await browser.request(`${path}?intent=erase&search=x&days=30&count=1&name=x&done=erased`);
    }
    expect(await database()).toBe(before);
    expect((await browser.request("/owner")).status).toBe(200);
  });

  test("no form works by another method than its own", async () => {
    const browser = await ownerOfEverything();
    const before = await database();
    for (const { path, methods } of routes) {
      for (const method of ["GET", "POST", "PUT", "DELETE", "PATCH"]) {
        if (methods.includes(method)) continue;
        const { status } = await browser.request(`${path}?intent=erase`, { method, headers: { Origin: env.SITE_URL } });
        expect([method, path, status]).toEqual([method, path, 404]);
      }
    }
    expect(await database()).toBe(before);
  });

  test("a failing database denies access, and the error page has the reference of a log line", async () => {
    const browser = ownerBrowser();
    await browser.signIn();
    const prepare = () => {
      throw new Error("D1 is out");
    };
    const broken = ownerBrowser({ DB: { prepare } });
    for (const [name, value] of browser.cookies) broken.cookies.set(name, value);
    for (const path of ["/owner", "/owner/entries", "/owner/entries/1"]) {
      const { status, body } = await broken.request(path);
      expect(status).toBe(503);
      const reference = /<strong>([\w-]+)<\/strong>/.exec(body)?.[1] ?? "none";
      expect(log.filter((line) => line.includes(reference) && line.includes("D1 is out"))).toHaveLength(1);
    }
  });
});

test.each([
  ["no owner", ""],
  ["a malformed list of owners", `${OWNER}, bob@market`],
])("with %s, the owner's addresses respond like any unknown one", async (_, OWNER_EMAIL) => {
  const browser = ownerBrowser({ OWNER_EMAIL });
  for (const path of ["/owner", "/owner/entries", "/owner/sign-in/x", "/owner/export.csv"]) {
    const { status, headers, body } = await browser.request(path);
    expect(status, path).toBe(404);
    expect(body).toContain("This pitch is empty");
    expect(headers.get("Referrer-Policy")).toBe("strict-origin-when-cross-origin");
  }
  const problems = log.filter((line) => line.includes("config-problem")).map((line) => JSON.parse(line));
  if (OWNER_EMAIL !== "") expect(problems[0]).toMatchObject({ name: "OWNER_EMAIL", fatal: false });
  expect(JSON.stringify(problems)).not.toContain("@");
});

test.each(["/sitemap.xml", "/robots.txt", "/llms.txt", "/"])("%s has no link to them", async (path) => {
  const { body } = await ownerBrowser().request(path);
  expect(body.toLowerCase()).not.toMatch(/(href|action|src)="[^"]*owner|https?:\S+\/owner|llow: \/owner/);
});
