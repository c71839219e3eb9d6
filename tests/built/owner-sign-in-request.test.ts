import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { createSignInLink } from "#app/owner/sign-in/sign-in-tokens.server.ts";
import { openDb } from "#app/server/db/client.server.ts";
import { withinOneMinute } from "#tests/support/minute.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/database.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { OWNER, ownerBrowser } from "#tests/support/pool/owner.ts";

freshStorageForEachTest();
const log = captureLog();
const unlimited = { ADDRESS_LIMIT: { limit: async () => ({ success: true }) } };

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

  describe("emails at most ten unused links in 24 hours, and then one an hour", () => {
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
    ["no sender is configured", { MAIL_FROM: "" }, "email-waits"],
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
