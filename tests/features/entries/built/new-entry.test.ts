import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { suppress } from "#app/server/db/suppressions.server.ts";
import { keyedHash } from "#app/server/hashes/address-hash.server.ts";
import { questions, site } from "#app/site.ts";
import { unsubscribeEntry } from "#app/waitlist/entries/entries.server.ts";
import { eraseOwnEntry } from "#app/waitlist/entries/erase-entries.server.ts";
import { answerField, answerText } from "#app/waitlist/questions/answers.ts";
import { dataToken, read, visibleText } from "#tests/support/pool/built.ts";
import { loggedActions, problemsOf, signedIn, signedInBrowser } from "#tests/support/pool/owner.ts";
import { db, freshStorageForEachTest, join, rows } from "#tests/support/pool/start.ts";
import { answerFields, answersToAll } from "#tests/support/site-answers.ts";

/* An owner adds one person by hand. */

const log = freshStorageForEachTest();

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

test("the list leads to the form, and the person is added with the record of their consent", async () => {
  expect((await browser.request("/owner/entries")).body).toContain('href="/owner/entries/new"');
  const answers = answersToAll(0);
  const { status, headers } = await add(answerFields(answers));
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
  expect(await loggedActions()).toEqual([["add-entry", { entryId: 1 }]]);
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

test("where addresses have to be confirmed, the person is asked to, unless no email is sent", async () => {
  const owner = await signedIn({ CONFIRM_ADDRESSES: "on" });
  expect((await owner.request("/owner/entries/new")).body).toContain("Confirmation email");
  await add({}, owner);
  await owner.runCron();
  const [email, ...others] = emailsTo(owner);
  expect([email?.subject, others]).toEqual([expect.stringContaining("confirm your address"), []]);
  expect(email?.text).toContain(`The owner of ${site.name} added this address to the waitlist.`);
  expect(await rows("waitlist_emails")).toMatchObject([{ confirm_by: expect.any(Number), confirmed_at: null }]);
  // The owner recorded how they agreed.
  await add({ send: "no", email: "bob@example.com" }, owner);
  expect((await rows("waitlist_emails"))[1]).toMatchObject({ confirm_by: null });
});

test.each<[what: string, fields: Record<string, string>, field: string]>([
  ["no address", { email: "" }, "email"],
  ["a malformed address", { email: "ada" }, "email"],
  ["no day of consent", { "consent-date": "" }, "consent-date"],
  ["no such day", { "consent-date": "2026-02-30" }, "consent-date"],
  ["a day to come", { "consent-date": "2099-01-01" }, "consent-date"],
  ["nothing on how they agreed", { note: "  " }, "note"],
  ["too much on how they agreed", { note: "n".repeat(301) }, "note"],
])("%s is refused beside its field, and what was typed stays", async (_, fields, field) => {
  const { status, body } = await add(fields);
  expect([status, problemsOf(body)]).toEqual([422, { [field]: expect.stringMatching(/\.$/) }]);
  expect(body).toContain('value="Autumn Fair"');
  expect([await rows("waitlist_emails"), await loggedActions()]).toEqual([[], []]);
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

const block = async (reason: "complaint" | "hard-bounce", until: number | null) =>
  suppress(db, { hashes: [await keyedHash("address:v1", EMAIL, env.HASH_KEY)], reason, until }, 1);
const selfErase = async (id: number) =>
  eraseOwnEntry(db, id, await keyedHash("address:v1", EMAIL, env.HASH_KEY), Date.now());

test.each<[what: string, prepare: () => Promise<unknown>, text: string]>([
  ["is on the list", () => join(EMAIL), "is on the waitlist already"],
  ["has yet to be confirmed", () => join(EMAIL, { mustConfirm: true }), "is on the waitlist already"],
  [
    "left",
    async () => unsubscribeEntry(db, await join(EMAIL), Date.now()),
    "has unsubscribed, and only they can rejoin",
  ],
  ["reported spam", () => block("complaint", null), "gets no email: The recipient reported an email as spam."],
  ["bounced", () => block("hard-bounce", Date.UTC(2099, 0, 2)), "gets no email until 2 Jan 2099, 00:00"],
  ["was erased by its person", async () => selfErase(await join(EMAIL)), "or erased their entry themselves"],
])("nothing changes if the address %s, and the page says why", async (_, prepare, text) => {
  await prepare();
  const stored = async () => JSON.stringify([await rows("waitlist_emails"), await rows("email_outbox")]);
  const before = await stored();
  const { status, body } = await add();
  expect([status, visibleText(body)]).toEqual([409, expect.stringContaining(text)]);
  expect(body).toContain("Asked me");
  expect([await stored(), await loggedActions()]).toEqual([before, []]);
});
