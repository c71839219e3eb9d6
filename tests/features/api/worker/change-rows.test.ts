import { expect, test } from "vitest";
import { newKey } from "#tests/features/api/pool/api-contract.ts";
import { listWrites } from "#tests/features/api/pool/list-writes.ts";
import { meteredD1 } from "#tests/support/pool/d1.ts";
import { emptyDatabase, freshStorageForEachTest, needs } from "#tests/support/pool/start.ts";

needs("api", "referrals");
freshStorageForEachTest();

/** What each kind of change writes, after others, where no key can read entries and where one can. */
const table: [change: string, after: string[], rows: number, rowsWithKey: number][] = [
  ["sign up", [], 10, 10],
  ["add by API", [], 7, 7],
  ["add by an owner", [], 5, 5],
  ["import", [], 4, 5],
  ["add again by API", ["sign up"], 0, 0],
  ["sign up again", ["sign up"], 0, 0],
  ["ask for a link", ["sign up"], 5, 5],
  ["note by API", ["sign up"], 3, 4],
  ["note by an owner", ["sign up"], 1, 2],
  ["answer by API", ["sign up"], 3, 4],
  ["answer", ["sign up"], 1, 2],
  ["correct the address by API", ["sign up"], 15, 16],
  ["correct by an owner", ["sign up"], 9, 10],
  ["confirm", ["sign up"], 7, 8],
  ["invite", ["sign up"], 1, 2],
  ["unsubscribe by API", ["sign up"], 4, 5],
  ["unsubscribe", ["sign up"], 2, 3],
  ["never email", ["sign up"], 4, 5],
  ["rejoin", ["sign up", "unsubscribe"], 6, 7],
  ["rejoin", ["sign up", "never email"], 7, 8],
  ["bounce for good", ["sign up"], 7, 8],
  ["bounce softly", ["sign up"], 3, 4],
  ["bounce for good, of an email that is not known", ["sign up"], 4, 5],
  ["complain", ["sign up"], 6, 7],
  ["bounce a letter for good", ["sign up", "get a letter"], 6, 7],
  ["bounce a letter softly", ["sign up", "get a letter"], 4, 5],
  ["bounce a letter for good", ["sign up", "get a letter", "bounce a letter softly"], 6, 7],
  ["refuse a letter", ["sign up", "get a letter"], 3, 4],
  ["complain about a letter", ["sign up", "get a letter"], 8, 9],
  ["lift a suppression", ["sign up", "bounce for good"], 1, 2],
  ["erase by API", ["sign up"], 6, 7],
  ["erase by an owner", ["sign up"], 4, 5],
  ["erase oneself", ["sign up"], 6, 7],
  // Of two people: the friend and who sent the link.
  ["confirm the friend", ["sign up", "confirm", "sign up as a friend"], 13, 15],
];

/** Of `listWrites`: an event about an email that is gone. */
const values: Record<string, number> = { "of an email that is not known": 21 };

/** Rows that a change writes. */
async function rowsOf(change: string, after: string[], hasReader: boolean): Promise<number> {
  await emptyDatabase();
  const meter = meteredD1();
  const key = await newKey(["entries:write"], "Writer");
  if (hasReader) await newKey(["entries:read"], "Reader");
  const { write } = listWrites(key, { DB: meter.d1, CONFIRM_ADDRESSES: "on" });
  // The key is used last: its first use of a day is one row more, and midnight may pass.
  for (const [index, name] of [...after, "use the key"].entries()) await write({ name, person: 0, value: 10 + index });
  meter.reset();
  const [name = "", about = ""] = change.split(/, | the (?=friend)/);
  const isKnown = name.startsWith("bounce") ? 20 : 19;
  await write({ name, person: about === "friend" ? 1 : 0, value: values[about] ?? isKnown });
  return meter.rowsWritten();
}

test("a change writes at most one row more where a key can read entries, and a sign-up none", async () => {
  const written: typeof table = [];
  for (const [change, after] of table)
    written.push([change, after, await rowsOf(change, after, false), await rowsOf(change, after, true)]);
  expect(written).toEqual(table);
});
