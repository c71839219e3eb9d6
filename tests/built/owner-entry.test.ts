import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { keyedHash } from "#app/server/address-hash.server.ts";
import { visibleText } from "#tests/support/pool/built-page.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/database.ts";
import { join } from "#tests/support/pool/join.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { signedInBrowser } from "#tests/support/pool/owner.ts";
import { addEntries } from "#tests/support/pool/seed-entries.ts";

freshStorageForEachTest();
const log = captureLog();

const browser = signedInBrowser();

describe("an entry", () => {
  test("shows all its fields and emails", async () => {
    const id = await join("ada@example.com", { utm_campaign: "autumn_fair", referrer_host: "news.example" });
    const text = visibleText((await browser.request(`/owner/entries/${id}`)).body);
    for (const part of [
      "ada@example.com",
      "Status Active",
      "Campaign autumn_fair",
      "Referring site news.example",
      "Welcome Waiting since",
    ]) {
      expect(text).toContain(part);
    }
  });

  test("says that an address with a letter such as ø before the @ gets no email; the list does, too", async () => {
    const id = await join("søren@example.com");
    const page = visibleText((await browser.request(`/owner/entries/${id}`)).body);
    expect(page).toContain("letters such as ø before the @. We send no email to it.");
    expect(visibleText((await browser.request("/owner/entries")).body)).toContain("søren@example.com Gets no email");
    await join("ada@example.com");
    expect((await browser.request("/owner/entries")).body.split("Gets no email")).toHaveLength(2);
    await browser.runCron();
    const failed = await browser.request("/owner/entries?email=dead.international-address");
    expect(visibleText(failed.body)).toContain("1 entry");
  });

  test("says at its emails why an unsubscribed person gets none", async () => {
    const id = await join("ada@example.com");
    const page = async () => visibleText((await browser.request(`/owner/entries/${id}`)).body);
    expect(await page()).not.toContain("No email since");
    await env.DB.exec("UPDATE waitlist_emails SET status = 'unsubscribed', unsubscribed_at = 60000");
    expect(await page()).toContain("Emails No email since the person unsubscribed 1 Jan 1970, 00:01.");
  });

  test("shows the letters to the person, and why one was not sent", async () => {
    const id = await join("ada@example.com");
    const subjects = ["News", "More news", "Late news", "Last news"];
    for (const [index, subject] of subjects.entries()) {
      await env.DB.prepare(
        "INSERT INTO letters (id, key, state, subject, preview_line, body, audience, created_at, updated_at) VALUES (?, 'k', ?, ?, '', '', '{}', 0, 0)",
      )
        .bind(index + 1, index === 3 ? "stopped" : "finished", subject)
        .run();
    }
    await env.DB.exec(
      `INSERT INTO letter_recipients (letter_id, position, entry_id, state, reason, done_at, bounced_at, bounced_softly) VALUES (1, 0, ${id}, 'sent', NULL, 0, 60000, 1), (2, 0, ${id}, 'skipped', 'suppressed', 0, NULL, 0), (3, 0, ${id}, 'unknown', 'never-confirmed', 0, NULL, 0), (4, 0, ${id}, 'pending', NULL, NULL, NULL, 0)`,
    );
    const { body } = await browser.request(`/owner/entries/${id}`);
    expect(visibleText(body).replace(/ +/g, " ")).toContain(
      "Letter: News Sent 1 Jan 1970, 00:00; bounced temporarily 1 Jan 1970, 00:01 Letter: More news Skipped: The address gets no email Letter: Late news Unknown: The email provider did not confirm it for 24 hours Letter: Last news Skipped: The letter was stopped",
    );
    expect(body).toContain('<a href="/owner/letters/2">More news</a>');
  });

  test("says why its emails are not sent, and that its address is throwaway", async () => {
    const id = await join("ada@example.com");
    await env.DB.exec("UPDATE waitlist_emails SET disposable = 1");
    await env.DB.exec("UPDATE email_outbox SET dead_at = 1, reason = 'address-refused'");
    const hash = await keyedHash("address:v1", "ada@example.com", env.HASH_KEY);
    const suppression = "INSERT INTO suppressions (address_hash, reason, until, created_at) VALUES (?, ?, ?, 1)";
    await env.DB.prepare(suppression)
      .bind(hash, "hard-bounce", Date.UTC(2099, 0, 2, 9))
      .run();
    const page = async () => visibleText((await browser.request(`/owner/entries/${id}`)).body);
    expect(await page()).toContain("Throwaway address Yes");
    expect(await page()).toMatch(/Welcome Failed .*: This address does not accept email/);
    expect(await page()).toContain(
      "This address does not accept email. We send no email to it until 2 Jan 2099, 09:00.",
    );
    await env.DB.exec("UPDATE suppressions SET reason = 'complaint', until = NULL");
    expect(await page()).toContain("The recipient reported an email as spam. We send no email to it.");
  });

  test("resends the welcome email once per request, at most three times in 24 hours", async () => {
    const id = await join("ada@example.com");
    for (const sent of [1, 2, 3]) {
      const { headers } = await browser.post(`/owner/entries/${id}`, { intent: "resend" });
      expect(headers.get("Location")).toBe(`/owner/entries/${id}?done=resent`);
      expect(browser.emails.filter(({ to }) => to === "ada@example.com")).toHaveLength(sent);
    }
    const { headers } = await browser.post(`/owner/entries/${id}`, { intent: "resend" });
    expect(headers.get("Location")).toBe(`/owner/entries/${id}?done=resend-limit`);
    const { body } = await browser.request(headers.get("Location") ?? "");
    expect(visibleText(body)).toContain("can be sent again at most 3 times in 24 hours");
    expect(browser.emails.filter(({ to }) => to === "ada@example.com")).toHaveLength(3);
  });

  test("is unsubscribed, and then gets no emails", async () => {
    const id = await join("ada@example.com");
    const done = async (intent: string) =>
      (await browser.post(`/owner/entries/${id}`, { intent })).headers.get("Location")?.split("done=")[1];
    expect(await done("unsubscribe")).toBe("unsubscribed");
    expect(await done("unsubscribe")).toBe("unchanged");
    expect(await done("resend")).toBe("unchanged");
    expect(browser.emails.filter(({ to }) => to === "ada@example.com")).toEqual([]);
    expect(visibleText((await browser.request(`/owner/entries/${id}`)).body)).toContain("Status Unsubscribed");
  });

  test("asks before it unsubscribes or erases", async () => {
    const id = await join("ada@example.com");
    const { body } = await browser.request(`/owner/entries/${id}`);
    for (const intent of ["unsubscribe", "erase"]) {
      expect(body).toMatch(
        new RegExp(`<details[^>]*><summary[^>]*>[^<]*</summary><form[^>]*>(?:(?!</form>).)*value="${intent}"`),
      );
    }
  });

  test("is erased only after confirmation, and leaves no row, key or log line with its address", async () => {
    const id = await join("ada@example.com", { utm_campaign: "ada@example.com" });
    const found = await browser.post("/owner/entries", { search: "ada@example.com" });
    await addEntries(10, Date.now());
    // Stores stats that name the campaign.
    for (const path of [found.headers.get("Location") ?? "", "/owner?days=30", "/owner?days=90"]) {
      expect((await browser.request(path)).body).toContain("ada@example.com");
    }
    const { body } = await browser.request(`/owner/entries/${id}`);
    expect(body).toMatch(/<details[^>]*><summary[^>]*>Erase<\/summary><form.*value="erase".*<\/details>/s);
    await browser.post(`/owner/entries/${id}`, { intent: "resend" });
    const { headers } = await browser.post(`/owner/entries/${id}`, { intent: "erase" });
    expect(headers.get("Location")).toBe("/owner/entries?done=erased");
    expect([...browser.cookies.values()].join()).not.toMatch(/ada(@|%40)/);
    const tables = await env.DB.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all<{ name: string }>();
    for (const { name } of tables.results.filter((table) => !/^(_cf|sqlite_|d1_)/.test(table.name))) {
      const { results } = await env.DB.prepare(`SELECT * FROM ${name}`).all();
      expect(JSON.stringify(results), name).not.toContain("ada@example");
    }
    for (const { name } of (await env.CACHE.list()).keys)
      expect(name + (await env.CACHE.get(name))).not.toContain("ada@");
    expect(log.join("\n")).not.toContain("ada@");
    expect((await browser.request(`/owner/entries/${id}`)).status).toBe(404);
    expect(visibleText((await browser.request("/owner")).body)).toContain(
      "10 can get email Erased 1 Joined in total 11",
    );
  });

  test("unknown entries and intents change nothing", async () => {
    const id = await join("ada@example.com");
    expect((await browser.request("/owner/entries/999")).status).toBe(404);
    expect((await browser.post(`/owner/entries/${id}`, { intent: "rejoin" })).status).toBe(400);
    expect((await browser.post(`/owner/entries/${id}`)).status).toBe(400);
    expect((await browser.post("/owner/entries/999", { intent: "erase" })).headers.get("Location")).toContain(
      "unchanged",
    );
    expect((await browser.request("/owner/no-such-page")).status).toBe(404);
    expect(await rows("waitlist_emails")).toMatchObject([{ status: "active" }]);
  });

  test("GET and HEAD change nothing, with any query", async () => {
    const id = await join("ada@example.com");
    await browser.request("/owner");
    const owned = ["owner_sign_in_tokens", "owner_sessions", "owner_log"] as const;
    const tables = ["waitlist_emails", "email_outbox", "erased_totals", "stats", ...owned] as const;
    const database = async () => JSON.stringify(await Promise.all(tables.map((table) => rows(table))));
    const before = await database();
    for (const path of [
      "/owner",
      "/owner/entries",
      `/owner/entries/${id}?intent=erase`,
      "/owner/outbox/retry",
      "/owner/stats",
      "/owner/sign-out",
      "/owner/sign-out-everywhere",
      "/owner/log",
      "/owner/entries?search=x",
    ]) {
      for (const method of ["GET", "HEAD"]) await browser.request(path, { method });
    }
    expect(await database()).toBe(before);
    expect((await browser.request("/owner")).status).toBe(200);
  });
});
