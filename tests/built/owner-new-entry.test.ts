import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { keyedHash } from "#app/server/address-hash.server.ts";
import { openDb } from "#app/server/db/client.server.ts";
import { suppress } from "#app/server/db/suppressions.server.ts";
import { questions, site } from "#app/site.ts";
import { unsubscribeEntry } from "#app/waitlist/entries.server.ts";
import { eraseOwnEntry } from "#app/waitlist/erase-entries.server.ts";
import { answerField, answerText } from "#app/waitlist/questions/answers.ts";
import { read, visibleText } from "#tests/support/pool/built-page.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/database.ts";
import { dataToken } from "#tests/support/pool/email-links.ts";
import { join } from "#tests/support/pool/join.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { ownerBrowser, signedIn, signedInBrowser } from "#tests/support/pool/owner.ts";
import { problemsOf } from "#tests/support/pool/owners-problems.ts";
import { answersToAll } from "#tests/support/site-answers.ts";

/* An owner adds one person by hand. */

freshStorageForEachTest();
const log = captureLog();

const browser = signedInBrowser({ OWNER_TIME_ZONE: "Europe/London" });

const EMAIL = "ada@example.com";

const person = {
  email: " Ada@Example.com ",
  source: "Autumn Fair",
  "consent-date": "2026-07-04",
  note: "Asked me\r\nat the stall",
  send: "yes",
};

const add = (fields: Record<string, string> = {}, by = browser) =>
  by.post("/owner/entries/new", { ...person, ...fields });
const emailsTo = (by = browser) => by.emails.filter(({ to }) => to === EMAIL);
const actions = async () =>
  (await rows<{ action: string; details: string }>("owner_log"))
    .slice(1)
    .map(({ action, details }) => [action, JSON.parse(details)]);

test("the list leads to the form, and the person is added with the record of their consent", async () => {
  expect((await browser.request("/owner/entries")).body).toContain('href="/owner/entries/new"');
  const answers = answersToAll(0);
  const fields = Object.fromEntries(Object.entries(answers).map(([key, value]) => [answerField({ key }), value]));
  const { status, headers } = await add(fields);
  expect([status, headers.get("Location")]).toEqual([303, "/owner/entries/1?done=added"]);
  const [entry] = await rows<Record<string, unknown>>("waitlist_emails");
  expect(entry).toMatchObject({
    email: EMAIL,
    source: "autumn_fair",
    status: "active",
    consent_at: Date.UTC(2026, 6, 3, 23),
    consent_note: "Asked me at the stall",
    consent_version: null,
    confirm_by: null,
    import_id: null,
    address_hash: await keyedHash("address:v1", EMAIL, env.HASH_KEY),
  });
  expect(JSON.parse(String(entry?.["answers"])) ?? {}).toEqual(questions.length === 0 ? {} : answers);
  const page = visibleText((await browser.request("/owner/entries/1?done=added")).body);
  for (const part of ["The person is on the waitlist.", "How they agreed Asked me at the stall", "Welcome Sent"]) {
    expect(page).toContain(part);
  }
  for (const question of questions) expect(page).toContain(answerText(question, answers[question.key] ?? ""));
  expect(emailsTo()).toHaveLength(1);
  expect(emailsTo()[0]?.text).toContain("you gave us this address for our waitlist, outside our site");
  expect(await actions()).toEqual([["add-entry", { entryId: 1 }]]);
  expect(log.join().toLowerCase()).not.toContain(EMAIL);
  const own = await read(`/your-data/${await dataToken(1)}`);
  expect(own.text).toContain("We added you by hand");
});

test("no email is sent unless the owner chooses so, and a source is optional", async () => {
  const { headers } = await add({ send: "no", source: "" });
  expect(headers.get("Location")).toBe("/owner/entries/1?done=added-quietly");
  await browser.runCron();
  expect(emailsTo()).toEqual([]);
  expect(visibleText((await browser.request("/owner/entries/1")).body)).toContain("Source Added by hand");
});

describe("where addresses have to be confirmed", () => {
  const confirming = () => signedIn({ CONFIRM_ADDRESSES: "on" });

  test("the person is sent the email that asks for it, and no other before that", async () => {
    const owner = await confirming();
    expect((await owner.request("/owner/entries/new")).body).toContain("Confirmation email");
    await add({}, owner);
    await owner.runCron();
    expect(emailsTo(owner).map(({ subject }) => subject)).toEqual([expect.stringContaining("confirm your address")]);
    expect(emailsTo(owner)[0]?.text).toContain(`The owner of ${site.name} added this address to the waitlist.`);
    expect(emailsTo(owner)[0]?.text).not.toMatch(/someone entered/i);
    expect(await rows("waitlist_emails")).toMatchObject([{ confirm_by: expect.any(Number), confirmed_at: null }]);
  });

  test("without it they are not asked, because the owner recorded how they agreed", async () => {
    const owner = await confirming();
    await add({ send: "no" }, owner);
    expect(await rows("waitlist_emails")).toMatchObject([{ confirm_by: null }]);
    expect(emailsTo(owner)).toEqual([]);
  });
});

const malformed: [what: string, fields: Record<string, string>, field: string][] = [
  ["no address", { email: "" }, "email"],
  ["a malformed address", { email: "ada" }, "email"],
  ["no day of consent", { "consent-date": "" }, "consent-date"],
  ["no such day", { "consent-date": "2026-02-30" }, "consent-date"],
  ["a day to come", { "consent-date": "2099-01-01" }, "consent-date"],
  ["nothing on how they agreed", { note: "  " }, "note"],
  ["too much on how they agreed", { note: "n".repeat(301) }, "note"],
];

test.each(malformed)("%s is refused beside its field, and what was typed stays", async (_, fields, field) => {
  const { status, body } = await add(fields);
  expect(status).toBe(422);
  expect(problemsOf(body)).toEqual({ [field]: expect.stringMatching(/\.$/) });
  expect(body).toContain('value="Autumn Fair"');
  expect(await rows("waitlist_emails")).toEqual([]);
  expect(await actions()).toEqual([]);
});

test.runIf(questions.some(({ answers }) => answers !== undefined))(
  "an answer that is not offered is refused",
  async () => {
    const question = questions.find(({ answers }) => answers !== undefined);
    const field = answerField({ key: question?.key ?? "" });
    const { status, body } = await add({ [field]: "no such answer" });
    expect([status, Object.keys(problemsOf(body))]).toEqual([422, [field]]);
  },
);

describe("nothing changes, and the page says why, if the address", () => {
  const db = () => openDb(env.DB);
  const hash = () => keyedHash("address:v1", EMAIL, env.HASH_KEY);

  const cases: [what: string, prepare: () => Promise<unknown>, text: string][] = [
    ["is on the list", () => join(EMAIL), "is on the waitlist already. Nothing was changed. See the entry"],
    ["has yet to be confirmed", () => join(EMAIL, { mustConfirm: true }), "is on the waitlist already"],
    [
      "has unsubscribed",
      async () => unsubscribeEntry(db(), await join(EMAIL), Date.now()),
      "has unsubscribed, and only they can rejoin",
    ],
    [
      "gets no email, for good",
      async () => suppress(db(), { hashes: [await hash()], reason: "complaint", until: null }, 1),
      "gets no email: The recipient reported an email as spam. The person was not added.",
    ],
    [
      "bounced",
      async () => suppress(db(), { hashes: [await hash()], reason: "hard-bounce", until: Date.UTC(2099, 0, 2) }, 1),
      "gets no email until 2 Jan 2099, 00:00: This address does not accept email.",
    ],
    [
      "was erased by its person",
      async () => eraseOwnEntry(db(), await join(EMAIL), await hash(), Date.now()),
      "had left the waitlist or erased their entry themselves",
    ],
  ];

  test.each(cases)("%s", async (_, prepare, text) => {
    await prepare();
    const stored = async () => JSON.stringify([await rows("waitlist_emails"), await rows("email_outbox")]);
    const before = await stored();
    const { status, body } = await add();
    expect(status).toBe(409);
    expect(visibleText(body)).toContain(text);
    expect(body).toContain("Asked me");
    expect(await stored()).toBe(before);
    expect(await actions()).toEqual([]);
  });
});

test("without a session, the form is neither shown nor read", async () => {
  const stranger = ownerBrowser();
  const { status, body } = await add({}, stranger);
  expect([status, body.includes("Autumn Fair")]).toEqual([403, false]);
  expect((await stranger.request("/owner/entries/new")).body).not.toContain("consent");
  expect(await rows("waitlist_emails")).toEqual([]);
});
