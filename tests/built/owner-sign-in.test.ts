import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { createSignInLink } from "#app/owner/sign-in/sign-in-tokens.server.ts";
import { openDb } from "#app/server/db/client.server.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/database.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { OWNER, ownerBrowser } from "#tests/support/pool/owner.ts";

freshStorageForEachTest();
const log = captureLog();

test("the emailed link leads to a button, which signs in", async () => {
  const browser = ownerBrowser();
  const requested = await browser.post("/owner/sign-in", { email: ` ${OWNER.toUpperCase()} ` });
  expect(requested.status).toBe(200);
  expect(browser.emails.map(({ to }) => to)).toEqual([OWNER]);
  const page = await browser.request(browser.signInLink());
  expect(page.status).toBe(200);
  expect(page.body).toContain("<button");
  expect(browser.cookies.size).toBe(0);
  const { status, headers } = await browser.post(browser.signInLink());
  expect([status, headers.get("Location")]).toEqual([303, "/owner"]);
  const overview = await browser.request("/owner");
  expect(overview.status).toBe(200);
  expect(overview.body).toContain("Sign out");
});

test("an address with an international domain is the owner's in either form", async () => {
  for (const email of ["owner@bücher.example", "owner@xn--bcher-kva.example"]) {
    const browser = ownerBrowser({ OWNER_EMAIL: email });
    await browser.post("/owner/sign-in", { email: "Owner@Bücher.example" });
    expect(browser.emails, email).toHaveLength(1);
    await env.DB.exec("DELETE FROM owner_sign_in_tokens");
  }
});

describe("the session is a signed, host-only cookie", () => {
  test.each([
    { siteUrl: "https://stallwright.example", name: "__Host-owner", secure: true },
    // WebKit refuses the prefix and Secure on http://localhost.
    { siteUrl: "http://localhost:8787", name: "owner", secure: false },
  ])("on $siteUrl it is named $name", async ({ siteUrl, name, secure }) => {
    const browser = ownerBrowser({ SITE_URL: siteUrl }, siteUrl);
    const { headers } = await browser.signIn();
    const [cookie = ""] = headers.getSetCookie();
    expect(cookie).toMatch(new RegExp(`^${name}=[\\w%.+/=-]+; `));
    for (const part of ["Path=/", "HttpOnly", "SameSite=Lax", "Max-Age=7200"]) expect(cookie).toContain(part);
    expect(/; Secure(;|$)/.test(cookie)).toBe(secure);
    expect(cookie).not.toContain("Domain");
    expect((await browser.request("/owner")).body).toContain("Sign out");
    await browser.post("/owner/entries", { search: "ada" });
    expect([...browser.cookies.keys()]).toContain(secure ? "__Host-owner-search" : "owner-search");
  });
});

test("signing out ends the session, including for copies of its cookie", async () => {
  const browser = ownerBrowser();
  await browser.signIn();
  const copy = new Map(browser.cookies);
  expect((await browser.post("/owner/sign-out")).status).toBe(303);
  expect([...browser.cookies.keys()]).toEqual(["owner-browser"]);
  for (const [name, value] of copy) browser.cookies.set(name, value);
  expect((await browser.request("/owner")).status).toBe(403);
});

test("GET and HEAD do not consume the link, and it works once", async () => {
  const browser = ownerBrowser();
  await browser.post("/owner/sign-in", { email: OWNER });
  const before = await rows("owner_sign_in_tokens");
  for (const method of ["GET", "HEAD", "GET"])
    await browser.request(browser.signInLink(), { method, headers: { Purpose: "prefetch" } });
  expect(await rows("owner_sign_in_tokens")).toEqual(before);
  const [first, second] = await Promise.all([browser.post(browser.signInLink()), browser.post(browser.signInLink())]);
  expect([first.status, second.status].toSorted()).toEqual([303, 403]);
});

test("the database stores no token, and the log contains neither token nor address", async () => {
  const browser = ownerBrowser();
  await browser.signIn();
  const token = browser.signInLink().split("/").at(-1) ?? "";
  const [id = "none", signature = "none"] = token.split(".");
  const outbox = await rows("email_outbox");
  expect(outbox).toMatchObject([{ id, kind: "sign-in", entry_id: null, sent_at: expect.any(Number) }]);
  expect(signature).toHaveLength(43);
  // The token is derived from the email's id and the secret; the table of tokens has a hash of the id.
  const tokens = JSON.stringify(await rows("owner_sign_in_tokens"));
  expect(tokens).not.toContain(id);
  for (const text of [tokens, JSON.stringify(outbox), log.join("\n")]) {
    expect(text).not.toContain(signature);
    expect(text).not.toContain("@");
  }
});

test("a link works while its secret is LINK_SECRET or LINK_SECRET_PREVIOUS", async () => {
  const browser = ownerBrowser();
  await browser.post("/owner/sign-in", { email: OWNER });
  const LINK_SECRET = "another-secret-0123456789abcdef0123";
  expect((await ownerBrowser({ LINK_SECRET }).post(browser.signInLink())).status).toBe(403);
  const withPrevious = ownerBrowser({ LINK_SECRET, LINK_SECRET_PREVIOUS: env.LINK_SECRET });
  expect((await withPrevious.post(browser.signInLink())).status).toBe(303);
});

test("a session survives a change of LINK_SECRET while LINK_SECRET_PREVIOUS is set", async () => {
  const browser = ownerBrowser();
  await browser.signIn();
  const rotated = ownerBrowser({
    LINK_SECRET: "another-secret-0123456789abcdef0123",
    LINK_SECRET_PREVIOUS: env.LINK_SECRET,
  });
  for (const [name, value] of browser.cookies) rotated.cookies.set(name, value);
  expect((await rotated.request("/owner")).status).toBe(200);
});

describe("a link from the command line", () => {
  const create = async (now = Date.now()) =>
    (await createSignInLink(openDb(env.DB), { siteUrl: env.SITE_URL, email: OWNER }, now)).slice(env.SITE_URL.length);

  test("leads to a button, signs in once, and is not stored", async () => {
    const browser = ownerBrowser();
    const path = await create();
    const token = path.split("/").at(-1) ?? "";
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(await rows("owner_sign_in_tokens"))).not.toContain(token);
    expect((await browser.request(path)).body).toContain("<button");
    const both = await Promise.all([browser.post(path), browser.post(path)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([303, 403]);
    expect((await browser.request("/owner")).status).toBe(200);
    expect(browser.emails).toEqual([]);
  });

  test("expires after 15 minutes", async () => {
    const browser = ownerBrowser();
    const [expired, valid] = [await create(Date.now() - 15 * 60_000), await create(Date.now() - 14 * 60_000)];
    expect((await browser.post(expired)).status).toBe(403);
    expect((await browser.post(valid)).status).toBe(303);
  });

  test("does not delay the next emailed link", async () => {
    const browser = ownerBrowser();
    await create();
    expect((await browser.signIn()).status).toBe(303);
  });

  test("cannot be made from what the database stores", async () => {
    const browser = ownerBrowser();
    await create();
    await browser.post("/owner/sign-in", { email: OWNER });
    const tokens = (await rows("owner_sign_in_tokens")).map(({ token_hash }) => token_hash);
    const ids = (await rows("email_outbox")).map(({ id }) => id);
    expect([tokens.length, ids.length]).toEqual([2, 1]);
    const { body: usual } = await browser.request("/owner");
    for (const stored of [...tokens, ...ids]) {
      const { status, body } = await browser.post(`/owner/sign-in/${stored}`);
      expect({ status, body }).toEqual({ status: 403, body: usual });
    }
  });

  test("works only while OWNER_EMAIL is set", async () => {
    const path = await create();
    expect((await ownerBrowser({ OWNER_EMAIL: "" }).request(path)).status).toBe(404);
    expect((await ownerBrowser().post(path)).status).toBe(303);
  });
});

test("a failing database denies access, and the error page has a reference", async () => {
  const browser = ownerBrowser();
  await browser.signIn();
  const prepare = () => {
    throw new Error("D1 is out");
  };
  const broken = ownerBrowser({ DB: { prepare } });
  for (const [name, value] of browser.cookies) broken.cookies.set(name, value);
  const { status, body } = await broken.request("/owner");
  expect(status).toBe(503);
  const reference = /<strong>([\w-]+)<\/strong>/.exec(body)?.[1] ?? "none";
  expect(log.some((line) => line.includes(reference) && line.includes("D1 is out"))).toBe(true);
});
