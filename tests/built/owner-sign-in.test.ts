import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { createSignInLink } from "#app/owner/sign-in/sign-in-tokens.server.ts";
import { OWNER, type OwnerBrowser, ownerBrowser, withCookiesOf } from "#tests/support/pool/owner.ts";
import { db, freshStorageForEachTest, rows } from "#tests/support/pool/start.ts";

/* How owners sign in and out, one of them or several. */

const log = freshStorageForEachTest();

const OTHER_SECRET = "another-secret-0123456789abcdef0123";
const ADA = "ada@market.example";
const BOB = "bob@market.example";
const BOTH = { OWNER_EMAIL: `${ADA}, ${BOB}` };

const statusOf = async (browser: OwnerBrowser) => (await browser.request("/owner")).status;
const forgetLinks = () => env.DB.exec("UPDATE owner_sign_in_tokens SET created_at = 0");

async function signIn(browser: OwnerBrowser, email: string) {
  await browser.post("/owner/sign-in", { email });
  return browser.post(browser.signInLink());
}

test("the emailed link leads to a button, which signs in once; opening it uses nothing up", async () => {
  const browser = ownerBrowser();
  await browser.post("/owner/sign-in", { email: ` ${OWNER.toUpperCase()} ` });
  expect(browser.emails.map(({ to }) => to)).toEqual([OWNER]);
  const before = await rows("owner_sign_in_tokens");
  for (const method of ["HEAD", "GET"]) {
    const page = await browser.request(browser.signInLink(), { method, headers: { Purpose: "prefetch" } });
    expect(page.status).toBe(200);
    if (method === "GET") expect(page.body).toContain("<button");
  }
  expect([browser.cookies.size, await rows("owner_sign_in_tokens")]).toEqual([0, before]);
  const both = await Promise.all([browser.post(browser.signInLink()), browser.post(browser.signInLink())]);
  expect(both.map(({ status, headers }) => [status, headers.get("Location")]).toSorted()).toEqual([
    [303, "/owner"],
    [403, null],
  ]);
  expect((await browser.request("/owner")).body).toContain("Sign out");
});

test.each(["owner@bücher.example", "owner@xn--bcher-kva.example"])(
  "an address with an international domain is the owner's in either form, configured as %s",
  async (email) => {
    const browser = ownerBrowser({ OWNER_EMAIL: email });
    await browser.post("/owner/sign-in", { email: "Owner@Bücher.example" });
    expect(browser.emails).toHaveLength(1);
  },
);

test.each([
  { siteUrl: "https://stallwright.example", name: "__Host-owner", secure: true },
  // WebKit refuses the prefix and Secure on http://localhost.
  { siteUrl: "http://localhost:8787", name: "owner", secure: false },
])("on $siteUrl the session is a host-only cookie with the name $name", async ({ siteUrl, name, secure }) => {
  const browser = ownerBrowser({ SITE_URL: siteUrl }, siteUrl);
  const { headers } = await browser.signIn();
  const [cookie = ""] = headers.getSetCookie();
  expect(cookie).toMatch(new RegExp(`^${name}=[\\w%.+/=-]+; `));
  for (const part of ["Path=/", "HttpOnly", "SameSite=Lax", "Max-Age=2592000"]) expect(cookie).toContain(part);
  expect(/; Secure(;|$)/.test(cookie)).toBe(secure);
  expect(cookie).not.toContain("Domain");
  await browser.post("/owner/entries", { search: "ada" });
  expect([...browser.cookies.keys()]).toContain(secure ? "__Host-owner-search" : "owner-search");
});

test("the database stores no token, and the log contains neither token nor address", async () => {
  const browser = ownerBrowser();
  await browser.signIn();
  const token = browser.signInLink().split("/").at(-1) ?? "";
  const [id = "none", signature = "none"] = token.split(".");
  const outbox = await rows("email_outbox");
  expect(outbox).toMatchObject([{ id, kind: "sign-in", entry_id: null, done_at: expect.any(Number) }]);
  expect(signature).toHaveLength(43);
  // The token is derived from the email's id and the secret; the table of tokens has a hash of the id.
  const tokens = JSON.stringify(await rows("owner_sign_in_tokens"));
  expect(tokens).not.toContain(id);
  for (const text of [tokens, JSON.stringify(outbox), log.join("\n")]) {
    expect(text).not.toContain(signature);
    expect(text).not.toContain("@");
  }
});

test("links and sessions outlive a change of LINK_SECRET while LINK_SECRET_PREVIOUS is set", async () => {
  const browser = ownerBrowser();
  await browser.post("/owner/sign-in", { email: OWNER });
  expect((await ownerBrowser({ LINK_SECRET: OTHER_SECRET }).post(browser.signInLink())).status).toBe(403);
  const rotated = { LINK_SECRET: OTHER_SECRET, LINK_SECRET_PREVIOUS: env.LINK_SECRET };
  expect((await ownerBrowser(rotated).post(browser.signInLink())).status).toBe(303);
  await forgetLinks();
  await browser.signIn();
  expect(await statusOf(withCookiesOf(browser, rotated))).toBe(200);
});

describe("a link from the command line", () => {
  const create = async (now = Date.now()) =>
    (await createSignInLink(db, { siteUrl: env.SITE_URL, email: OWNER }, now)).slice(env.SITE_URL.length);

  test("leads to a button, signs in once, is not stored, and does not delay the next emailed link", async () => {
    const browser = ownerBrowser();
    const path = await create();
    const token = path.split("/").at(-1) ?? "";
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(await rows("owner_sign_in_tokens"))).not.toContain(token);
    expect((await browser.request(path)).body).toContain("<button");
    const both = await Promise.all([browser.post(path), browser.post(path)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([303, 403]);
    expect([await statusOf(browser), browser.emails]).toEqual([200, []]);
    expect((await browser.signIn()).status).toBe(303);
  });

  test("expires after 15 minutes, and works only while OWNER_EMAIL is set", async () => {
    const [expired, valid] = [await create(Date.now() - 15 * 60_000), await create(Date.now() - 14 * 60_000)];
    expect((await ownerBrowser().post(expired)).status).toBe(403);
    expect((await ownerBrowser({ OWNER_EMAIL: "" }).request(valid)).status).toBe(404);
    expect((await ownerBrowser().post(valid)).status).toBe(303);
  });

  test("cannot be made from what the database stores", async () => {
    const browser = ownerBrowser();
    await create();
    await browser.post("/owner/sign-in", { email: OWNER });
    const tokens = (await rows("owner_sign_in_tokens")).map(({ token_hash }) => token_hash);
    const ids = (await rows("email_outbox")).map(({ id }) => id);
    expect([tokens.length, ids.length]).toEqual([2, 1]);
    for (const stored of [...tokens, ...ids]) expect((await browser.post(`/owner/sign-in/${stored}`)).status).toBe(403);
  });
});

describe("requesting a link", () => {
  const failingEmail = { send: async () => Promise.reject(new Error(`no mailbox ${OWNER}`)) };

  test("gets the same response for every input, and emails only the owner", async () => {
    const browser = ownerBrowser();
    const responses = new Set<string>();
    for (const fields of [
      ...[OWNER, "ada@example.com", "", "no address", `${OWNER},ada@example.com`, `${OWNER}\r\nBcc: ada@example.com`],
      undefined,
    ]) {
      const { status, body } = await browser.post("/owner/sign-in", fields === undefined ? {} : { email: fields });
      responses.add(`${status} ${body}`);
    }
    expect(responses.size).toBe(1);
    expect(browser.emails.map(({ to }) => to)).toEqual([OWNER]);
  });

  test.each([
    ["the email provider fails", { EMAIL: failingEmail }, "email-failed"],
    ["the database fails", { DB: {} }, "sign-in-email-failed"],
    ["no sender is configured", { MAIL_FROM: "" }, "email-waits"],
  ])("gets the usual response when %s, and the failure is logged", async (_, vars, event) => {
    const usual = await ownerBrowser().post("/owner/sign-in", { email: "ada@example.com" });
    expect(log.map((line) => JSON.parse(line).event)).not.toContain(event);
    const { status, body } = await ownerBrowser(vars).post("/owner/sign-in", { email: OWNER });
    expect({ status, body }).toEqual({ status: 200, body: usual.body });
    expect(log.filter((line) => JSON.parse(line).event === event)).toHaveLength(1);
    expect(log.join("\n")).not.toContain(OWNER);
  });

  test("an email that failed is sent later, and its link works, but not once the link has expired", async () => {
    const browser = ownerBrowser();
    await ownerBrowser({ EMAIL: failingEmail }).post("/owner/sign-in", { email: OWNER });
    const due = "UPDATE email_outbox SET next_attempt_at = 0";
    const [stored] = await rows<{ data: string }>("email_outbox");
    await env.DB.prepare(`${due}, data = json_set(data, '$.expiresAt', ?)`).bind(Date.now()).run();
    await browser.runCron();
    expect(browser.emails).toEqual([]);
    expect(await rows("email_outbox")).toMatchObject([{ kind: "sign-in", done_at: null, dead_at: expect.any(Number) }]);
    await env.DB.prepare(`${due}, dead_at = NULL, data = ?`).bind(stored?.data).run();
    await browser.runCron();
    await browser.runCron();
    expect(browser.emails.map(({ to }) => to)).toEqual([OWNER]);
    expect((await browser.post(browser.signInLink())).status).toBe(303);
  });
});

describe("several owners", () => {
  test("get their own links, and act in their own names", async () => {
    const [ada, bob] = [ownerBrowser(BOTH), ownerBrowser(BOTH)];
    // The minimum time between two links counts for each owner alone.
    for (const [browser, email] of [
      [ada, ADA],
      [bob, "Bob@Market.Example"],
    ] as const) {
      expect((await signIn(browser, email)).headers.get("Location")).toBe("/owner");
      expect(browser.emails.map(({ to }) => to)).toEqual([email.toLowerCase()]);
    }
    await ada.post("/owner/export.csv", { format: "csv" });
    await bob.post("/owner/sign-out");
    const logged = await rows<{ actor: string; action: string }>("owner_log");
    expect(logged.map(({ actor, action }) => [actor, action])).toEqual([
      [ADA, "sign-in"],
      [BOB, "sign-in"],
      [ADA, "export"],
      [BOB, "sign-out"],
    ]);
    const { body } = await ada.request("/owner/log");
    expect(body).toContain(`signed in as <strong>${ADA}</strong>`);
    expect(body).toContain(BOB);
    expect([await statusOf(ada), await statusOf(bob)]).toEqual([200, 403]);
    expect(log.join()).not.toContain("@");
  });

  test("lose their session and links with the next request once their address is removed", async () => {
    const [ada, bob] = [ownerBrowser(BOTH), ownerBrowser(BOTH)];
    await signIn(ada, ADA);
    await signIn(bob, BOB);
    await forgetLinks();
    await ada.post("/owner/sign-in", { email: ADA });
    const former = withCookiesOf(ada, { OWNER_EMAIL: BOB });
    expect([await statusOf(former), await statusOf(withCookiesOf(bob, { OWNER_EMAIL: BOB }))]).toEqual([403, 200]);
    expect((await former.request(ada.signInLink())).status).toBe(403);
    expect((await former.post(ada.signInLink())).status).toBe(403);
    await former.post("/owner/sign-in", { email: ADA });
    expect(await rows("owner_sign_in_tokens")).toHaveLength(3);
    expect(await statusOf(ada)).toBe(200);
  });
});

describe("signing out", () => {
  test.each(["/owner/sign-out", "/owner/sign-out-everywhere"])(
    "%s ends the session, also for copies of its cookie, and deletes all cookies but the one that knows the browser",
    async (path) => {
      const browser = ownerBrowser();
      await browser.signIn();
      await browser.post("/owner/entries", { search: "ada" });
      const copy = withCookiesOf(browser, {});
      expect(copy.cookies.size).toBe(3);
      const { status, headers, body } = await browser.post(path);
      expect([status, headers.get("Clear-Site-Data")]).toEqual([200, null]);
      expect(body).toContain("You are signed out");
      expect([...browser.cookies.keys()]).toEqual(["owner-browser"]);
      expect(await statusOf(copy)).toBe(403);
    },
  );

  test("in one browser leaves the others signed in, and everywhere ends all of this owner's sessions", async () => {
    const [phone, tablet, laptop] = [ownerBrowser(BOTH), ownerBrowser(BOTH), ownerBrowser(BOTH)];
    const bob = ownerBrowser(BOTH);
    for (const browser of [phone, tablet, laptop]) {
      await signIn(browser, ADA);
      await forgetLinks();
    }
    await signIn(bob, BOB);
    await tablet.post("/owner/sign-out");
    expect((await phone.request("/owner/log")).body).toContain("in 2 browsers");
    expect([await statusOf(phone), await statusOf(laptop)]).toEqual([200, 200]);
    await phone.post("/owner/sign-out-everywhere");
    expect([await statusOf(phone), await statusOf(laptop), await statusOf(bob)]).toEqual([403, 403, 200]);
  });
});
