import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { signToken } from "#app/waitlist/my-data/token.server.ts";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/database.ts";
import { createEntry, postForm, request, site } from "#tests/support/pool/email-links.ts";
import { captureLog } from "#tests/support/pool/log.ts";

freshDatabaseForEachTest();
const log = captureLog();

const pageOf = (token: string) => `${site.SITE_URL}/your-data/${token}`;
const database = async () => [await rows("waitlist_emails"), await rows("mail_outbox")];
const foreignSecret = "another-secret-another-secret-0123";

/** Ways a token gets damaged in transit, or forged. */
const corruptions: Record<string, (token: string, other: string) => Promise<string> | string> = {
  "cut by one character": (token) => token.slice(0, -1),
  "cut in the middle": (token) => token.slice(0, 20),
  "cut before its signature": (token) => token.slice(0, token.indexOf(".") + 1),
  "with an extra character": (token) => `${token}A`,
  "with an altered signature": (token) => token.slice(0, -1) + (token.endsWith("A") ? "E" : "A"),
  "with a trailing full stop": (token) => `${token}.`,
  "in capitals": (token) => token.toUpperCase(),
  "broken by a percent sign": (token) => `${token}%`,
  "broken by a quoted-printable line break": (token) => `${token.slice(0, 10)}=%0D%0A${token.slice(10)}`,
  "broken by bytes that are not UTF-8": (token) => `${token.slice(0, 10)}%E9${token.slice(10)}`,
  "with the signature of another entry": (token, other) => `${token.split(".")[0]}.${other.split(".")[1]}`,
  "with the id of another entry": (token, other) => `${other.split(".")[0]}.${token.split(".")[1]}`,
  "signed with a foreign secret": (token) => signToken(Number.parseInt(token.split(".")[0] ?? "", 36), foreignSecret),
};

/** Every response the holder of a link can get, with the token and nonces masked. */
async function allResponses(token: string): Promise<string> {
  const page = pageOf(token);
  const responses = [
    await request(page),
    await request(page, { method: "HEAD" }),
    await request(`${page}.data`),
    ...(await Promise.all(["unsubscribe", "rejoin", "erase"].map((intent) => postForm(page, { intent })))),
    await postForm(`${page}/unsubscribe`, { "List-Unsubscribe": "One-Click" }),
    await postForm(`${page}/export`, {}),
  ];
  expect(responses.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404, 404, 303]);
  expect(responses[0]?.body).toContain("This link is not complete");
  expect(responses[0]?.headers).toMatchObject({ "cache-control": "no-store", "referrer-policy": "same-origin" });
  return JSON.stringify(responses, (_, value) => withoutNonce(value)).replace(/(?<=\/your-data\/)[^"/?\\]+/g, "TOKEN");
}

function withoutNonce(value: unknown): unknown {
  return typeof value === "string" ? value.replace(/nonce([-="]+)[\w+/=-]+/g, "nonce$1") : value;
}

describe.each(Object.entries(corruptions))("a token %s", (_how, corrupt) => {
  test("gets the same responses for an active, unsubscribed or missing entry, and changes nothing", async () => {
    const other = await signToken(await createEntry("active", "grace@example.com"), env.LINK_SECRET);
    const seen = new Set<string>();
    for (const state of ["active", "unsubscribed"] as const) {
      const token = await signToken(await createEntry(state, `${state}@example.com`), env.LINK_SECRET);
      const before = await database();
      seen.add(await allResponses(await corrupt(token, other)));
      expect(await database()).toEqual(before);
    }
    // An id without an entry.
    seen.add(await allResponses(await corrupt(await signToken(999, env.LINK_SECRET), other)));
    expect(seen.size).toBe(1);
    expect([...seen].join()).not.toMatch(/@example\.com|•••/);
  });
});

test("a link signed with the previous secret works while LINK_SECRET_PREVIOUS is set", async () => {
  const id = await createEntry("active", "ada@example.com");
  const page = pageOf(await signToken(id, env.LINK_SECRET));
  const rotated = { LINK_SECRET: "a-new-secret-a-new-secret-a-new-secret" };
  const withPrevious = { ...rotated, LINK_SECRET_PREVIOUS: env.LINK_SECRET };

  expect((await request(page, {}, rotated)).body).toContain("This link is not complete");
  expect((await postForm(page, { intent: "erase" }, rotated)).status).toBe(404);
  expect(await rows("waitlist_emails")).toMatchObject([{ status: "active" }]);
  expect((await request(page, {}, withPrevious)).body).toContain("a•••@e•••.com");
  await postForm(page, { intent: "unsubscribe" }, withPrevious);
  expect(await rows("waitlist_emails")).toMatchObject([{ status: "unsubscribed" }]);
});

test("no entry is shown without the headers of a token page, in any spelling of its URL", async () => {
  const token = await signToken(await createEntry("active", "ada@example.com"), env.LINK_SECRET);
  const shown = [];
  for (const folder of ["your-data", "YOUR-DATA", "Your-data", "your%2Ddata", "%79our-data"]) {
    const { body, headers } = await request(`${site.SITE_URL}/${folder}/${token}`);
    if (!body.includes("•••")) continue;
    shown.push(folder);
    expect(headers, folder).toMatchObject({ "cache-control": "no-store", "referrer-policy": "same-origin" });
  }
  expect(shown).toContain("your-data");
});

test("no token reaches the log, for any spelling of its URL, request or failure", async () => {
  const token = await signToken(await createEntry("active", "ada@example.com"), env.LINK_SECRET);
  const spellings = [
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
    for (const spelling of spellings) {
      for (const suffix of ["", ".data", "/export", "/unsubscribe", "%", "/"]) {
        const url = `${site.SITE_URL}${spelling}${suffix}`;
        await request(url, {}, replaced);
        for (const headers of [new Headers(), { Accept: "text/html", Origin: "https://evil.example" }]) {
          const body = new URLSearchParams({ intent: "unsubscribe" });
          await request(url, { method: "POST", headers, body }, replaced);
        }
      }
    }
  }
  expect(log.join()).toContain("page-failed");
  expect(log.filter((line) => line.includes(token))).toEqual([]);
});
