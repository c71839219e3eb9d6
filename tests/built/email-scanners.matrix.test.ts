import { describe, expect, test } from "vitest";
import { sampleCases } from "#tests/support/pool/cases.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/database.ts";
import {
  confirmationLinks,
  createEntry,
  dataToken,
  emailedLinks,
  postForm,
  request,
  site,
} from "#tests/support/pool/email-links.ts";
import { captureLog } from "#tests/support/pool/log.ts";

freshStorageForEachTest();
captureLog();

const database = async () => [await rows("waitlist_emails"), await rows("email_outbox"), await rows("suppressions")];
const status = async () => (await rows<{ status: string }>("waitlist_emails")).map((row) => row.status);

/** Headers of scanners, previews and prefetching browsers. */
const scannerHeaders: Record<string, string>[] = [
  {},
  { Purpose: "prefetch" },
  { "Sec-Purpose": "prefetch" },
  { "Sec-Purpose": "prefetch;prerender" },
  { "X-Moz": "prefetch", "X-Purpose": "preview" },
  { "User-Agent": "Mozilla/5.0 (compatible; SafeLinks)" },
];

/** Repeated requests with each kind of headers. */
const scans = scannerHeaders.flatMap((headers) =>
  ["GET", "HEAD", "GET", "GET", "HEAD", "GET"].map((method) => ({ method, headers })),
);

/** Opens a link, follows its redirect, and opens every entry link on the page, as an email scanner would. */
async function scan(link: string, method: string, headers: Record<string, string>): Promise<void> {
  const response = await request(link, { method, headers });
  expect([200, 303], `${method} ${link}`).toContain(response.status);
  const next = response.headers["location"];
  if (next !== undefined) expect((await request(new URL(next, link).href, { method, headers })).status).toBe(200);
  for (const [, target] of response.body.matchAll(
    /(?:href|action)="([^"#]*(?:your-data|unsubscribe|confirm)[^"#]*)"/g,
  )) {
    await request(new URL(target ?? "", link).href, { method, headers });
  }
}

describe.each([
  { kind: "welcome", state: "active", click: "unsubscribe", after: "unsubscribed" },
  { kind: "rejoin", state: "unsubscribed", click: "rejoin", after: "active" },
] as const)("the $kind email to an entry that is $state", ({ kind, state, click, after }) => {
  test("links to the entry's page and to pages that unsubscribe", async () => {
    await createEntry(state, "ada@example.com");
    const { all, page, oneClick } = await emailedLinks("ada@example.com");
    expect(oneClick).toMatch(/^https:\/\/waitlist-site\.example\/unsubscribe\/1\.[\w-]{43}\/one-click$/);
    const unsubscribe = kind === "welcome" ? [oneClick.replace(/\/one-click$/, "")] : [];
    expect(all.filter((link) => /your-data|unsubscribe/.test(link))).toEqual([...unsubscribe, page, oneClick]);
    expect((await rows("email_outbox")).map((email) => email["kind"])).toEqual([kind]);
  });

  test("scanning every link repeatedly, with any headers, changes nothing; a click then works", async () => {
    await createEntry(state, "ada@example.com");
    const { all, page, oneClick } = await emailedLinks("ada@example.com");
    const unsubscribe = oneClick.replace(/\/one-click$/, "");
    const guesses = [
      ...["/export", "?intent=erase", "?intent=rejoin", "?intent=never", "?done=never", ".data"].map(
        (guess) => page + guess,
      ),
      ...["", "?List-Unsubscribe=One-Click", "?intent=unsubscribe", ".data"].map((guess) => unsubscribe + guess),
      `${oneClick}?List-Unsubscribe=One-Click`,
    ];
    const before = await database();
    // Only the deployed Worker has the pictures.
    const links = all.filter((link) => !link.endsWith(".png"));
    for (const link of [...links, ...guesses]) {
      for (const { method, headers } of sampleCases(scans)) await scan(link, method, headers);
      expect(await database(), link).toEqual(before);
    }
    expect((await postForm(page, { intent: click })).status).toBe(303);
    expect(await status()).toEqual([after]);
  });

  test("scanning after a click changes nothing either", async () => {
    await createEntry(state, "ada@example.com");
    const { page, oneClick } = await emailedLinks("ada@example.com");
    for (const intent of ["unsubscribe", "never", "erase"]) {
      await postForm(page, { intent });
      const before = await database();
      for (const link of [page, oneClick]) {
        for (const method of ["GET", "HEAD"]) await scan(link, method, { "Sec-Purpose": "prefetch" });
      }
      expect(await database()).toEqual(before);
    }
  });
});

describe("the confirmation email", () => {
  test("scanning its links repeatedly, with any headers, confirms nothing; a click then does", async () => {
    await createEntry("unconfirmed", "ada@example.com");
    const { confirm, oneClick } = await confirmationLinks("ada@example.com");
    const guesses = ["", "?done=confirm", "?intent=confirm", "?confirm=yes", ".data"].map((guess) => confirm + guess);
    const before = await database();
    for (const link of [...guesses, oneClick]) {
      for (const { method, headers } of sampleCases(scans)) await scan(link, method, headers);
      expect(await database(), link).toEqual(before);
    }
    expect((await postForm(confirm, {})).status).toBe(303);
    expect(await rows("waitlist_emails")).toMatchObject([{ confirmed_at: expect.any(Number) }]);
  });

  test("scanning after the click changes nothing either", async () => {
    await createEntry("unconfirmed", "ada@example.com");
    const { confirm } = await confirmationLinks("ada@example.com");
    await postForm(confirm, {});
    const before = await database();
    for (const method of ["GET", "HEAD"]) await scan(confirm, method, { "Sec-Purpose": "prefetch" });
    expect(await database()).toEqual(before);
  });
});

describe("an expired link", () => {
  test("scanned repeatedly changes nothing and queues no email; a click queues one", async () => {
    const id = await createEntry("active", "ada@example.com");
    const page = `${site.SITE_URL}/your-data/${await dataToken(id, undefined, Date.now() - 31 * 24 * 3_600_000)}`;
    const before = await database();
    for (const link of [page, `${page}?intent=new-link`, `${page}?done=new-link`, `${page}.data`, `${page}/export`]) {
      for (const headers of scannerHeaders) {
        for (const method of ["GET", "HEAD"]) await scan(link, method, headers);
      }
      expect(await database(), link).toEqual(before);
    }
    expect((await postForm(page, { intent: "new-link" })).status).toBe(303);
    expect((await rows("email_outbox")).map(({ kind }) => kind)).toEqual(["welcome", "my-data-link"]);
  });
});
