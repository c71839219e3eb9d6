import { env } from "cloudflare:test";
import { beforeEach, describe, expect, test } from "vitest";
import { openDb } from "#app/server/db/client.server.ts";
import { addEntry } from "#app/waitlist/add-entry.server.ts";
import { rejoinEntry } from "#app/waitlist/entries.server.ts";
import { eraseEntry } from "#app/waitlist/erase-entries.server.ts";
import { read, visibleText } from "#tests/support/pool/built-page.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/database.ts";
import { createEntry, dataToken, postForm, request, site, unsubscribeToken } from "#tests/support/pool/email-links.ts";
import { captureLog } from "#tests/support/pool/log.ts";

/* The page behind an unsubscribe link, and its one-click form for email clients. Bad tokens: bad-links.matrix.test.ts. */

freshStorageForEachTest();
const log = captureLog();

const db = openDb(env.DB);
const LAUNCH_URL = "https://app.example/";
/** Headers of a request that a page of another site makes. */
const foreign = [
  ["Origin", "https://mail.example"],
  ["Origin", "null"],
  ["Sec-Fetch-Site", "cross-site"],
] as const;
const oneClickForm = { "List-Unsubscribe": "One-Click" };

let id: number;
let token: string;
let page: string;

beforeEach(async () => {
  id = await createEntry("active", "ada@example.com");
  token = await unsubscribeToken(id);
  page = `${site.SITE_URL}/unsubscribe/${token}`;
});

const status = async () => (await rows<{ status: string }>("waitlist_emails")).map((row) => row.status);
const database = async () => [await rows("waitlist_emails"), await rows("email_outbox"), await rows("erased_totals")];

/** Presses the page's button and follows the redirect. */
async function press(): Promise<string> {
  const { status: code, headers } = await postForm(page, {});
  expect(code).toBe(303);
  const location = new URL(headers["location"] ?? "", page);
  expect(location.pathname).toBe(new URL(page).pathname);
  return visibleText((await request(location.href)).body);
}

describe("the page", () => {
  test("shows the masked address and one button, and no link to the entry", async () => {
    const { status: code, body } = await request(page);
    expect(code).toBe(200);
    expect(visibleText(body)).toContain("a•••@e•••.com is on the waitlist");
    expect(body).not.toContain("ada@example.com");
    const [main = ""] = /<main.*<\/main>/s.exec(body) ?? [];
    expect(main.match(/<button/g)).toHaveLength(1);
    expect(main).toMatch(/<form method="post"><p.*<button[^>]*type="submit">Unsubscribe<\/button>/s);
    expect(body).not.toMatch(/your-data\/\w/);
  });

  test("is never cached, indexed or sent as referrer, in any state", async () => {
    const { headers: redirect } = await postForm(page, {});
    const headers = [redirect, (await request(page)).headers];
    await eraseEntry(db, id, 0);
    headers.push((await request(page)).headers, (await request(`${page}x`)).headers);
    headers.push((await request(`${page}/one-click`)).headers, (await postForm(`${page}/one-click`, {})).headers);
    for (const each of headers) {
      expect(each).toMatchObject({
        "cache-control": "no-store",
        "x-robots-tag": "noindex",
        "referrer-policy": "same-origin",
      });
    }
  });

  test("unsubscribes once; a second click says that it was done already", async () => {
    expect(await press()).toContain("You have unsubscribed.");
    expect(await status()).toEqual(["unsubscribed"]);
    expect(await rows("email_outbox")).toEqual([]);
    const before = await database();
    expect(await press()).toContain("You had already unsubscribed.");
    expect(await database()).toEqual(before);
    const { body } = await request(page);
    expect(visibleText(body)).toContain("is no longer on the waitlist");
    expect(body).not.toMatch(/<main.*<button.*<\/main>/s);
  });

  test("works again for someone who has rejoined", async () => {
    await press();
    await rejoinEntry(db, id, 0);
    expect(await press()).toContain("You have unsubscribed.");
    expect(await status()).toEqual(["unsubscribed"]);
  });

  test("does not offer to join again once the waitlist is closed", async () => {
    const textOf = async (vars: object) => (await read(`/unsubscribe/${token}`, vars)).text;
    await press();
    expect(await textOf({})).toContain("enter your address on our site again");
    expect(await textOf({ LAUNCH_URL })).toMatch(/in one of our emails\./);
    await eraseEntry(db, id, 0);
    expect(await textOf({})).toContain("join the waitlist again");
    expect(await textOf({ LAUNCH_URL })).not.toContain("join the waitlist");
  });

  test("says that an erased entry is gone, and reaches no later one", async () => {
    await eraseEntry(db, id, 0);
    await addEntry(db, { email: "grace@example.com", source: "landing_page", columns: {}, now: 0 });
    const { status: code, body } = await request(page);
    expect(code).toBe(200);
    expect(visibleText(body)).toContain("entry for this link no longer exists");
    expect((await postForm(page, {})).status).toBe(303);
    expect((await postForm(`${page}/one-click`, oneClickForm)).status).toBe(200);
    expect(await status()).toEqual(["active"]);
  });

  test("ignores a false claim in the query", async () => {
    for (const claim of ["done=unsubscribe", "already=unsubscribe", "done=erase", "done=__proto__", "done=<b>"]) {
      const text = visibleText((await request(`${page}?${claim}`)).body);
      expect(text).toContain("is on the waitlist");
      expect(text).not.toMatch(/erased|have unsubscribed/);
    }
  });

  test("configures no third-party service", async () => {
    const ids = { GA_MEASUREMENT_ID: "G-ABC123DEF4", META_PIXEL_ID: "1234567890", CF_BEACON_TOKEN: "0123456789abcdef" };
    expect((await request(site.SITE_URL, {}, ids)).body).toContain(ids.GA_MEASUREMENT_ID);
    const { body } = await request(page, {}, ids);
    for (const name of Object.values(ids)) expect(body).not.toContain(name);
  });

  test("rejects forms from other sites", async () => {
    for (const [name, value] of foreign) {
      expect((await request(page, { method: "POST", headers: { [name]: value }, body: "" })).status).toBe(403);
    }
    expect(await status()).toEqual(["active"]);
  });
});

describe("one click in an email client", () => {
  test("unsubscribes without cookies, Origin or redirect (RFC 8058), also a second time", async () => {
    for (let click = 0; click < 2; click += 1) {
      const { status: code, headers, body } = await postForm(`${page}/one-click`, oneClickForm);
      expect(code).toBe(200);
      expect(headers).toMatchObject({ "content-type": "text/plain; charset=utf-8" });
      expect(headers["set-cookie"]).toBeUndefined();
      expect(body).not.toMatch(/@|•••/);
      expect(await status()).toEqual(["unsubscribed"]);
    }
  });

  test.each(foreign)("unsubscribes with %s: %s, as webmail in a browser sends it", async (name, value) => {
    const headers = { [name]: value, Referer: "https://mail.example/inbox", Accept: "text/html" };
    const response = await request(`${page}/one-click`, {
      method: "POST",
      headers,
      body: new URLSearchParams(oneClickForm),
    });
    expect([response.status, response.body]).toEqual([200, "You have unsubscribed.\n"]);
    expect(await status()).toEqual(["unsubscribed"]);
  });

  test("is a POST of at most 4 KB: other methods change nothing", async () => {
    const origin = { Origin: "https://mail.example" };
    for (const method of ["GET", "HEAD", "PUT", "DELETE", "OPTIONS"]) {
      await request(`${page}/one-click`, { method, headers: origin });
    }
    const large = { method: "POST", headers: origin, body: "x".repeat(5_000) };
    expect((await request(`${page}/one-click`, large)).status).toBe(413);
    expect(await status()).toEqual(["active"]);
  });

  test("works with a multipart body, as some clients send it", async () => {
    const body = new FormData();
    body.set("List-Unsubscribe", "One-Click");
    expect((await request(`${page}/one-click`, { method: "POST", body })).status).toBe(200);
    expect(await status()).toEqual(["unsubscribed"]);
  });

  test("opened in a browser leads to the page with the button", async () => {
    const { status: code, headers } = await request(`${page}/one-click`);
    expect([code, headers["location"]]).toEqual([303, new URL(page).pathname]);
  });
});

test("GET and HEAD change nothing, with any query", async () => {
  const before = await database();
  for (const url of [page, `${page}/one-click`, `${page}.data`]) {
    for (const query of ["", "?List-Unsubscribe=One-Click", "?intent=unsubscribe", "?done=unsubscribe"]) {
      for (const method of ["GET", "HEAD"]) {
        expect([200, 303]).toContain((await request(url + query, { method })).status);
        expect(await database(), `${method} ${url}${query}`).toEqual(before);
      }
    }
  }
});

describe("each token does one thing", () => {
  test("an unsubscribe token cannot read, change or erase the entry", async () => {
    const before = await database();
    const entryPage = `${site.SITE_URL}/your-data/${token}`;
    const responses = [
      await request(entryPage),
      ...(await Promise.all(["unsubscribe", "rejoin", "erase"].map((intent) => postForm(entryPage, { intent })))),
    ];
    expect(responses.map(({ status: code }) => code)).toEqual([404, 404, 404, 404]);
    expect(await postForm(`${entryPage}/export`, {})).toMatchObject({ status: 303, body: "" });
    expect(responses.map(({ body }) => body).join()).not.toMatch(/•••|ada@/);
    expect(await database()).toEqual(before);
  });

  test("both stay separate even when HASH_KEY and LINK_SECRET are the same", async () => {
    const same = { LINK_SECRET: env.HASH_KEY };
    expect((await request(`${site.SITE_URL}/your-data/${token}`, {}, same)).status).toBe(404);
    const data = await dataToken(id, env.HASH_KEY);
    expect((await request(`${site.SITE_URL}/your-data/${data}`, {}, same)).status).toBe(200);
    expect((await postForm(`${site.SITE_URL}/unsubscribe/${data}/one-click`, oneClickForm, same)).status).toBe(404);
    expect(await status()).toEqual(["active"]);
  });

  test("a token of an entry's page cannot unsubscribe here", async () => {
    const wrong = `${site.SITE_URL}/unsubscribe/${await dataToken(id)}`;
    expect((await request(wrong)).status).toBe(404);
    expect((await postForm(wrong, {})).status).toBe(404);
    expect((await postForm(`${wrong}/one-click`, oneClickForm)).status).toBe(404);
    expect(await status()).toEqual(["active"]);
  });

  test("the page has no intents: it cannot erase", async () => {
    for (const url of [page, `${page}/one-click`]) await postForm(url, { intent: "erase" });
    expect(await status()).toEqual(["unsubscribed"]);
  });
});

test("neither the address nor the token is logged", async () => {
  await request(page);
  await postForm(page, {});
  await postForm(`${page}/one-click`, oneClickForm);
  await request(page, {}, { DB: null });
  const events = log.map((line) => JSON.parse(line));
  const change = { event: "entry-changed-by-subscriber", entryId: id, intent: "unsubscribe", changed: true };
  // Those that changed nothing are sampled.
  expect(events.filter(({ event, changed }) => event === change.event && changed)).toMatchObject([change]);
  expect(log.filter((line) => line.includes("@") || line.includes(token))).toEqual([]);
});
