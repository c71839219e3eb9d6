import { env } from "cloudflare:test";
import { beforeEach, describe, expect, test } from "vitest";
import { keyedHash } from "#app/server/hashes/address-hash.server.ts";
import { confirmEntry } from "#app/waitlist/confirmation/confirmation.server.ts";
import { dataToken, visibleText } from "#tests/support/pool/built.ts";
import { signedInBrowser } from "#tests/support/pool/owner.ts";
import {
  addEntries,
  db,
  execute,
  freshStorageForEachTest,
  join,
  rows,
  wholeDatabase,
} from "#tests/support/pool/start.ts";
import { storeLetter } from "#tests/support/pool/stored-letter.ts";

/* The owner's page about an entry: what it shows, its note, and what its buttons do. */

const log = freshStorageForEachTest();

const browser = signedInBrowser();

const textOf = async (path: string) => visibleText((await browser.request(path)).body);
const post = (fields: Record<string, string>, id = 1) => browser.post(`/owner/entries/${id}`, fields);
const done = async (intent: string, id = 1) => (await post({ intent }, id)).headers.get("Location")?.split("done=")[1];
const emails = () => browser.emails.filter(({ to }) => to === "ada@example.com");

describe("the page shows", () => {
  test("all fields and emails", async () => {
    await join("ada@example.com", { utm_campaign: "autumn_fair", referrer_host: "news.example" });
    const text = await textOf("/owner/entries/1");
    for (const part of [
      "ada@example.com",
      "Status Active",
      "Agreed to ",
      "Campaign autumn_fair",
      "Referring site news.example",
      "Welcome Waiting since",
    ]) {
      expect(text).toContain(part);
    }
  });

  test("that an address with a letter such as ø before the @ gets no email; the list does, too", async () => {
    await join("søren@example.com");
    expect(await textOf("/owner/entries/1")).toContain("We send no email to it.");
    await join("ada@example.com");
    expect((await browser.request("/owner/entries")).body.split("Gets no email")).toHaveLength(2);
    await browser.runCron();
    expect(await textOf("/owner/entries?email=dead.international-address")).toContain("1 entry");
  });

  test("why emails are not sent: a throwaway, refused or blocked address, or a person who unsubscribed", async () => {
    await join("ada@example.com");
    await env.DB.exec("UPDATE waitlist_emails SET disposable = 1");
    await env.DB.exec("UPDATE email_outbox SET dead_at = 1, reason = 'address-refused'");
    const hash = await keyedHash("address:v1", "ada@example.com", env.HASH_KEY);
    const suppression = "INSERT INTO suppressions (address_hash, reason, until, created_at) VALUES (?, ?, ?, 1)";
    await execute(suppression, hash, "hard-bounce", Date.UTC(2099, 0, 2, 9));
    const bounced = await textOf("/owner/entries/1");
    expect(bounced).toContain("Throwaway address Yes");
    expect(bounced).toMatch(/Welcome Failed .*: This address does not accept email/);
    expect(bounced).toContain("We send no email to it until 2 Jan 2099, 09:00.");
    await env.DB.exec("UPDATE suppressions SET reason = 'complaint', until = NULL");
    expect(await textOf("/owner/entries/1")).toMatch(/reported an email as spam\. We send no email to it\./);
    await env.DB.exec("UPDATE waitlist_emails SET status = 'unsubscribed', unsubscribed_at = 60000");
    expect(await textOf("/owner/entries/1")).toContain("No email since the person unsubscribed 1 Jan 1970, 00:01.");
  });

  test("the letters to the person, and why one was not sent", async () => {
    const id = await join("ada@example.com");
    for (const subject of ["News", "More news", "Late news"]) await storeLetter({ subject });
    await storeLetter({ subject: "Last news", state: "stopped" });
    await env.DB.exec(
      `INSERT INTO letter_recipients (letter_id, position, entry_id, state, reason, done_at, bounced_at, bounced_softly) VALUES (1, 0, ${id}, 'sent', NULL, 0, 60000, 1), (2, 0, ${id}, 'skipped', 'suppressed', 0, NULL, 0), (3, 0, ${id}, 'unknown', 'never-confirmed', 0, NULL, 0), (4, 0, ${id}, 'pending', NULL, NULL, NULL, 0)`,
    );
    const { body } = await browser.request(`/owner/entries/${id}`);
    expect(visibleText(body).replace(/ +/g, " ")).toContain(
      "Letter: News Sent 1 Jan 1970, 00:00; bounced temporarily 1 Jan 1970, 00:01 Letter: More news Skipped: The address gets no email Letter: Late news Unknown: The email provider did not confirm it for 24 hours Letter: Last news Skipped: The letter was stopped",
    );
    expect(body).toContain('<a href="/owner/letters/2">More news</a>');
  });

  test("whether the address is confirmed, and offers the welcome email only then", async () => {
    await join("ada@example.com", { mustConfirm: true });
    const before = (await browser.request("/owner/entries/1")).body;
    expect(visibleText(before)).toContain("Confirmation Not confirmed yet");
    expect(before).not.toContain('value="resend"');
    expect(await done("resend")).toBe("unchanged");
    expect((await rows("email_outbox")).map(({ kind }) => kind)).toEqual(["sign-in", "confirm"]);
    await confirmEntry(db, 1, Date.now());
    const after = (await browser.request("/owner/entries/1")).body;
    expect(visibleText(after)).toContain("Confirmation Confirmed");
    expect(after).toContain('value="resend"');
  });
});

test("the welcome email is sent again once per request, at most three times in 24 hours", async () => {
  await join("ada@example.com");
  for (const sent of [1, 2, 3]) {
    expect(await done("resend")).toBe("resent");
    expect(emails()).toHaveLength(sent);
  }
  expect(await done("resend")).toBe("resend-limit");
  expect(await textOf("/owner/entries/1?done=resend-limit")).toContain("at most 3 times in 24 hours");
  expect(emails()).toHaveLength(3);
});

test("a person who is unsubscribed gets no emails, and the page says who did it", async () => {
  await join("ada@example.com");
  expect(await done("unsubscribe")).toBe("unsubscribed");
  expect(await done("unsubscribe")).toBe("unchanged");
  expect(await done("resend")).toBe("unchanged");
  expect(emails()).toEqual([]);
  expect(await rows("waitlist_emails")).toMatchObject([{ unsubscribe_reason: "owner" }]);
  expect(await textOf("/owner/entries/1")).toMatch(/Status Unsubscribed.*Unsubscribed by The owner/);
});

test("an erasure leaves no row, key or log line with the address", async () => {
  const id = await join("ada@example.com", { utm_campaign: "ada@example.com" });
  const found = await browser.post("/owner/entries", { search: "ada@example.com" });
  await addEntries(10, Date.now());
  // Stores stats that name the campaign.
  for (const path of [found.headers.get("Location") ?? "", "/owner?days=30", "/owner?days=90"]) {
    expect((await browser.request(path)).body).toContain("ada@example.com");
  }
  await post({ intent: "resend" }, id);
  const { headers } = await post({ intent: "erase" }, id);
  expect(headers.get("Location")).toBe("/owner/entries?done=erased");
  expect([...browser.cookies.values()].join()).not.toMatch(/ada(@|%40)/);
  expect(await wholeDatabase()).not.toContain("ada@example");
  for (const { name } of (await env.CACHE.list()).keys)
    expect(name + (await env.CACHE.get(name))).not.toContain("ada@");
  expect(log.join("\n")).not.toContain("ada@");
  expect((await browser.request(`/owner/entries/${id}`)).status).toBe(404);
  expect(await textOf("/owner")).toContain("10 can get email Erased 1 Joined in total 11");
});

test("unknown entries and intents change nothing", async () => {
  await join("ada@example.com");
  for (const path of ["/owner/entries/999", "/owner/no-such-page"])
    expect((await browser.request(path)).status).toBe(404);
  expect((await post({ intent: "rejoin" })).status).toBe(400);
  expect((await post({})).status).toBe(400);
  expect(await done("erase", 999)).toBe("unchanged");
  expect(await rows("waitlist_emails")).toMatchObject([{ status: "active" }]);
});

describe("the note", () => {
  beforeEach(() => join("ada@example.com"));
  const save = (note: string) => post({ intent: "save", note });
  const stored = async () => (await rows<{ owner_note: string | null }>("waitlist_emails"))[0]?.owner_note;

  test("is saved, replaced and removed", async () => {
    const { headers } = await save("  Met at the fair.\r\nWants <two> tables.\u0000 ");
    expect(headers.get("Location")).toBe("/owner/entries/1?done=noted");
    expect(await stored()).toBe("Met at the fair.\nWants <two> tables.");
    const { body } = await browser.request("/owner/entries/1");
    expect(body).toMatch(/<textarea[^>]*>Met at the fair\.\nWants &lt;two&gt; tables\.<\/textarea>/);
    expect((await save("Met at the fair.\nWants <two> tables.")).headers.get("Location")).toContain("done=unchanged");
    await save(" ");
    expect(await stored()).toBeNull();
    expect(log.join()).not.toContain("fair");
  });

  test("has at most 2,000 characters of any kind; a longer one is refused, and stays in its field", async () => {
    const longest = `${"€\n".repeat(999)}€€`;
    expect((await save(longest.replaceAll("\n", "\r\n"))).status).toBe(303);
    const { status, body } = await save(`${longest}€`);
    expect([status, visibleText(body)]).toEqual([422, expect.stringContaining("too long by 1 character.")]);
    expect(body).toContain(`${longest}€</textarea>`);
    expect(await stored()).toBe(longest);
    // A form larger than any of the page is refused as a stranger's is.
    expect((await save("x".repeat(30_000))).status).toBe(403);
    expect((await browser.post("/owner/entries", { search: "x".repeat(5_000) })).status).toBe(403);
    expect((await post({ intent: "save" })).status).toBe(422);
    expect((await post({ intent: "save", note: "x" }, 99)).headers.get("Location")).toContain("done=unchanged");
    expect(await stored()).toBe(longest);
  });

  test("is read by the person on their data page and in their download", async () => {
    await save("Met at the fair");
    const page = `/your-data/${await dataToken(1)}`;
    const { body } = await browser.post(page, { intent: "show-data" });
    expect(visibleText(body)).toContain("Our note Met at the fair");
    expect((await browser.post(`${page}/export`)).body).toContain('"owner_note": "Met at the fair"');
  });
});
