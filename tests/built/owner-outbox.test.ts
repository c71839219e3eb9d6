import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { visibleText } from "#tests/support/pool/built-page.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/database.ts";
import { join } from "#tests/support/pool/join.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { listedAddresses, signedInBrowser } from "#tests/support/pool/owner.ts";

freshStorageForEachTest();
captureLog();

const browser = signedInBrowser();

describe("the emails on the overview", () => {
  test("says why all email is paused, and when it continues, as does the entry's page", async () => {
    const id = await join("ada@example.com");
    const until = Date.now() + 3 * 24 * 3_600_000;
    await env.DB.prepare("INSERT INTO email_pauses VALUES ('wrong-key', ?, 1)").bind(until).run();
    const words = "Email is paused: The email provider refused the API key; next attempt at ";
    for (const path of ["/owner", `/owner/entries/${id}`]) {
      expect(visibleText((await browser.request(path)).body), path).toContain(words);
    }
  });

  test("says in words why emails wait or are dead, with links to the entries", async () => {
    for (const name of ["ada", "bob", "cyd"]) await join(`${name}@example.com`);
    await env.DB.exec("UPDATE email_outbox SET dead_at = 1, reason = 'complaint' WHERE entry_id = 2");
    await env.DB.exec("UPDATE email_outbox SET reason = 'timed-out' WHERE entry_id = 3");
    const { body } = await browser.request("/owner");
    const links = Array.from(body.matchAll(/<a href="([^"]*email=[^"]*)">([^<]+)/g), ([, href, words]) => [
      words,
      href,
    ]);
    expect(Object.fromEntries(links)).toEqual({
      "No attempt yet": "/owner/entries?email=waiting.none",
      "The email provider took too long to answer": "/owner/entries?email=waiting.timed-out",
      "The recipient reported an email as spam": "/owner/entries?email=dead.complaint",
    });
    const people = await Promise.all(
      links.map(async ([, href = ""]) => listedAddresses((await browser.request(href)).body)),
    );
    expect(people.flat().toSorted()).toEqual(["ada@example.com", "bob@example.com", "cyd@example.com"]);
    expect(visibleText(body)).toContain("1 email won’t be retried");
    expect(body).not.toContain('action="/owner/outbox/retry"');
  });

  test("says that emails are held after bounces, and releases them", async () => {
    await join("ada@example.com");
    const held = "Emails to sign-ups that Turnstile has not verified have waited since";
    expect(visibleText((await browser.request("/owner")).body)).not.toContain(held);
    await env.DB.exec(`INSERT INTO email_pauses VALUES ('sign-up-bounces', ${Number.MAX_SAFE_INTEGER}, 1)`);
    const { body } = await browser.request("/owner");
    expect(visibleText(body)).toContain("at least 15 in a day, and more than 3%");
    expect(visibleText(body)).toContain(held);
    expect(visibleText(body)).not.toContain("Email is paused");
    expect((await browser.post("/owner/outbox/release", {})).status).toBe(303);
    expect(visibleText((await browser.request("/owner")).body)).not.toContain(held);
    expect(await rows("owner_log")).toContainEqual(expect.objectContaining({ action: "release-emails" }));
  });

  test("says that a quota is used up and when the next email is tried, and tries one at once", async () => {
    await join("ada@example.com");
    const until = Date.now() + 10 * 60_000;
    await env.DB.exec(`INSERT INTO email_pauses VALUES ('monthly-quota', ${until}, 1)`);
    const { body } = await browser.request("/owner");
    expect(visibleText(body)).toContain("Monthly limit reached; next attempt at");
    expect(body).toContain('action="/owner/outbox/try"');
    expect((await browser.post("/owner/outbox/try", {})).status).toBe(303);
    expect(visibleText((await browser.request("/owner")).body)).toContain("next attempt within a minute");
    expect(await rows("owner_log")).toContainEqual(expect.objectContaining({ action: "try-emails" }));
  });

  test("emails that may have arrived are sent again only by their own button", async () => {
    for (const name of ["ada", "bob"]) await join(`${name}@example.com`);
    await env.DB.exec("UPDATE email_outbox SET dead_at = 1, reason = 'timed-out' WHERE entry_id = 1");
    await env.DB.exec("UPDATE email_outbox SET dead_at = 1, reason = 'outcome-unknown' WHERE entry_id = 2");
    const text = visibleText((await browser.request("/owner")).body);
    expect(text).toContain(
      "1 email failed. The main reason: The email provider took too long to answer. Try again once the cause is fixed. Try again",
    );
    expect(text).toContain(
      "The provider never confirmed 1 email. If you send them again, some people may get a second copy. Send again anyway",
    );
    const dead = async () =>
      (await rows("email_outbox")).flatMap(({ dead_at, entry_id }) => (dead_at ? [entry_id] : []));
    await browser.post("/owner/outbox/retry", { emails: "everything" });
    expect(await dead()).toEqual([2]);
    const { headers } = await browser.post("/owner/outbox/retry", { emails: "outcome-unknown" });
    expect(headers.get("Location")).toBe("/owner?requeued=1");
    expect(await dead()).toEqual([]);
  });

  test("requeues dead emails to entries, but no expired sign-in email", async () => {
    await join("ada@example.com");
    await env.DB.prepare("UPDATE email_outbox SET sent_at = NULL, dead_at = 1, attempts = 10").run();
    const { headers } = await browser.post("/owner/outbox/retry");
    expect(headers.get("Location")).toBe("/owner?requeued=1");
    expect(await rows("email_outbox")).toMatchObject([
      { kind: "sign-in", dead_at: 1 },
      { kind: "welcome", dead_at: null, attempts: 0 },
    ]);
    expect(visibleText((await browser.request("/owner?requeued=1")).body)).toContain(
      "1 email is queued again and will be sent",
    );
  });
});
