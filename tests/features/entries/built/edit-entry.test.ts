import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { suppress } from "#app/server/db/suppressions.server.ts";
import { keyedHash } from "#app/server/hashes/address-hash.server.ts";
import { setAnswers, unsubscribeEntry } from "#app/waitlist/entries/entries.server.ts";
import { visibleText } from "#tests/support/pool/built.ts";
import {
  listedAddresses,
  loggedActions,
  type OwnerBrowser,
  problemsOf,
  signedIn,
  signedInBrowser,
} from "#tests/support/pool/owner.ts";
import { db, execute, freshStorageForEachTest, join, rows } from "#tests/support/pool/start.ts";
import { answerFields, answersToAll } from "#tests/support/site-answers.ts";

/* An owner corrects an entry, undoes an unsubscription, lifts a suppression, and finds people by their notes. */

const log = freshStorageForEachTest();

const browser = signedInBrowser();

const OLD = "ada@exmaple.com";
const NEW = "ada@example.com";
const PAGE = "/owner/entries/1/edit";

const textOf = async (path: string, by = browser) => visibleText((await by.request(path)).body);
const entry = async () => (await rows<Record<string, unknown>>("waitlist_emails"))[0];
const sentTo = (email: string) => browser.emails.filter(({ to }) => to === email);

/** Posts the form as its page shows it, with other fields. */
async function edit(fields: Record<string, string>, { by = browser, shown = "" } = {}) {
  const body = shown || (await by.request(PAGE)).body;
  return by.post(PAGE, { ...hiddenOf(body), ...fields });
}

function hiddenOf(body: string): Record<string, string> {
  const inputs = body.matchAll(/<input type="hidden" name="(version|form)" value="([^"]*)"/g);
  return Object.fromEntries(Array.from(inputs, ([, name = "", value = ""]) => [name, value]));
}

const hash = (email: string) => keyedHash("address:v1", email, env.HASH_KEY);

test("the entry's page leads to the form, which keeps the list's filters", async () => {
  await join(OLD);
  const { body } = await browser.request("/owner/entries/1?status=active");
  expect(body).toContain('href="/owner/entries/1/edit?status=active"');
  const { headers } = await browser.post(`${PAGE}?status=active`, { email: NEW });
  expect(headers.get("Location")).toBe("/owner/entries/1?status=active&done=address-changed");
});

test("an address and answers are corrected at once, and the log has the entry's number", async () => {
  await join(OLD);
  const answers = answersToAll(0);
  expect((await edit({ email: " ADA@example.com", ...answerFields(answers) })).headers.get("Location")).toBe(
    "/owner/entries/1?done=address-changed",
  );
  expect(await entry()).toMatchObject({ email: NEW, confirm_by: null });
  const logged = [["change-address", { entryId: 1 }]];
  expect(await loggedActions()).toEqual(
    Object.keys(answers).length === 0 ? logged : [...logged, ["change-entry", { entryId: 1 }]],
  );
  expect(log.join()).not.toMatch(/ada@/);
  await browser.runCron();
  expect([sentTo(OLD), sentTo(NEW)]).toMatchObject([[], [{ to: NEW }]]);
  expect((await edit({})).headers.get("Location")).toContain("done=unchanged");
});

test("a mistake is shown beside its field, and changes nothing", async () => {
  await join(OLD);
  const { status, body } = await edit({ email: "ada" });
  expect([status, problemsOf(body)]).toEqual([422, { email: "Enter an email address, such as name@example.com." }]);
  expect(body).toContain('value="ada"');
  expect(await entry()).toMatchObject({ email: OLD });
  expect((await browser.request("/owner/entries/9/edit")).status).toBe(404);
  expect((await browser.post("/owner/entries/9/edit", { email: NEW })).status).toBe(404);
});

test("where addresses are confirmed, the new one is sent its email at once", async () => {
  const confirming = await signedIn({ CONFIRM_ADDRESSES: "on" });
  await join(OLD);
  expect(await textOf(PAGE, confirming)).toContain("An email asks to confirm the new address.");
  const { headers } = await edit({ email: NEW }, { by: confirming });
  expect(headers.get("Location")).toBe("/owner/entries/1?done=address-to-confirm");
  const [email] = confirming.emails.filter(({ to }) => to === NEW);
  const path = /\/confirm\/[\w.-]+/.exec(email?.text ?? "")?.[0] ?? "no link";
  expect((await confirming.post(path)).headers.get("Location")).toBe(`${path}?done=confirm`);
  expect(await entry()).toMatchObject({ email: NEW, confirmed_at: expect.any(Number) });
  await confirming.runCron();
  expect(confirming.emails.filter(({ to }) => to === OLD)).toEqual([]);
});

test("a link that was emailed to the old address does not confirm the new one", async () => {
  const confirming = await signedIn({ CONFIRM_ADDRESSES: "on" });
  await join(OLD, { mustConfirm: true });
  await confirming.runCron();
  const text = confirming.emails.find(({ to }) => to === OLD)?.text ?? "";
  const path = /\/confirm\/[\w.-]+/.exec(text)?.[0] ?? "no link";
  await edit({ email: NEW }, { by: confirming });
  expect((await confirming.request(path)).status).toBe(404);
  expect((await confirming.post(path)).headers.get("Location")).toContain("already=confirm");
  expect(await entry()).toMatchObject({ email: NEW, confirmed_at: null });
});

test.each<[string, () => Promise<unknown>, RegExp]>([
  ["is on the list", () => join(NEW), /Another entry has this address, so .* See that entry/],
  [
    "gets no email",
    async () => suppress(db, { hashes: [await hash(NEW)], reason: "never", until: null }, 1),
    /The new address gets no email: .* Nothing was changed/,
  ],
])("the page says that an address %s", async (_, prepare, text) => {
  await join(OLD);
  await prepare();
  const { status, body } = await edit({ email: NEW });
  expect([status, visibleText(body)]).toEqual([409, expect.stringMatching(text)]);
  expect(body).toContain(`value="${NEW}"`);
  expect(await entry()).toMatchObject({ email: OLD });
});

test("an unsubscribed person's answers can be changed, and not the address", async () => {
  await join(OLD);
  await unsubscribeEntry(db, 1, Date.now());
  expect((await browser.request(PAGE)).body).not.toContain('name="email"');
  expect((await edit({ email: NEW })).status).toBe(409);
  expect(await entry()).toMatchObject({ email: OLD });
});

test("of two owners the second is shown what the first has saved, and saves it again to replace it", async () => {
  const owners = { OWNER_EMAIL: "ada@market.example, bob@market.example" };
  const [ada, bob] = (await Promise.all(
    ["ada", "bob"].map((name) => signedIn(owners, undefined, `${name}@market.example`)),
  )) as [OwnerBrowser, OwnerBrowser];
  await join(OLD);
  const shown = (await bob.request(PAGE)).body;
  await edit({ email: NEW }, { by: ada });
  const refused = await edit({ email: "ada@example.org" }, { by: bob, shown });
  expect([refused.status, visibleText(refused.body)]).toEqual([
    409,
    expect.stringMatching(/Another text was saved.*ada@example\.com.*ada@example\.org/),
  ]);
  expect(refused.body).not.toContain("earlier versions");
  expect(await entry()).toMatchObject({ email: NEW });
  expect((await edit({ email: "ada@example.org" }, { by: bob, shown: refused.body })).status).toBe(303);
  expect(await entry()).toMatchObject({ email: "ada@example.org" });
  expect(await rows("saved_versions")).toEqual([]);
});

test("an answer that its person has changed since is not replaced unseen", async ({ skip }) => {
  const [first, second] = [answersToAll(0), answersToAll(1)];
  const [key] = Object.keys(first);
  skip(key === undefined, "The site asks nothing.");
  await join(OLD);
  const shown = (await browser.request(PAGE)).body;
  await setAnswers(db, 1, second, Date.now());
  expect((await edit({ email: OLD, ...answerFields(first) }, { shown })).status).toBe(409);
  expect(JSON.parse(String((await entry())?.["answers"]))).toEqual(second);
});

describe("undoing an unsubscription", () => {
  const post = (intent: string) => browser.post("/owner/entries/1", { intent });
  const day = 24 * 3_600_000;

  test("puts the person back as they were, once", async () => {
    await join(NEW);
    const before = await entry();
    await post("unsubscribe");
    expect(await textOf("/owner/entries/1")).toContain("An owner unsubscribed this person, which can be undone until");
    expect((await post("undo")).headers.get("Location")).toContain("done=unsubscribing-undone");
    expect(await entry()).toEqual(before);
    expect((await post("undo")).headers.get("Location")).toContain("done=unchanged");
    expect((await loggedActions()).map(([action]) => action)).toEqual(["unsubscribe", "undo-unsubscribe"]);
  });

  test.each<[string, (at: number) => Promise<unknown>]>([
    ["the person has left as well", () => unsubscribeEntry(db, 1, Date.now())],
    ["30 days are over", (at) => execute("UPDATE waitlist_emails SET unsubscribed_at = ?", at - 30 * day)],
    ["a program did it", () => execute("UPDATE owner_log SET actor = 'API key: CRM' WHERE action = 'unsubscribe'")],
    [
      "the address has bounced since",
      async (at) => {
        await execute("UPDATE waitlist_emails SET address_hash = ?", await hash(NEW));
        await suppress(db, { hashes: [await hash(NEW)], reason: "hard-bounce", until: at + day }, at);
      },
    ],
    ["a file said so, too", () => execute("UPDATE waitlist_emails SET unsubscribe_reason = 'import'")],
  ])("is not possible once %s", async (_, change) => {
    await join(NEW);
    await post("unsubscribe");
    await change(Date.now());
    expect((await browser.request("/owner/entries/1")).body).not.toContain('value="undo"');
    expect((await post("undo")).headers.get("Location")).toContain("done=unchanged");
    expect(await entry()).toMatchObject({ status: "unsubscribed" });
  });
});

test.each(["hard-bounce", "soft-bounces", "complaint", "never", "blocked"] as const)(
  "a suppression (%s) is lifted for a reason that the log keeps",
  async (reason) => {
    await join(NEW);
    await suppress(db, { hashes: [await hash(NEW)], reason, until: null }, 1);
    const scopes = reason === "never" ? ["stats:read"] : ["entries:read"];
    await execute(
      "INSERT INTO api_keys (name, hash, scopes, created_at) VALUES ('CRM', 'hash', ?, 1)",
      JSON.stringify(scopes),
    );
    const { body } = await browser.request("/owner/entries/1");
    const why = Array.from(body.matchAll(/<option value="([a-z]+)"/g), ([, value]) => value ?? "").at(-1) ?? "";
    const post = (fields: Record<string, string>) =>
      browser.post("/owner/entries/1", { intent: "allow", suppression: reason, why, ...fields });
    for (const [name, value] of [
      ["why", ""],
      ["why", "toString"],
      ["suppression", "toString"],
    ] as const) {
      expect((await post({ [name]: value })).headers.get("Location")).toContain("done=allow-refused");
    }
    const other = reason === "blocked" ? "complaint" : "blocked";
    expect((await post({ suppression: other, why: "asked" })).headers.get("Location")).toContain("done=unchanged");
    expect(await rows("suppressions")).toHaveLength(1);
    expect(await rows("entry_changes")).toEqual([]);
    expect((await post({})).headers.get("Location")).toContain("done=allowed");
    expect(await rows("suppressions")).toEqual([]);
    // A program that keeps a copy of the list is told.
    expect(await rows("entry_changes")).toMatchObject(reason === "never" ? [] : [{ entry_id: 1 }]);
    expect(await loggedActions()).toEqual([["unsuppress", { entryId: 1, reason, why }]]);
    expect((await browser.request("/owner/entries/1")).body).not.toContain('value="allow"');
    expect(await textOf("/owner/log")).toContain("Allowed email to an address again");
  },
);

test("people are found by words of their notes, in the export too", async () => {
  await join("ada@example.com");
  await join("bob@example.com");
  await join("carol@example.com");
  await execute("UPDATE waitlist_emails SET owner_note = 'Met at the Österreich stall: wants TWO tables' WHERE id = 1");
  await execute("UPDATE waitlist_emails SET owner_note = 'Wants one table' WHERE id = 2");
  const search = async (text: string) => {
    const { headers } = await browser.post("/owner/entries", { search: text });
    return headers.get("Location") ?? "no redirect";
  };
  const found = async (text: string) => listedAddresses((await browser.request(await search(text))).body);
  expect(await found("wants table")).toEqual(["ada@example.com", "bob@example.com"]);
  expect(await found("two  wants")).toEqual(["ada@example.com"]);
  expect(await found("Österreich")).toEqual(["ada@example.com"]);
  expect(await found("carol")).toEqual(["carol@example.com"]);
  expect(await found("%")).toEqual([]);
  const path = await search("two tables");
  expect(await textOf(path)).toContain("Note: Met at the Österreich stall: wants TWO tables");
  const file = await browser.post(`/owner/export.csv${new URL(path, env.SITE_URL).search}`, { format: "csv" });
  expect(file.body).toContain("ada@example.com");
  expect(file.body).not.toContain("bob@example.com");
});
