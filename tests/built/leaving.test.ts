import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { renderContent } from "#app/email/blocks/render-content.server.ts";
import { applyProviderEvent } from "#app/email/provider-events.server.ts";
import { welcomeEmail } from "#app/email/templates/welcome-email.server.ts";
import { openDb } from "#app/server/db/client.server.ts";
import { visibleText } from "#tests/support/pool/built-page.ts";
import { freshStorageForEachTest } from "#tests/support/pool/database.ts";
import { createEntry, dataToken, postForm, request, site, unsubscribeToken } from "#tests/support/pool/email-links.ts";
import { captureLog } from "#tests/support/pool/log.ts";

/* What people who leave are told about an email that cannot be called back. */

freshStorageForEachTest();
captureLog();

const EMAIL = "ada@example.com";
const NOTE = "One email that was already on its way may still arrive.";

/** Posts a form, and reads the page that it leads to. */
async function submit(path: string, fields: Record<string, string>): Promise<string> {
  const { status, headers, body } = await postForm(site.SITE_URL + path, fields);
  return status === 303 ? readPage(headers["location"] ?? "") : body;
}

const readPage = async (path: string) => visibleText((await request(site.SITE_URL + path)).body);

const unsubscribePage = async (id: number) => `/unsubscribe/${await unsubscribeToken(id)}`;
const entryPage = async (id: number) => `/your-data/${await dataToken(id)}`;

test("the page after unsubscribing names a link that the welcome email has", async () => {
  const id = await createEntry("active", EMAIL);
  const page = await submit(await unsubscribePage(id), {});
  const [, label = "none"] = /use “([^”]+)” in one of our emails/.exec(page) ?? [];
  const urls = { dataUrl: "https://d.example", confirmUrl: "", unsubscribeUrl: "" };
  const props = { siteUrl: site.SITE_URL, controller: { name: "", address: "" }, ...urls };
  expect(renderContent(welcomeEmail(props)).text).toContain(`${label}: https://d.example`);
});

/** Each leads to the text that the person reads. */
const ways: [string, (id: number) => Promise<string>][] = [
  ["the unsubscribe page", async (id) => submit(await unsubscribePage(id), {})],
  ["one click", async (id) => submit(`${await unsubscribePage(id)}/one-click`, { "List-Unsubscribe": "One-Click" })],
  ["the page of the entry", async (id) => submit(await entryPage(id), { intent: "unsubscribe" })],
  ["never", async (id) => submit(await entryPage(id), { intent: "never" })],
  ["erasing", async (id) => submit(await entryPage(id), { intent: "erase" })],
];

/** Ways after which the person may open a page later. */
const silentWays: [string, (id: number) => Promise<string>][] = [
  [
    "one click",
    async (id) => {
      await submit(`${await unsubscribePage(id)}/one-click`, { "List-Unsubscribe": "One-Click" });
      return readPage(await unsubscribePage(id));
    },
  ],
  [
    "a complaint",
    async (id) => {
      const emailContext = { hashKey: env.HASH_KEY, ownerEmails: [] };
      const deps = { db: openDb(env.DB), emailContext, now: Date.now };
      await applyProviderEvent(deps, { id: "event", kind: "complaint", about: null, recipient: EMAIL });
      return `${await readPage(await unsubscribePage(id))} ${await readPage(await entryPage(id))}`;
    },
  ],
];

const run = (sql: string, ...values: unknown[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .run();

/** The entry's letter: its batch was attempted then, or never. */
async function letter(attemptedAt: number | null, state = "pending") {
  await run(`INSERT INTO letters (id, key, state, subject, preview_line, body, audience, created_at, updated_at)
    VALUES (1, 'k', 'sending', 'News', '', 'Hello.', '{}', 0, 0)`);
  await run("INSERT INTO letter_batches (letter_id, number, first_attempt_at) VALUES (1, 1, ?)", attemptedAt);
  await run("INSERT INTO letter_recipients (letter_id, position, entry_id, state) VALUES (1, 107, 1, ?)", state);
}

const attempted: [string, () => Promise<unknown>][] = [
  ["a sign-up email", () => run("UPDATE email_outbox SET attempts = 1, first_attempt_at = ?", Date.now())],
  ["a letter", () => letter(Date.now())],
];

const idle: [string, () => Promise<unknown>][] = [
  ["an email that waits for its first attempt", async () => {}],
  ["an email that was sent", () => run("UPDATE email_outbox SET first_attempt_at = ?1, sent_at = ?1", Date.now())],
  ["a letter that waits for its first attempt", () => letter(null)],
  ["a letter that was sent", () => letter(Date.now(), "sent")],
];

describe.each(attempted)("with %s whose outcome is not known", (_email, begin) => {
  test.each(ways)("%s says that one may still arrive", async (_way, leave) => {
    const id = await createEntry("active", EMAIL);
    await begin();
    const text = await leave(id);
    expect(text).toMatch(/You have unsubscribed|We will never|has been erased/);
    expect(text).toContain(NOTE);
  });
});

test.each(silentWays)("after %s, the page says that a letter may still arrive", async (_way, leave) => {
  const id = await createEntry("active", EMAIL);
  await letter(Date.now());
  expect(await leave(id)).toContain(NOTE);
});

describe.each(idle)("with %s", (_email, begin) => {
  test.each([...ways, ...silentWays])("%s promises no more email", async (_way, leave) => {
    const id = await createEntry("active", EMAIL);
    await begin();
    expect(await leave(id)).not.toContain(NOTE);
  });
});

test("a page whose query says so is not believed while the person is on the list", async () => {
  const id = await createEntry("active", EMAIL);
  expect(await readPage(`${await unsubscribePage(id)}?done=unsubscribe&under-way`)).not.toContain(NOTE);
});
