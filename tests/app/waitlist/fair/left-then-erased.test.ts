import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { keyedHash } from "#app/server/address-hash.server.ts";
import { openDb } from "#app/server/db/client.server.ts";
import { addEntry } from "#app/waitlist/add-entry.server.ts";
import { unsubscribeEntry } from "#app/waitlist/entries.server.ts";
import { eraseEntry } from "#app/waitlist/erase-entries.server.ts";
import { addDue } from "#app/waitlist/fair/add-due.server.ts";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/database.ts";
import { armedDevice } from "#tests/support/pool/fair.ts";
import { needs } from "#tests/support/pool/needs.ts";
import { scheduledApp } from "#tests/support/pool/scheduled-app.ts";

needs("fair");
freshDatabaseForEachTest();

const EMAIL = "ada@example.com";
const NOW = Date.UTC(2026, 10, 21);
const DAY = 24 * 3_600_000;
const LEFT = NOW - 10 * DAY;

test("a tablet brings back who typed the address after leaving, and asks them, but not who typed it before", async () => {
  const db = openDb(env.DB);
  const addressHash = await keyedHash("address:v1", EMAIL, env.HASH_KEY);
  const typed = { email: EMAIL, source: "stall", columns: {}, addressHash, mustConfirm: false, now: LEFT - DAY };
  const added = await addEntry(db, typed);
  if (added.kind !== "new") throw new Error(added.kind);
  await unsubscribeEntry(db, added.id, LEFT);
  await eraseEntry(db, added.id, NOW);

  const tablet = await armedDevice({ now: LEFT - 10 * DAY, days: 30 });
  const run = () => addDue(scheduledApp(NOW), "paid", { subrequests: 900, until: NOW + 60_000 });
  await tablet.store(EMAIL, { at: LEFT - DAY, now: NOW });
  await run();
  expect(await rows("waitlist_emails")).toEqual([]);
  await tablet.store(EMAIL, { at: LEFT + DAY, now: NOW });
  await run();
  expect(await rows("email_outbox")).toMatchObject([{ kind: "confirm" }]);
});
