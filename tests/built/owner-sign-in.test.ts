import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { createSignInLink } from "#app/owner/sign-in-tokens.server.ts";
import { openDb } from "#app/server/db/client.server.ts";
import { withinOneMinute } from "#tests/support/minute.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/database.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { OWNER, ownerBrowser } from "#tests/support/pool/owner.ts";

freshStorageForEachTest();
const log = captureLog();
const unlimited = { ADDRESS_LIMIT: { limit: async () => ({ success: true }) } };

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
  expect(browser.cookies.size).toBe(0);
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

describe("requesting a link", () => {
  test("gets the same response for every input, and emails only the owner", async () => {
    const browser = ownerBrowser();
    const responses = [];
    for (const email of [
      OWNER,
      "ada@example.com",
      "",
      "no address",
      `${OWNER},ada@example.com`,
      `${OWNER}\r\nBcc: ada@example.com`,
    ]) {
      const { status, body } = await browser.post("/owner/sign-in", { email });
      responses.push(`${status} ${body}`);
    }
    responses.push(await browser.post("/owner/sign-in").then(({ status, body }) => `${status} ${body}`));
    expect(new Set(responses).size).toBe(1);
    expect(browser.emails.map(({ to }) => to)).toEqual([OWNER]);
  });

  test("sends one email in five minutes, even for concurrent requests", async () => {
    const browser = ownerBrowser();
    await Promise.all(Array.from({ length: 8 }, () => browser.post("/owner/sign-in", { email: OWNER })));
    expect(browser.emails).toHaveLength(1);
    const earlier = "UPDATE owner_sign_in_tokens SET created_at = created_at - ?";
    await env.DB.prepare(earlier).bind(240_000).run();
    await browser.post("/owner/sign-in", { email: OWNER });
    expect(browser.emails).toHaveLength(1);
    await env.DB.prepare(earlier).bind(60_000).run();
    await browser.post("/owner/sign-in", { email: OWNER });
    expect(browser.emails).toHaveLength(2);
    // The outbox has the latest email only. Either link works, and using one makes the other void.
    expect(await rows("email_outbox")).toHaveLength(1);
    const links = browser.emails.map(({ text = "" }) => /\/owner\/sign-in\/[\w.-]+/.exec(text)?.[0] ?? "no link");
    expect(new Set(links).size).toBe(2);
    for (const link of links) expect((await browser.request(link)).status).toBe(200);
    const used = await Promise.all(links.map((link) => browser.post(link)));
    expect(used.map(({ status }) => status).toSorted()).toEqual([303, 403]);
  });

  describe("emails at most ten unused links in 24 hours", () => {
    const later = (minutes: number) =>
      env.DB.prepare("UPDATE owner_sign_in_tokens SET created_at = created_at - ?1, expires_at = expires_at - ?1")
        .bind(minutes * 60_000)
        .run();
    async function ask(browser: ReturnType<typeof ownerBrowser>, times: number) {
      const bodies = [];
      for (let asked = 0; asked < times; asked += 1) {
        const { status, body } = await browser.post("/owner/sign-in", { email: OWNER });
        bodies.push(`${status} ${body}`);
        await later(6);
      }
      return bodies;
    }

    test("with the same response, until a day has passed", async () => {
      const browser = ownerBrowser(unlimited);
      const usual = await browser.post("/owner/sign-in", { email: "ada@example.com" });
      expect(new Set(await ask(browser, 13))).toEqual(new Set([`200 ${usual.body}`]));
      expect(browser.emails).toHaveLength(10);
      await later(24 * 60 - 13 * 6 - 1);
      await ask(browser, 2);
      expect(browser.emails).toHaveLength(11);
    });

    test("and again after the owner signed in", async () => {
      const browser = ownerBrowser(unlimited);
      await ask(browser, 4);
      await browser.post("/owner/sign-in", { email: OWNER });
      expect((await browser.post(browser.signInLink())).status).toBe(303);
      await later(6);
      await ask(browser, 12);
      expect(browser.emails).toHaveLength(15);
    });

    test("links from the command line still work, are not counted, and reset the count", async () => {
      const browser = ownerBrowser(unlimited);
      const create = () => createSignInLink(openDb(env.DB), { siteUrl: env.SITE_URL, email: OWNER }, Date.now());
      for (let created = 0; created < 10; created += 1) await create();
      await ask(browser, 11);
      expect(browser.emails).toHaveLength(10);
      const link = (await create()).slice(env.SITE_URL.length);
      expect((await browser.post(link)).status).toBe(303);
      await ask(browser, 1);
      expect(browser.emails).toHaveLength(11);
    });
  });

  test("is rate-limited like the other entry points, with the same response", async () => {
    const browser = ownerBrowser();
    const responses = await withinOneMinute((run) => {
      const client = { "CF-Connecting-IP": `192.0.2.${run}` };
      const attempt = () => browser.post("/owner/sign-in", { email: `ada${run}@example.com` }, client);
      return Promise.all(Array.from({ length: 12 }, attempt));
    });
    expect(new Set(responses.map(({ status, body }) => `${status} ${body}`)).size).toBe(1);
    expect(await rows("blocked_attempts")).toMatchObject([{ reason: "rate-limited" }]);
  });

  const failingEmail = { send: async () => Promise.reject(new Error(`no mailbox ${OWNER}`)) };

  test.each([
    ["the email provider fails", { EMAIL: failingEmail }, "email-failed"],
    ["the database fails", { DB: {} }, "sign-in-email-failed"],
    ["no sender is configured", { MAIL_FROM: "" }, "email-held"],
  ])("gets the usual response when %s, and the failure is logged", async (_, vars, event) => {
    const usual = await ownerBrowser().post("/owner/sign-in", { email: "ada@example.com" });
    expect(log.map((line) => JSON.parse(line).event)).not.toContain(event);
    const { status, body } = await ownerBrowser(vars).post("/owner/sign-in", { email: OWNER });
    expect({ status, body }).toEqual({ status: 200, body: usual.body });
    expect(log.filter((line) => JSON.parse(line).event === event)).toHaveLength(1);
    expect(log.join("\n")).not.toContain(OWNER);
  });

  test("retries a failed email, and its link works", async () => {
    const browser = ownerBrowser();
    await ownerBrowser({ EMAIL: failingEmail }).post("/owner/sign-in", { email: OWNER });
    await env.DB.exec("UPDATE email_outbox SET next_attempt_at = 0");
    await browser.runCron();
    await browser.runCron();
    expect(browser.emails.map(({ to }) => to)).toEqual([OWNER]);
    expect((await browser.post(browser.signInLink())).status).toBe(303);
  });

  test("does not send an email whose link has expired", async () => {
    const browser = ownerBrowser();
    await ownerBrowser({ EMAIL: failingEmail }).post("/owner/sign-in", { email: OWNER });
    const expired = "UPDATE email_outbox SET next_attempt_at = 0, data = json_set(data, '$.expiresAt', ?)";
    await env.DB.prepare(expired).bind(Date.now()).run();
    await browser.runCron();
    expect(browser.emails).toEqual([]);
    expect(await rows("email_outbox")).toMatchObject([{ kind: "sign-in", sent_at: null, dead_at: expect.any(Number) }]);
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
