import { beforeEach, expect, test } from "vitest";
import { visibleText } from "#tests/support/pool/built-page.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/database.ts";
import { dataToken } from "#tests/support/pool/email-links.ts";
import { join } from "#tests/support/pool/join.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { signedInBrowser } from "#tests/support/pool/owner.ts";

freshStorageForEachTest();
const log = captureLog();

const browser = signedInBrowser();
beforeEach(() => join("ada@example.com"));

const save = (note: string) => browser.post("/owner/entries/1", { intent: "note", note });
const stored = async () => (await rows<{ owner_note: string | null }>("waitlist_emails"))[0]?.owner_note;

test("a note is saved, replaced and removed", async () => {
  const { status, headers } = await save("  Met at the fair.\r\nWants <two> tables.\u0000 ");
  expect([status, headers.get("Location")]).toEqual([303, "/owner/entries/1?done=noted"]);
  expect(await stored()).toBe("Met at the fair.\nWants <two> tables.");
  const { body } = await browser.request("/owner/entries/1?done=noted");
  expect(body).toContain("The note is saved.");
  expect(body).toMatch(/<textarea[^>]*>Met at the fair\.\nWants &lt;two&gt; tables\.<\/textarea>/);
  expect((await save("Met at the fair.\nWants <two> tables.")).headers.get("Location")).toContain("done=unchanged");
  await save(" ");
  expect(await stored()).toBeNull();
  expect(log.join()).not.toContain("fair");
});

test("the longest note is saved, with any characters; a longer one is refused, and stays in its field", async () => {
  const longest = `${"€\n".repeat(999)}€€`;
  expect((await save(longest.replaceAll("\n", "\r\n"))).status).toBe(303);
  expect(await stored()).toBe(longest);
  const { status, body } = await save(`${longest}€`);
  expect(status).toBe(422);
  expect(body).toContain("The note is not saved: it is too long by 1 character.");
  expect(body).toContain(`${longest}€</textarea>`);
  expect(await stored()).toBe(longest);
});

test("the person reads the note on their data page and in their download", async () => {
  await save("Met at the fair");
  const page = `/your-data/${await dataToken(1)}`;
  const { status, body } = await browser.post(page, { intent: "show-data" });
  expect(status).toBe(200);
  expect(visibleText(body)).toContain("Our note Met at the fair");
  expect((await browser.post(`${page}/export`)).body).toContain('"owner_note": "Met at the fair"');
});

test("no note without its field, and none on an unknown entry", async () => {
  expect((await browser.post("/owner/entries/1", { intent: "note" })).status).toBe(422);
  expect((await browser.post("/owner/entries/99", { intent: "note", note: "x" })).headers.get("Location")).toContain(
    "done=unchanged",
  );
  expect(await stored()).toBeNull();
});

test("only the form with a note may be long", async () => {
  const long = { intent: "note", note: "x".repeat(30_000) };
  expect((await browser.post("/owner/entries/1", long)).status).toBe(403);
  expect((await browser.post("/owner/entries", { search: "x".repeat(5_000) })).status).toBe(403);
});
