import { env } from "cloudflare:test";
import { beforeEach, expect, test } from "vitest";
import { keyedHash } from "#app/server/address-hash.server.ts";
import * as switches from "#app/switches.ts";
import { britishDate } from "#app/ui/british-date.ts";
import { newsOnly } from "#app/waitlist/consent-wording.ts";
import { pioneerLabel } from "#app/waitlist/entry-fields.server.ts";
import { post, read, visibleText } from "#tests/support/pool/built-page.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/database.ts";
import { dataToken } from "#tests/support/pool/email-links.ts";
import { join } from "#tests/support/pool/join.ts";

freshStorageForEachTest();

let page: string;

beforeEach(async () => {
  page = `/your-data/${await dataToken(await join("ada@example.com", { now: 0 }))}`;
});

test("everything stored is shown in words, with a button for the download, and changes nothing", async () => {
  const before = await rows("waitlist_emails");
  const { status: code, headers, body } = await post(page, { intent: "show-data" });
  expect(code).toBe(200);
  expect(headers.get("Cache-Control")).toBe("no-store");
  const text = visibleText(body);
  for (const shown of [
    "Address ada@example.com",
    "Status Active",
    "Signed up with A form on our landing page",
    `${pioneerLabel} Yes`,
    "Joined 1 January 1970 at 01:00",
    `Agreed to ${newsOnly.text}`,
    "Recorded by This site, 1 January 1970 at 01:00",
    "Robot check None",
    "Welcome email Queued 1 January 1970 at 01:00, not sent",
  ])
    expect(text).toContain(shown);
  expect(text).not.toMatch(/Unsubscribed|null|undefined|–/);
  expect(body).toContain(`action="${page}/export"`);
  expect(await rows("waitlist_emails")).toEqual(before);
});

test("a source that is not one of our forms is named as it is", async () => {
  for (const source of ["spring_fair", "constructor"]) {
    await env.DB.prepare("UPDATE waitlist_emails SET source = ?").bind(source).run();
    expect((await read(page)).text).toContain(`Signed up with ${source}`);
    expect(visibleText((await post(page, { intent: "show-data" })).body)).toContain(`Signed up with ${source}`);
  }
});

test("every column that has a value is shown", async () => {
  const timed = ["unsubscribed_at", "confirm_by", "confirmed_at", "reminded_at"];
  const worded = ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content", "referrer_host"];
  const values = [
    ...timed.map((column, index) => `${column} = ${Date.UTC(2001, index)}`),
    ...worded.map((column) => `${column} = 'of-${column}'`),
    "unsubscribe_reason = 'complaint'",
  ];
  await env.DB.exec(`UPDATE waitlist_emails SET ${values.join(", ")}`);
  await env.DB.prepare("INSERT INTO suppressions VALUES (?, 'complaint', NULL, 0)")
    .bind(await keyedHash("address:v1", "ada@example.com", env.HASH_KEY))
    .run();
  const text = visibleText((await post(page, { intent: "show-data" })).body);
  for (const [index] of timed.entries()) expect(text).toContain(britishDate(Date.UTC(2001, index)).text);
  for (const column of worded) expect(text).toContain(`of-${column}`);
  expect(text).toContain("Unsubscribed by a spam report about one of our emails");
  expect(text).toContain("We send no email, because one of our emails was reported as spam");
});

test("an expired link, and the link of an erased entry, lead back to the entry's page", async () => {
  await post(page, { intent: "erase" });
  const expired = `/your-data/${await dataToken(1, undefined, Date.now() - 31 * 24 * 3_600_000)}`;
  for (const link of [page, expired]) {
    const { status: code, headers } = await post(link, { intent: "show-data" });
    expect([code, headers.get("Location")]).toEqual([303, link]);
  }
});

test("the download is JSON with everything stored except hashes", async () => {
  const { headers, body } = await post(`${page}/export`, {});
  expect(headers.get("Content-Type")).toContain("application/json");
  expect(headers.get("Content-Disposition")).toBe('attachment; filename="my-data.json"');
  expect(headers.get("Cache-Control")).toBe("no-store");
  const { mailbox_hash: _, address_hash: __, ...shown } = (await rows("waitlist_emails"))[0] ?? {};
  const columns = Object.keys(shown);
  const ofFriends = switches.referrals
    ? ["came_through_a_personal_link", "counts_as_a_friend", "friends", "milestones", "note_on_that"]
    : [];
  expect(Object.keys(JSON.parse(body)).toSorted()).toEqual(
    [...columns, ...ofFriends, "emails", "letters", "suppression"].toSorted(),
  );
  expect(JSON.parse(body)).toMatchObject({
    email: "ada@example.com",
    status: "active",
    created_at: "1970-01-01T00:00:00.000Z",
    consent_version: newsOnly.version,
    consent_at: "1970-01-01T00:00:00.000Z",
    confirmed_at: null,
    unsubscribe_reason: null,
    emails: [{ kind: "welcome", queued_at: "1970-01-01T00:00:00.000Z", sent_at: null }],
  });
});

test("the download needs a POST, since scanners open links", async () => {
  const { status: code, headers } = await read(`${page}/export`);
  expect(code).toBe(303);
  expect(headers.get("Location")).toBe(page);
});
