import { env } from "cloudflare:test";
import { beforeEach, describe, expect, test } from "vitest";
import { openDb } from "#app/server/db/client.server.ts";
import { site as product } from "#app/site.ts";
import { unsubscribeEntry } from "#app/waitlist/entries.server.ts";
import { eraseEntry } from "#app/waitlist/erase-entries.server.ts";
import { visibleText } from "#tests/support/pool/built-page.ts";
import { hiddenFields, messageOf } from "#tests/support/pool/built-site.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/database.ts";
import { emailBinding } from "#tests/support/pool/email.ts";
import {
  confirmToken,
  createEntry,
  dataToken,
  postForm,
  request,
  site,
  unsubscribeToken,
} from "#tests/support/pool/email-links.ts";
import { captureLog } from "#tests/support/pool/log.ts";

/* The page behind a confirmation link. Bad tokens: bad-links.matrix.test.ts; scanners: email-scanners.matrix.test.ts. */

freshStorageForEachTest();
const log = captureLog();

const db = openDb(env.DB);

let id: number;
let token: string;
let page: string;

beforeEach(async () => {
  id = await createEntry("unconfirmed", "ada@example.com");
  token = await confirmToken(id);
  page = `${site.SITE_URL}/confirm/${token}`;
});

const database = async () => [await rows("waitlist_emails"), await rows("email_outbox"), await rows("erased_totals")];
const entry = async () => (await rows("waitlist_emails"))[0];

/** Presses the page's button and follows the redirect. */
async function press(overrides: object = {}): Promise<string> {
  const { status, headers } = await postForm(page, {}, overrides);
  expect(status).toBe(303);
  const location = new URL(headers["location"] ?? "", page);
  expect(location.pathname).toBe(new URL(page).pathname);
  return visibleText((await request(location.href)).body);
}

test("shows the masked address and one button, and no other link to the entry", async () => {
  const { status, body } = await request(page);
  expect(status).toBe(200);
  expect(visibleText(body)).toContain("Is a•••@e•••.com your address");
  expect(body).not.toContain("ada@example.com");
  const [main = ""] = /<main.*<\/main>/s.exec(body) ?? [];
  expect(main.match(/<button/g)).toHaveLength(1);
  expect(main).toMatch(/<form method="post"><p.*<button[^>]*type="submit">Confirm my address<\/button>/s);
  expect(body).not.toMatch(/(?:your-data|unsubscribe)\/\w/);
});

test("confirms once and sends the welcome email; a second click says that it is done already", async () => {
  const { binding, accepted } = emailBinding();
  await env.DB.exec("UPDATE email_outbox SET sent_at = 1");
  expect(await press({ EMAIL: binding })).toContain(
    "Thank you. Your address is confirmed. a•••@e•••.com is on the waitlist.",
  );
  expect(await entry()).toMatchObject({ status: "active", confirmed_at: expect.any(Number) });
  expect(accepted).toEqual(["ada@example.com"]);
  const before = await database();
  expect(before[1]).toMatchObject([{ kind: "confirm" }, { kind: "welcome", sent_at: expect.any(Number) }]);
  expect(await press({ EMAIL: binding })).toContain("Your address was already confirmed.");
  expect(await database()).toEqual(before);
  expect(accepted).toHaveLength(1);
  const { body } = await request(page);
  expect(visibleText(body)).toContain("is on the waitlist");
  expect(body).not.toContain("Confirm my address");
  expect(visibleText(body)).toContain(`You’re ${product.pioneer.one}`);
});

test("confirms even if the welcome email cannot be sent at once", async () => {
  const { binding } = emailBinding({ failures: 1 });
  expect(await press({ EMAIL: binding })).toContain("Your address is confirmed.");
  expect(await rows("email_outbox")).toMatchObject([{ kind: "welcome", sent_at: null, attempts: 1 }]);
});

test("is never cached, indexed or sent as referrer, in any state", async () => {
  const headers = [(await request(page)).headers, (await postForm(page, {})).headers, (await request(page)).headers];
  await eraseEntry(db, id, 0);
  headers.push((await request(page)).headers, (await request(`${page}x`)).headers);
  for (const each of headers) {
    expect(each).toMatchObject({
      "cache-control": "no-store",
      "x-robots-tag": "noindex",
      "referrer-policy": "same-origin",
    });
  }
});

test("does not put someone back who has left since", async () => {
  await unsubscribeEntry(db, id, 0);
  const before = await database();
  expect(visibleText((await request(page)).body)).toContain("is no longer on the waitlist");
  const text = await press();
  expect(text).toContain("is no longer on the waitlist");
  expect(text).not.toContain("confirmed");
  expect(await database()).toEqual(before);
});

test("says that an erased entry is gone, and reaches no later one", async () => {
  await eraseEntry(db, id, 0);
  await createEntry("unconfirmed", "grace@example.com");
  expect(visibleText((await request(page)).body)).toContain("entry for this link no longer exists");
  expect(await press()).toContain("entry for this link no longer exists");
  expect(await entry()).toMatchObject({ email: "grace@example.com", confirmed_at: null });
});

test("ignores a false claim in the query", async () => {
  for (const claim of ["done=confirm", "already=confirm", "done=__proto__", "done=<b>"]) {
    const text = visibleText((await request(`${page}?${claim}`)).body);
    expect(text).toContain("Is a•••@e•••.com your address");
    expect(text).not.toMatch(/is confirmed|was confirmed/);
  }
});

test("rejects forms from other sites", async () => {
  for (const Origin of ["https://evil.example", "null"]) {
    expect((await request(page, { method: "POST", headers: { Origin } })).status).toBe(403);
  }
  expect(await entry()).toMatchObject({ confirmed_at: null });
});

describe("each token does one thing", () => {
  test("a confirmation token cannot read, unsubscribe or erase the entry", async () => {
    const before = await database();
    for (const folder of ["your-data", "unsubscribe"]) {
      const other = `${site.SITE_URL}/${folder}/${token}`;
      expect((await request(other)).status).toBe(404);
      for (const intent of ["unsubscribe", "rejoin", "erase"])
        expect((await postForm(other, { intent })).status).toBe(404);
      expect([404, 405]).toContain((await postForm(`${other}/one-click`, {})).status);
      expect((await postForm(`${other}/export`, {})).body).not.toContain("ada@");
    }
    expect(await database()).toEqual(before);
  });

  test("no other token confirms, even if HASH_KEY and LINK_SECRET are the same", async () => {
    const same = { LINK_SECRET: env.HASH_KEY };
    for (const other of [
      await dataToken(id),
      await unsubscribeToken(id),
      await unsubscribeToken(id, env.LINK_SECRET),
    ]) {
      for (const overrides of [{}, same]) {
        const wrong = `${site.SITE_URL}/confirm/${other}`;
        expect((await request(wrong, {}, overrides)).status).toBe(404);
        expect((await postForm(wrong, {}, overrides)).status).toBe(404);
      }
    }
    expect(await entry()).toMatchObject({ confirmed_at: null });
  });

  test("a link signed with the previous secret works while LINK_SECRET_PREVIOUS is set", async () => {
    const rotated = { LINK_SECRET: "a-new-secret-a-new-secret-a-new-secret" };
    expect((await postForm(page, {}, rotated)).status).toBe(404);
    expect((await postForm(page, {}, { ...rotated, LINK_SECRET_PREVIOUS: env.LINK_SECRET })).status).toBe(303);
    expect(await entry()).toMatchObject({ confirmed_at: expect.any(Number) });
  });
});

test("neither the address nor the token is logged", async () => {
  await request(page);
  await postForm(page, {});
  await postForm(page, {});
  await request(page, {}, { DB: null });
  const changes = log.map((line) => JSON.parse(line)).filter(({ event }) => event === "entry-changed-by-subscriber");
  // Those that changed nothing are sampled.
  expect(changes.filter(({ changed }) => changed)).toMatchObject([{ entryId: id, intent: "confirm" }]);
  expect(log.filter((line) => line.includes("@") || line.includes(token))).toEqual([]);
});

describe("the sign-up form where CONFIRM_ADDRESSES is on", () => {
  const on = { CONFIRM_ADDRESSES: "on" };

  async function submit(overrides: object) {
    const form = await request(site.SITE_URL, {}, overrides);
    const fields = { ...hiddenFields(form.body), email: "bob@example.com" };
    const { status, body } = await postForm(site.SITE_URL, fields, overrides);
    return { form: form.body.replace(/nonce="[^"]*"/g, ""), status, message: messageOf(body) };
  }

  test("has the same words and answers as where it is off, and sends the confirmation email", async () => {
    const { binding, accepted } = emailBinding();
    const first = await submit({ ...on, EMAIL: binding });
    expect(first).toMatchObject({
      status: 201,
      message: { status: "success", text: "Thanks for joining! Please check your email." },
    });
    expect(accepted).toEqual(["bob@example.com"]);
    expect((await rows("email_outbox")).at(-1)).toMatchObject({ kind: "confirm", sent_at: expect.any(Number) });
    const again = await submit(on);
    expect(again).toMatchObject({
      status: 409,
      message: { status: "error", text: "This email is already on our waitlist!" },
    });
    expect(visibleText((await submit({})).form)).toBe(visibleText(first.form));
  });

  test("sends the welcome email at once where it is off", async () => {
    await submit({ CONFIRM_ADDRESSES: "off" });
    expect((await rows("email_outbox")).at(-1)).toMatchObject({ kind: "welcome" });
    expect((await rows("waitlist_emails")).at(-1)).toMatchObject({ confirm_by: null, confirmed_at: null });
  });
});
