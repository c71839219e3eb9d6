import { describe, expect, test } from "vitest";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/database.ts";
import { ask, emailedLinks, entryIn, press } from "#tests/support/pool/email-links.ts";
import { captureLog } from "#tests/support/pool/log.ts";

freshDatabaseForEachTest();
captureLog();

const database = async () => [await rows("waitlist_emails"), await rows("mail_outbox")];
const status = async () => (await rows<{ status: string }>("waitlist_emails")).map((row) => row.status);

/** How scanners, previews and browsers that read ahead say what they are, if they do. */
const disguises: Record<string, string>[] = [
  {},
  { Purpose: "prefetch" },
  { "Sec-Purpose": "prefetch" },
  { "Sec-Purpose": "prefetch;prerender" },
  { "X-Moz": "prefetch", "X-Purpose": "preview" },
  { "User-Agent": "Mozilla/5.0 (compatible; SafeLinks)" },
];

/** Opens a link, goes where it leads, and opens whatever of ours the page links to, in its mail's manner. */
async function scan(link: string, method: string, headers: Record<string, string>): Promise<void> {
  const answer = await ask(link, { method, headers });
  expect([200, 303], `${method} ${link}`).toContain(answer.status);
  const next = answer.headers["location"];
  if (next !== undefined) expect((await ask(new URL(next, link).href, { method, headers })).status).toBe(200);
  for (const [, target] of answer.body.matchAll(/(?:href|action)="([^"#]*your-data[^"#]*)"/g)) {
    await ask(new URL(target ?? "", link).href, { method, headers });
  }
}

describe.each([
  { kind: "welcome", state: "active", click: "unsubscribe", after: "unsubscribed" },
  { kind: "rejoin", state: "unsubscribed", click: "rejoin", after: "active" },
] as const)("the $kind mail, as it reaches somebody who is $state", ({ kind, state, click, after }) => {
  test("holds the link to one's own entry and the one for mail programs", async () => {
    await entryIn(state, "ada@example.com");
    const { all, page } = await emailedLinks("ada@example.com");
    expect(all.filter((link) => link.includes("/your-data/"))).toEqual([page, `${page}/unsubscribe`]);
    expect((await rows("mail_outbox")).map((mail) => mail["kind"])).toEqual([kind]);
  });

  test("every link scanned, GET, HEAD, GET and follow, twice, in every disguise: no change; then a click works", async () => {
    await entryIn(state, "ada@example.com");
    const { all, page } = await emailedLinks("ada@example.com");
    const guesses = ["/export", "?intent=erase", "?intent=rejoin", "?List-Unsubscribe=One-Click", ".data"];
    const before = await database();
    for (const link of [...all, ...guesses.map((guess) => page + guess)]) {
      for (const headers of disguises) {
        for (const method of ["GET", "HEAD", "GET", "GET", "HEAD", "GET"]) await scan(link, method, headers);
      }
      expect(await database(), link).toEqual(before);
    }
    expect((await press(page, { intent: click })).status).toBe(303);
    expect(await status()).toEqual([after]);
  });

  test("scanned after it was used, it changes nothing either", async () => {
    await entryIn(state, "ada@example.com");
    const { page } = await emailedLinks("ada@example.com");
    for (const intent of ["unsubscribe", "erase"]) {
      await press(page, { intent });
      const before = await database();
      for (const link of [page, `${page}/unsubscribe`]) {
        for (const method of ["GET", "HEAD"]) await scan(link, method, { "Sec-Purpose": "prefetch" });
      }
      expect(await database()).toEqual(before);
    }
  });
});
