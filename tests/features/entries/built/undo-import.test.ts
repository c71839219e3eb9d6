import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { letters } from "#app/switches.ts";
import { escaped, visibleText } from "#tests/support/pool/built.ts";
import { newestIn, signedInBrowser } from "#tests/support/pool/owner.ts";
import { freshStorageForEachTest, join, rows } from "#tests/support/pool/start.ts";

/* People are filtered by their import, and an import is undone on the pages of many changes. */

freshStorageForEachTest();

const browser = signedInBrowser({ OWNER_TIME_ZONE: "Europe/London" });
const textOf = async (path: string) => visibleText((await browser.request(path)).body);
const listed = async (path: string) => (await browser.request(path)).body.match(/\w+(?=@example\.com<\/a>)/g) ?? [];

/** The texts that a page's field offers. */
async function offered(path: string): Promise<string[]> {
  const { body } = await browser.request(path);
  const [select = ""] = /<select[^>]*name="imported".*?<\/select>/s.exec(body) ?? [];
  return Array.from(select.matchAll(/<option[^>]*>([^<]*)/g), ([, text = ""]) => text);
}

const names = ["ada", "bob", "cyd"] as const;

/** Ada joined by herself, Bob was added by import 2, Cyd by import 3. Import 4 has not started. */
async function addPeople(): Promise<void> {
  for (const [index, name] of names.entries()) {
    const id = await join(`${name}@example.com`);
    if (index > 0) await env.DB.exec(`UPDATE waitlist_emails SET import_id = ${index + 1} WHERE id = ${id}`);
  }
  const at = Date.UTC(2026, 10, 20, 23, 59);
  const values = [2, 3, 4].map(
    (id) => `(${id}, '${id === 4 ? "checked" : "done"}', 'list${id}.csv', '[]', ${at}, ${at})`,
  );
  await env.DB.exec(`INSERT INTO imports (id, state, file_name, columns, created_at, confirmed_at) VALUES ${values}`);
}

const imports = ["list3.csv, 20 November 2026", "list2.csv, 20 November 2026"];

test("the list is filtered by one import that has started, which the chip and the form name by its file and day", async () => {
  await addPeople();
  expect(await offered("/owner/entries")).toEqual(["Any", "Yes", "No", ...imports]);
  expect(await listed("/owner/entries?imported=3")).toEqual(["cyd"]);
  expect(await listed("/owner/entries?imported=yes")).toEqual(["cyd", "bob"]);
  const { body } = await browser.request("/owner/entries?imported=3");
  expect(visibleText(body)).toContain("Imported: list3.csv, 20 November 2026");
  expect(body).toMatch(/<option[^>]*value="3"[^>]*selected/);
  // A hundred later ones do not hide the chosen one.
  for (let id = 5; id < 105; id += 1)
    await env.DB.exec(
      `INSERT INTO imports (id, state, file_name, columns, created_at) VALUES (${id}, 'done', '<b>', '[]', 0)`,
    );
  const texts = await offered("/owner/entries?imported=3");
  expect([texts.length, texts[3], texts.at(-1)]).toEqual([23, escaped("<b>, 1 January 1970"), imports[0]]);
  await browser.post("/owner/entries/views?imported=3", { name: "Third" });
  expect(await rows("saved_views")).toMatchObject([{ filter: '{"imported":3}' }]);
  expect(await textOf("/owner/entries/views")).toContain("Imported: import 3; Newest first");
  expect((await browser.request("/owner/entries")).body).toContain('href="/owner/entries?imported=3"');
});

test.skipIf(!letters)("a letter can be for one import", async () => {
  await addPeople();
  await browser.post("/owner/letters", { subject: "News", "preview-line": "", body: "Hello" });
  const audience = "/owner/letters/1/audience";
  expect(await offered(audience)).toEqual(["Any", "Yes", "No", ...imports]);
  await browser.post(audience, { intent: "count", imported: "3" });
  expect(await rows("letters")).toMatchObject([{ audience: '{"filter":{"imported":3}}' }]);
  expect(await textOf(audience)).toContain("1 person will get this letter.");
  expect((await browser.request(audience)).body).toMatch(/<option[^>]*value="3"[^>]*selected/);
  expect((await browser.post(audience, { intent: "count", imported: "x" })).status).toBe(422);
});

test("an undone import says when its people are erased, offers to put them back or to erase them now, and in the end that they are erased", async () => {
  await addPeople();
  const undo = "/owner/entries/unsubscribe?imported=3&untouched=yes";
  const { body } = await browser.request(undo);
  expect(visibleText(body)).toContain("those whom you have not put back within 30 days are then erased for good.");
  expect(await textOf("/owner/entries/unsubscribe?imported=3")).not.toContain("erased for good");
  const { headers } = await browser.post(undo, { newest: newestIn(body), count: "1" });
  expect(headers.get("Location")).toBe("/owner/bulk/1");
  const ended = await browser.request("/owner/bulk/1");
  expect(visibleText(ended.body)).toContain(
    "This undoes an import: those whom it has unsubscribed are erased for good after",
  );
  expect(ended.body).toContain(">Put 1 entry back<");
  expect(ended.body).toContain('href="/owner/entries/erase?unsubscribed_by=1"');
  expect(await textOf("/owner/entries/erase?unsubscribed_by=1")).toMatch(
    /1 entry on the list matches: Unsubscribed by: bulk action 1/,
  );
  const ago = Date.now() - 30 * 24 * 3_600_000;
  await env.DB.exec(`UPDATE bulk_actions SET finished_at = ${ago}`);
  expect(await textOf("/owner/bulk/1")).toMatch(
    /It can no longer be undone. Those who were not put back are erased for good\.\s*$/,
  );
});
