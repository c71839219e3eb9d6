import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { sampleCases } from "#tests/support/pool/cases.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/database.ts";
import {
  confirmToken,
  createEntry,
  dataToken,
  emailedLinks,
  postForm,
  request,
  site,
  unsubscribeToken,
} from "#tests/support/pool/email-links.ts";
import { captureLog } from "#tests/support/pool/log.ts";

freshStorageForEachTest();
const log = captureLog();

const database = async () => [await rows("waitlist_emails"), await rows("email_outbox")];
const foreignSecret = "another-secret-another-secret-0123";

interface Link {
  folder: string;
  sign: (id: number, secret?: string) => Promise<string>;
  /** A token of the other kind of link. */
  signOther: (id: number) => Promise<string>;
  /** Sends every request that the holder of a link can make. */
  requests: (page: string) => ReturnType<typeof request>[];
  statuses: number[];
}

const oneClick = { "List-Unsubscribe": "One-Click" };

const links: Record<string, Link> = {
  "a link to an entry": {
    folder: "your-data",
    sign: dataToken,
    signOther: unsubscribeToken,
    requests: (page) => [
      request(page),
      request(page, { method: "HEAD" }),
      request(`${page}.data`),
      ...["unsubscribe", "rejoin", "erase"].map((intent) => postForm(page, { intent })),
      postForm(`${page}/export`, {}),
    ],
    statuses: [404, 404, 404, 404, 404, 404, 303],
  },
  "an unsubscribe link": {
    folder: "unsubscribe",
    sign: unsubscribeToken,
    signOther: dataToken,
    requests: (page) => [
      request(page),
      request(page, { method: "HEAD" }),
      request(`${page}.data`),
      postForm(page, {}),
      postForm(`${page}/one-click`, oneClick),
      request(`${page}/one-click`),
    ],
    statuses: [404, 404, 404, 404, 404, 303],
  },
  "a confirmation link": {
    folder: "confirm",
    sign: confirmToken,
    signOther: dataToken,
    requests: (page) => [
      request(page),
      request(page, { method: "HEAD" }),
      request(`${page}.data`),
      postForm(page, {}),
      postForm(page, { intent: "erase" }),
    ],
    statuses: [404, 404, 404, 404, 404],
  },
};

/** Ways a token gets damaged in transit, or forged. */
const corruptions: Record<string, (token: string, other: string, link: Link) => Promise<string> | string> = {
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
  "signed with a foreign secret": (token, _, { sign }) => sign(idOf(token), foreignSecret),
  "of the other kind of link": (token, _, { signOther }) => signOther(idOf(token)),
};

function idOf(token: string): number {
  return Number.parseInt(token.split(".")[0] ?? "", 36);
}

/** Every response the holder of a link can get, with the token and nonces masked. */
async function allResponses({ folder, requests, statuses }: Link, token: string): Promise<string> {
  const responses = await Promise.all(requests(`${site.SITE_URL}/${folder}/${token}`));
  expect(responses.map(({ status }) => status)).toEqual(statuses);
  expect(responses[0]?.body).toContain("This link is incomplete");
  for (const { headers } of responses) {
    expect(headers).toMatchObject({ "cache-control": "no-store", "referrer-policy": "same-origin" });
  }
  const text = JSON.stringify(responses, (_, value) => withoutNonce(value));
  return text.replace(/(?<=\/(?:your-data|unsubscribe|confirm)\/)[^"/?\\]+/g, "TOKEN");
}

function withoutNonce(value: unknown): unknown {
  return typeof value === "string" ? value.replace(/nonce([-="]+)[\w+/=-]+/g, "nonce$1") : value;
}

describe.each(Object.entries(links))("%s", (_kind, link) => {
  test.each(sampleCases(Object.entries(corruptions)))(
    "with a token %s gets the same responses for an active, unsubscribed, unconfirmed or missing entry, and changes nothing",
    async (_how, corrupt) => {
      const other = await link.sign(await createEntry("active", "grace@example.com"));
      const seen = new Set<string>();
      for (const state of ["active", "unsubscribed", "unconfirmed"] as const) {
        const token = await link.sign(await createEntry(state, `${state}@example.com`));
        const before = await database();
        seen.add(await allResponses(link, await corrupt(token, other, link)));
        expect(await database()).toEqual(before);
      }
      // An id without an entry.
      seen.add(await allResponses(link, await corrupt(await link.sign(999), other, link)));
      expect(seen.size).toBe(1);
      expect([...seen].join()).not.toMatch(/@example\.com|•••/);
    },
  );

  test("shows no entry without the headers of a token page, in any spelling of its URL", async () => {
    const token = await link.sign(await createEntry("active", "ada@example.com"));
    const { folder } = link;
    const capitalised = folder[0]?.toUpperCase() + folder.slice(1);
    const encoded = [`%${folder.charCodeAt(0).toString(16)}${folder.slice(1)}`, folder.replace("-", "%2D")];
    const shown = [];
    for (const spelling of [folder, folder.toUpperCase(), capitalised, ...encoded]) {
      const { body, headers } = await request(`${site.SITE_URL}/${spelling}/${token}`);
      if (!body.includes("•••")) continue;
      shown.push(spelling);
      expect(headers, spelling).toMatchObject({ "cache-control": "no-store", "referrer-policy": "same-origin" });
    }
    expect(shown).toContain(folder);
  });

  test("does not log its token, for any spelling of its URL, request or failure", async () => {
    const token = await link.sign(await createEntry("active", "ada@example.com"));
    const { folder } = link;
    const spellings = [
      `/${folder}/${token}`,
      `/${folder}/${token}%`,
      `/${folder}/%E9${token}`,
      `/%/${folder}/${token}`,
      `/${folder}/${token}/%ZZ`,
      `/${folder.toUpperCase()}/${token}`,
      `/%${folder.charCodeAt(0).toString(16)}${folder.slice(1)}/${token}`,
      `/${folder.replace("-", "%2D")}/${token}`,
      `/${folder}%2F${token}`,
      `//${folder}//${token}`,
    ];
    for (const replaced of [{}, { DB: null }]) {
      for (const spelling of sampleCases(spellings)) {
        for (const suffix of ["", ".data", "/export", "/one-click", "%", "/"]) {
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
});

test("a link signed with the previous secret works while LINK_SECRET_PREVIOUS is set", async () => {
  const id = await createEntry("active", "ada@example.com");
  const page = `${site.SITE_URL}/your-data/${await dataToken(id)}`;
  const rotated = { LINK_SECRET: "a-new-secret-a-new-secret-a-new-secret" };
  const withPrevious = { ...rotated, LINK_SECRET_PREVIOUS: env.LINK_SECRET };

  expect((await request(page, {}, rotated)).body).toContain("This link is incomplete");
  expect((await postForm(page, { intent: "erase" }, rotated)).status).toBe(404);
  expect(await rows("waitlist_emails")).toMatchObject([{ status: "active" }]);
  expect((await request(page, {}, withPrevious)).body).toContain("a•••@e•••.com");
  await postForm(page, { intent: "unsubscribe" }, withPrevious);
  expect(await rows("waitlist_emails")).toMatchObject([{ status: "unsubscribed" }]);
});

test("an unsubscribe link still works after LINK_SECRET and LINK_SECRET_PREVIOUS were both replaced", async () => {
  await createEntry("active", "ada@example.com");
  const { page, oneClick: link } = await emailedLinks("ada@example.com");
  const rotated = {
    LINK_SECRET: "a-new-secret-a-new-secret-a-new-secret",
    LINK_SECRET_PREVIOUS: "another-new-secret-another-new-secret",
  };
  const unsubscribe = link.replace(/\/one-click$/, "");
  expect((await request(page, {}, rotated)).status).toBe(404);
  expect((await request(unsubscribe, {}, rotated)).body).toContain("a•••@e•••.com");
  expect((await postForm(link, oneClick, rotated)).status).toBe(200);
  expect(await rows("waitlist_emails")).toMatchObject([{ status: "unsubscribed" }]);
  expect((await postForm(unsubscribe, {}, { HASH_KEY: foreignSecret })).status).toBe(404);
});
