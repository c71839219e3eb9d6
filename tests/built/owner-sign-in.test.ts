import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { withinOneMinute } from "#tests/support/minute.ts";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/database.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { OWNER, ownerBrowser } from "#tests/support/pool/owner.ts";

freshDatabaseForEachTest();
const log = captureLog();

test("the mailed link leads to a button, and the button lets its holder in", async () => {
  const browser = ownerBrowser();
  const asked = await browser.post("/owner/sign-in", { email: ` ${OWNER.toUpperCase()} ` });
  expect(asked.status).toBe(200);
  expect(browser.mails.map(({ to }) => to)).toEqual([OWNER]);
  const page = await browser.ask(browser.link());
  expect(page.status).toBe(200);
  expect(page.body).toContain("<button");
  expect(browser.cookies.size).toBe(0);
  const { status, headers } = await browser.post(browser.link());
  expect([status, headers.get("Location")]).toEqual([303, "/owner"]);
  const overview = await browser.ask("/owner");
  expect(overview.status).toBe(200);
  expect(overview.body).toContain("Who joined");
});

test("the session is a signed cookie for this host alone", async () => {
  const browser = ownerBrowser();
  const { headers } = await browser.signIn();
  const [cookie = ""] = headers.getSetCookie();
  expect(cookie).toMatch(/^__Host-owner=[\w%.+/=-]+; /);
  for (const part of ["Path=/", "HttpOnly", "Secure", "SameSite=Lax", "Max-Age=43200"]) expect(cookie).toContain(part);
  expect(cookie).not.toContain("Domain");
});

test("signing out ends the session, also for a copy of its cookie", async () => {
  const browser = ownerBrowser();
  await browser.signIn();
  const copy = new Map(browser.cookies);
  expect((await browser.post("/owner/sign-out")).status).toBe(303);
  expect(browser.cookies.size).toBe(0);
  for (const [name, value] of copy) browser.cookies.set(name, value);
  expect((await browser.ask("/owner")).status).toBe(403);
});

test("a mail's link can be opened any number of times, and by HEAD, and works then, once", async () => {
  const browser = ownerBrowser();
  await browser.post("/owner/sign-in", { email: OWNER });
  const before = await rows("owner_sign_ins");
  for (const method of ["GET", "HEAD", "GET"])
    await browser.ask(browser.link(), { method, headers: { Purpose: "prefetch" } });
  expect(await rows("owner_sign_ins")).toEqual(before);
  const [first, second] = await Promise.all([browser.post(browser.link()), browser.post(browser.link())]);
  expect([first.status, second.status].toSorted()).toEqual([303, 403]);
});

test("the database holds a hash, not the token, and the log neither token nor address", async () => {
  const browser = ownerBrowser();
  await browser.signIn();
  const token = browser.link().split("/").at(-1) ?? "";
  expect(token).toHaveLength(43);
  expect(JSON.stringify(await rows("owner_sign_ins"))).not.toContain(token);
  expect(log.join("\n")).not.toContain(token);
  expect(log.join("\n")).not.toContain("@");
});

test("after a change of LINK_SECRET the session goes on while the one before it is kept", async () => {
  const browser = ownerBrowser();
  await browser.signIn();
  const rotated = ownerBrowser({
    LINK_SECRET: "another-secret-0123456789abcdef0123",
    LINK_SECRET_PREVIOUS: env.LINK_SECRET,
  });
  for (const [name, value] of browser.cookies) rotated.cookies.set(name, value);
  expect((await rotated.ask("/owner")).status).toBe(200);
});

describe("asking for a link", () => {
  test("is answered alike whatever was typed, and mails the owner alone", async () => {
    const browser = ownerBrowser();
    const answers = [];
    for (const email of [
      OWNER,
      "ada@example.com",
      "",
      "no address",
      `${OWNER},ada@example.com`,
      `${OWNER}\r\nBcc: ada@example.com`,
    ]) {
      const { status, body } = await browser.post("/owner/sign-in", { email });
      answers.push(`${status} ${body}`);
    }
    answers.push(await browser.post("/owner/sign-in").then(({ status, body }) => `${status} ${body}`));
    expect(new Set(answers).size).toBe(1);
    expect(browser.mails.map(({ to }) => to)).toEqual([OWNER]);
  });

  test("mails once in five minutes, however many ask at once", async () => {
    const browser = ownerBrowser();
    await Promise.all(Array.from({ length: 8 }, () => browser.post("/owner/sign-in", { email: OWNER })));
    expect(browser.mails).toHaveLength(1);
    await env.DB.prepare("UPDATE owner_sign_ins SET mailed_at = mailed_at - 240000").run();
    await browser.post("/owner/sign-in", { email: OWNER });
    expect(browser.mails).toHaveLength(1);
    await env.DB.prepare("UPDATE owner_sign_ins SET mailed_at = mailed_at - 60000").run();
    await browser.post("/owner/sign-in", { email: OWNER });
    expect(browser.mails).toHaveLength(2);
  });

  test("is limited as at the other doors, with the same answer", async () => {
    const browser = ownerBrowser();
    const answers = await withinOneMinute((run) => {
      const client = { "CF-Connecting-IP": `192.0.2.${run}` };
      const knock = () => browser.post("/owner/sign-in", { email: `ada${run}@example.com` }, client);
      return Promise.all(Array.from({ length: 12 }, knock));
    });
    expect(new Set(answers.map(({ status, body }) => `${status} ${body}`)).size).toBe(1);
    expect(await rows("blocked_attempts")).toMatchObject([{ reason: "rate-limited" }]);
  });

  test("is answered as ever when mail or the database fails, which the log tells", async () => {
    const good = await ownerBrowser().post("/owner/sign-in", { email: "ada@example.com" });
    const refusing = { EMAIL: { send: async () => Promise.reject(new Error(`no mailbox ${OWNER}`)) } };
    for (const vars of [refusing, { DB: {} }, { MAIL_FROM: "" }]) {
      const { status, body } = await ownerBrowser(vars).post("/owner/sign-in", { email: OWNER });
      expect({ status, body }).toEqual({ status: 200, body: good.body });
    }
    expect(log.filter((line) => line.includes("sign-in-email-failed"))).toHaveLength(3);
    expect(log.join("\n")).not.toContain(OWNER);
  });
});

test("a store of sessions that fails lets nobody in, and says so with a reference", async () => {
  const browser = ownerBrowser();
  await browser.signIn();
  const failing = { get: async () => Promise.reject(new Error("KV is out")) };
  const broken = ownerBrowser({ CACHE: failing });
  for (const [name, value] of browser.cookies) broken.cookies.set(name, value);
  const { status, body } = await broken.ask("/owner");
  expect(status).toBe(503);
  const reference = /<strong>([\w-]+)<\/strong>/.exec(body)?.[1] ?? "none";
  expect(log.some((line) => line.includes(reference) && line.includes("KV is out"))).toBe(true);
});
