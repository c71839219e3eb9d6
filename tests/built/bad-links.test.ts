import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { signToken } from "#app/waitlist/my-data/token.server.ts";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/database.ts";
import { ask, entryIn, press, site } from "#tests/support/pool/email-links.ts";
import { captureLog } from "#tests/support/pool/log.ts";

freshDatabaseForEachTest();
const log = captureLog();

const pageOf = (token: string) => `${site.SITE_URL}/your-data/${token}`;
const database = async () => [await rows("waitlist_emails"), await rows("mail_outbox")];
const stranger = "another-secret-another-secret-0123";

/** What goes wrong with a token on its way, or is made to. */
const spoilt: Record<string, (token: string, other: string) => Promise<string> | string> = {
  "cut by one character": (token) => token.slice(0, -1),
  "cut in the middle": (token) => token.slice(0, 20),
  "cut before its signature": (token) => token.slice(0, token.indexOf(".") + 1),
  "with a character more": (token) => `${token}A`,
  "altered in its signature": (token) => token.slice(0, -1) + (token.endsWith("A") ? "E" : "A"),
  "with a full stop after it": (token) => `${token}.`,
  "in capitals": (token) => token.toUpperCase(),
  "broken by a percent sign": (token) => `${token}%`,
  "broken by a quoted-printable line end": (token) => `${token.slice(0, 10)}=%0D%0A${token.slice(10)}`,
  "broken by bytes that are no text": (token) => `${token.slice(0, 10)}%E9${token.slice(10)}`,
  "with another's signature": (token, other) => `${token.split(".")[0]}.${other.split(".")[1]}`,
  "with another's id": (token, other) => `${other.split(".")[0]}.${token.split(".")[1]}`,
  "signed with a secret that is none of ours": (token) =>
    signToken(Number.parseInt(token.split(".")[0] ?? "", 36), stranger),
};

/** Everything that a link's holder can see of our answers, without the link itself. */
async function allAnswers(token: string): Promise<string> {
  const page = pageOf(token);
  const answers = [
    await ask(page),
    await ask(page, { method: "HEAD" }),
    await ask(`${page}.data`),
    ...(await Promise.all(["unsubscribe", "rejoin", "erase"].map((intent) => press(page, { intent })))),
    await press(`${page}/unsubscribe`, { "List-Unsubscribe": "One-Click" }),
    await press(`${page}/export`, {}),
  ];
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404, 404, 303]);
  expect(answers[0]?.body).toContain("This link is not complete");
  expect(answers[0]?.headers).toMatchObject({ "cache-control": "no-store", "referrer-policy": "same-origin" });
  // Every answer has a nonce of its own.
  return JSON.stringify(answers, (_key, value) => withoutNonce(value)).replace(/(?<=\/your-data\/)[^"/?\\]+/g, "TOKEN");
}

function withoutNonce(value: unknown): unknown {
  return typeof value === "string" ? value.replace(/nonce([-="]+)[\w+/=-]+/g, "nonce$1") : value;
}

describe.each(Object.entries(spoilt))("a token %s", (_how, spoil) => {
  test("gets the same clear page and answers, whoever is on the list, and changes nothing", async () => {
    const other = await signToken(await entryIn("active", "grace@example.com"), env.LINK_SECRET);
    const seen = new Set<string>();
    for (const state of ["active", "unsubscribed"] as const) {
      const token = await signToken(await entryIn(state, `${state}@example.com`), env.LINK_SECRET);
      const before = await database();
      seen.add(await allAnswers(await spoil(token, other)));
      expect(await database()).toEqual(before);
    }
    // The next id, which nobody has.
    seen.add(await allAnswers(await spoil(await signToken(999, env.LINK_SECRET), other)));
    expect(seen.size).toBe(1);
    expect([...seen].join()).not.toMatch(/@example\.com|•••/);
  });
});

test("a link signed before the secret was changed works for as long as the old one is kept", async () => {
  const id = await entryIn("active", "ada@example.com");
  const page = pageOf(await signToken(id, env.LINK_SECRET));
  const changed = { LINK_SECRET: "a-new-secret-a-new-secret-a-new-secret" };
  const kept = { ...changed, LINK_SECRET_PREVIOUS: env.LINK_SECRET };

  expect((await ask(page, {}, changed)).body).toContain("This link is not complete");
  expect((await press(page, { intent: "erase" }, changed)).status).toBe(404);
  expect(await rows("waitlist_emails")).toMatchObject([{ status: "active" }]);
  expect((await ask(page, {}, kept)).body).toContain("a•••@e•••.com");
  await press(page, { intent: "unsubscribe" }, kept);
  expect(await rows("waitlist_emails")).toMatchObject([{ status: "unsubscribed" }]);
});

test("no entry is shown without the headers of a token page, however its link is written", async () => {
  const token = await signToken(await entryIn("active", "ada@example.com"), env.LINK_SECRET);
  const shown = [];
  for (const folder of ["your-data", "YOUR-DATA", "Your-data", "your%2Ddata", "%79our-data"]) {
    const { body, headers } = await ask(`${site.SITE_URL}/${folder}/${token}`);
    if (!body.includes("•••")) continue;
    shown.push(folder);
    expect(headers, folder).toMatchObject({ "cache-control": "no-store", "referrer-policy": "same-origin" });
  }
  expect(shown).toContain("your-data");
});

test("no token reaches the log, however its link is written, whatever is asked and whatever fails", async () => {
  const token = await signToken(await entryIn("active", "ada@example.com"), env.LINK_SECRET);
  const ways = [
    `/your-data/${token}`,
    `/your-data/${token}%`,
    `/your-data/%E9${token}`,
    `/%/your-data/${token}`,
    `/your-data/${token}/%ZZ`,
    `/YOUR-DATA/${token}`,
    `/your%2Ddata/${token}`,
    `/your-data%2F${token}`,
    `//your-data//${token}`,
  ];
  for (const replaced of [{}, { DB: null }]) {
    for (const way of ways) {
      for (const door of ["", ".data", "/export", "/unsubscribe", "%", "/"]) {
        const url = `${site.SITE_URL}${way}${door}`;
        await ask(url, {}, replaced);
        for (const headers of [new Headers(), { Accept: "text/html", Origin: "https://evil.example" }]) {
          await ask(url, { method: "POST", headers, body: new URLSearchParams({ intent: "unsubscribe" }) }, replaced);
        }
      }
    }
  }
  expect(log.join()).toContain("page-failed");
  expect(log.filter((line) => line.includes(token))).toEqual([]);
});
