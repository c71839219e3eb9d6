import { env } from "cloudflare:test";
import { beforeEach, describe, expect, test } from "vitest";
import { wordedKinds } from "#app/email/templates/wording.ts";
import { dataToken, unsubscribeToken } from "#tests/support/pool/built.ts";
import { OWNER, ownerBrowser, technicalWords, withCookiesOf } from "#tests/support/pool/owner.ts";
import { freshStorageForEachTest, join, stopClock, wholeDatabase } from "#tests/support/pool/start.ts";

/* Who is kept out of the owner's pages, on every route. */

const log = freshStorageForEachTest();

/** Read from the source, so that new ones are included. */
const sections = Object.values(
  import.meta.glob<string>("../../app/{features,owner}/**/section.server.ts", {
    query: "?raw",
    import: "default",
    eager: true,
  }),
).join("\n");
const served = Array.from(sections.matchAll(/method: "(\w+)"(?: as const)?, path: ["`]([^"`]+)["`]/g));

/** The pages with a script: those with a form for a long text or a picture, and those that list nothing and have an address to copy. */
const scripts: [path: RegExp, script: RegExp][] = [
  [
    /^\/owner\/(letters\/(new|1)|series\/(new|1)|emails\/(welcome|confirm|confirm-reminder)|settings\/founder)$/,
    /^<script src="\/owner\/editor\.js\?v=\w+" defer="">$/,
  ],
  [/^\/owner\/links\/1$/, /^<script src="\/owner\/links\/copy\.js\?v=\w+" defer="">$/],
];

const TOKEN = `${crypto.randomUUID()}.${"A".repeat(43)}`;
const filledIn = (path: string) =>
  wordedKinds.map((kind) => {
    const filled = path
      .replace(":id", "1")
      .replace(":token", TOKEN)
      .replace(/\$\{kind\}/, kind);
    return `/owner${filled}`.replace(/\/$/, "");
  });

/** The paths of the routes with a method. */
const paths = (wanted: string) => [
  ...new Set(served.flatMap(([, method, path = ""]) => (method === wanted.toLowerCase() ? filledIn(path) : []))),
];

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
    ["/links", { page: "/", utm_source: "poster" }],
    ["/stats?days=30", {}],
  ] as const)
    await browser.post(`/owner${path}`, fields);
  // Stores its numbers, as the overview does.
  await browser.request("/owner/links");
  return browser;
}

test("every route is tested here", () => {
  expect(served).toHaveLength(sections.match(/handler: /g)?.length ?? 0);
});

describe("unauthorised requests get identical responses", () => {
  test("without a session", async () => {
    await join("ada@example.com");
    const before = await wholeDatabase();
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
    expect(await wholeDatabase()).toBe(before);
  });

  test("for forms of other sites, even with the owner's cookie or a valid link", async () => {
    const browser = await ownerOfEverything();
    await env.DB.exec("UPDATE owner_sign_in_tokens SET created_at = 0");
    await browser.post("/owner/sign-in", { email: OWNER });
    const before = await wholeDatabase();
    const cookies = new Map(browser.cookies);
    for (const path of [...paths("POST"), browser.signInLink()]) {
      for (const headers of [{ Origin: "https://evil.example" }, { Origin: "null" }])
        expect(plain(await browser.post(path, { intent: "delete" }, headers)), path).toEqual(refusal);
      const withoutOrigin = { method: "POST", headers: { "Sec-Fetch-Site": "cross-site" } };
      expect(plain(await browser.request(path, withoutOrigin)), path).toEqual(refusal);
    }
    expect(await wholeDatabase()).toBe(before);
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
    stopClock(Date.now() + 3_600_000);
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
  test("reading changes nothing; pages are in words, and none is cached or indexed, or runs a script but its own", async () => {
    const browser = await ownerOfEverything();
    await join("bob@example.com", { utm_source: "poster", utm_campaign: "fair", utm_term: "x" });
    // The overview keeps what it has worked out: figures, and which first steps are done.
    await browser.request("/owner");
    const before = await wholeDatabase();
    for (const path of paths("GET")) {
      const { headers, body } = await browser.request(path);
      if (headers.get("Content-Type")?.startsWith("text/html")) {
        const found = body.match(/<script[^>]*>|googletagmanager/g) ?? [];
        const own = scripts.flatMap(([page, script]) => (page.test(path) ? [expect.stringMatching(script)] : []));
        expect([path, found]).toEqual([path, own]);
        const policy = headers.get("Content-Security-Policy") ?? "";
        expect(policy, path).toContain("default-src 'none'");
        expect([path, policy.match(/script-src [^;]*/)?.[0]]).toEqual([
          path,
          own.length > 0 ? "script-src 'self'" : undefined,
        ]);
      }
      expect(headers.get("Cache-Control"), path).toBe("no-store");
      expect(headers.get("X-Robots-Tag"), path).toBe("noindex");
      expect(headers.get("Referrer-Policy"), path).toBe("same-origin");
      await browser.request(path, { method: "HEAD" });
      const query = "utm_source=poster&without=utm_term&intent=erase&search=x&days=30&count=1&name=x&done=erased";
      if (path.endsWith(".js")) continue;
      for (const html of [body, (await browser.request(`${path}?${query}`)).body])
        expect([path, technicalWords(html)]).toEqual([path, []]);
    }
    expect(await wholeDatabase()).toBe(before);
    expect((await browser.request("/owner")).status).toBe(200);
  });

  test("no form works by another method than its own", async () => {
    const browser = await ownerOfEverything();
    const before = await wholeDatabase();
    for (const path of new Set([...paths("GET"), ...paths("POST")])) {
      for (const method of ["GET", "POST", "PUT", "DELETE", "PATCH"]) {
        if (paths(method).includes(path)) continue;
        const { status } = await browser.request(`${path}?intent=erase`, { method, headers: { Origin: env.SITE_URL } });
        expect([method, path, status]).toEqual([method, path, 404]);
      }
    }
    expect(await wholeDatabase()).toBe(before);
  });

  test("a failing database denies access, and the error page has the reference of a log line", async () => {
    const browser = ownerBrowser();
    await browser.signIn();
    const prepare = () => {
      throw new Error("D1 is out");
    };
    const broken = withCookiesOf(browser, { DB: { prepare } });
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
