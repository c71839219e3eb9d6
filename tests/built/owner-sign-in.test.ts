import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { withinOneMinute } from "#tests/support/minute.ts";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/database.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { OWNER, ownerBrowser } from "#tests/support/pool/owner.ts";

freshDatabaseForEachTest();
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
  expect(overview.body).toContain("Who joined");
});

test("the session is a signed, host-only cookie", async () => {
  const browser = ownerBrowser();
  const { headers } = await browser.signIn();
  const [cookie = ""] = headers.getSetCookie();
  expect(cookie).toMatch(/^__Host-owner=[\w%.+/=-]+; /);
  for (const part of ["Path=/", "HttpOnly", "Secure", "SameSite=Lax", "Max-Age=43200"]) expect(cookie).toContain(part);
  expect(cookie).not.toContain("Domain");
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
  const before = await rows("owner_sign_ins");
  for (const method of ["GET", "HEAD", "GET"])
    await browser.request(browser.signInLink(), { method, headers: { Purpose: "prefetch" } });
  expect(await rows("owner_sign_ins")).toEqual(before);
  const [first, second] = await Promise.all([browser.post(browser.signInLink()), browser.post(browser.signInLink())]);
  expect([first.status, second.status].toSorted()).toEqual([303, 403]);
});

test("the database stores a hash of the token, and the log contains neither token nor address", async () => {
  const browser = ownerBrowser();
  await browser.signIn();
  const token = browser.signInLink().split("/").at(-1) ?? "";
  expect(token).toHaveLength(43);
  expect(JSON.stringify(await rows("owner_sign_ins"))).not.toContain(token);
  expect(log.join("\n")).not.toContain(token);
  expect(log.join("\n")).not.toContain("@");
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
    await env.DB.prepare("UPDATE owner_sign_ins SET mailed_at = mailed_at - 240000").run();
    await browser.post("/owner/sign-in", { email: OWNER });
    expect(browser.emails).toHaveLength(1);
    await env.DB.prepare("UPDATE owner_sign_ins SET mailed_at = mailed_at - 60000").run();
    await browser.post("/owner/sign-in", { email: OWNER });
    expect(browser.emails).toHaveLength(2);
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

  test("gets the usual response when email or the database fails, and the failure is logged", async () => {
    const usual = await ownerBrowser().post("/owner/sign-in", { email: "ada@example.com" });
    const failing = { EMAIL: { send: async () => Promise.reject(new Error(`no mailbox ${OWNER}`)) } };
    for (const vars of [failing, { DB: {} }, { MAIL_FROM: "" }]) {
      const { status, body } = await ownerBrowser(vars).post("/owner/sign-in", { email: OWNER });
      expect({ status, body }).toEqual({ status: 200, body: usual.body });
    }
    expect(log.filter((line) => line.includes("sign-in-email-failed"))).toHaveLength(3);
    expect(log.join("\n")).not.toContain(OWNER);
  });
});

test("a failing session store denies access, and the error page has a reference", async () => {
  const browser = ownerBrowser();
  await browser.signIn();
  const failing = { get: async () => Promise.reject(new Error("KV is out")) };
  const broken = ownerBrowser({ CACHE: failing });
  for (const [name, value] of browser.cookies) broken.cookies.set(name, value);
  const { status, body } = await broken.request("/owner");
  expect(status).toBe(503);
  const reference = /<strong>([\w-]+)<\/strong>/.exec(body)?.[1] ?? "none";
  expect(log.some((line) => line.includes(reference) && line.includes("KV is out"))).toBe(true);
});
