import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { renderContent } from "#app/email/blocks/render-content.server.ts";
import { applyProviderEvent } from "#app/email/provider-events.server.ts";
import { welcomeEmail } from "#app/email/templates/welcome-email.server.ts";
import {
  createEntry,
  dataToken,
  postForm,
  request,
  site,
  unsubscribeToken,
  visibleText,
} from "#tests/support/pool/built.ts";
import { db, execute, freshStorageForEachTest } from "#tests/support/pool/start.ts";
import { storeLetter } from "#tests/support/pool/stored-letter.ts";

/* What people who leave are told about an email that cannot be called back. */

freshStorageForEachTest();

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
const oneClick = async (id: number) =>
  submit(`${await unsubscribePage(id)}/one-click`, { "List-Unsubscribe": "One-Click" });

/** Each leads to the text that the person reads. */
const ways: [string, (id: number) => Promise<string>][] = [
  ["the unsubscribe page", async (id) => submit(await unsubscribePage(id), {})],
  ["one click", oneClick],
  ["the page of the entry", async (id) => submit(await entryPage(id), { intent: "unsubscribe" })],
  ["never", async (id) => submit(await entryPage(id), { intent: "never" })],
  ["erasing", async (id) => submit(await entryPage(id), { intent: "erase" })],
];

/** Ways after which the person may open a page later. */
const silentWays: typeof ways = [
  ["one click, on a page opened later", (id) => oneClick(id).then(async () => readPage(await unsubscribePage(id)))],
  [
    "a complaint, on a page opened later",
    async (id) => {
      const deps = { db: db, emailContext: { hashKey: env.HASH_KEY, ownerEmails: [] }, now: Date.now };
      await applyProviderEvent(deps, { id: "event", kind: "complaint", about: null, recipient: EMAIL });
      return `${await readPage(await unsubscribePage(id))} ${await readPage(await entryPage(id))}`;
    },
  ],
];

/** The entry's letter: its batch was attempted then, or never. */
async function letter(attemptedAt: number | null, state = "pending") {
  await storeLetter({ state: "sending" });
  await execute("INSERT INTO letter_batches (letter_id, number, first_attempt_at) VALUES (1, 1, ?)", attemptedAt);
  await execute("INSERT INTO letter_recipients (letter_id, position, entry_id, state) VALUES (1, 107, 1, ?)", state);
}

const attempted = "UPDATE email_outbox SET first_attempt_at = ?1";

/** What may be on its way, and whether the person is told. */
const emails: [string, boolean, () => Promise<unknown>][] = [
  ["a sign-up email whose outcome is not known", true, () => execute(attempted, Date.now())],
  ["a letter whose outcome is not known", true, () => letter(Date.now())],
  ["an email that waits for its first attempt", false, async () => {}],
  ["an email that was sent", false, () => execute(`${attempted}, done_at = ?1`, Date.now())],
  ["a letter that waits for its first attempt", false, () => letter(null)],
  ["a letter that was sent", false, () => letter(Date.now(), "sent")],
];

describe.each([
  ...ways.map((way) => [...way, emails, /You’ve unsubscribed|We’ll never|has been erased/] as const),
  // Nothing is known any more of a sign-up email.
  ...silentWays.map((way) => [...way, emails.slice(1), /off the waitlist|is no longer on the waitlist/] as const),
])("leaving by %s", (_way, leave, possible, says) => {
  test.each(possible)("with %s: one may still arrive is %s", async (_email, mayArrive, begin) => {
    const id = await createEntry("active", EMAIL);
    await begin();
    const text = await leave(id);
    expect(text).toMatch(says);
    expect(text.includes(NOTE)).toBe(mayArrive);
  });
});

test("the page after unsubscribing names a link that the welcome email has", async () => {
  const id = await createEntry("active", EMAIL);
  const page = await submit(await unsubscribePage(id), {});
  const [, label = "none"] = /use “([^”]+)” in one of our emails/.exec(page) ?? [];
  const urls = { dataUrl: "https://d.example", confirmUrl: "", unsubscribeUrl: "" };
  const props = { siteUrl: site.SITE_URL, controller: { name: "", address: "" }, ...urls };
  expect(renderContent(welcomeEmail(props)).text).toContain(`${label}: https://d.example`);
});
