import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { findImport } from "#app/features/import/imports.server.ts";
import { keyedHash } from "#app/server/hashes/address-hash.server.ts";
import { confirmEntry } from "#app/waitlist/confirmation/confirmation.server.ts";
import { importHarness, NOW } from "#tests/features/import/pool/imports.ts";
import { db, execute, freshDatabaseForEachTest, join, rows } from "#tests/support/pool/start.ts";

freshDatabaseForEachTest();
const { check, confirm, run } = importHarness();

/** One person on the list opted out, one is new, one erased themselves, and one on the list gave no answer. Each is in two rows. */
async function checkFile(): Promise<number> {
  await join("a@example.com", { mustConfirm: true, now: NOW - 1 });
  await execute("INSERT INTO erased_addresses VALUES (?, 1)", await keyedHash("address:v1", "c@x.org", env.HASH_KEY));
  await join("d@example.com", { now: NOW - 1 });
  await execute("DELETE FROM email_outbox WHERE entry_id = 2");
  const people = "a@example.com,unsubscribed,\nb@example.com,active,\nc@x.org,active,\nd@example.com,active,York\n";
  const { id, report } = await check(`email,status,town\n${people}${people}`, { welcome: true, fill: true });
  expect(report).toMatchObject({
    active: 1,
    filled: 1,
    optedOut: { people: 1, entries: [1] },
    keptOut: 1,
    unchanged: 0,
  });
  return id;
}

test("people in several rows count once, the day's rows are those of all imports, who confirms since stays", async () => {
  const id = await checkFile();
  await confirm(id).then(() => confirmEntry(db, 1, NOW + 1));
  for (const now of [NOW, NOW + 86_400_000]) await run(1_000, 2, now, 5);
  expect(await findImport(db, id)).toMatchObject({ added: 1, unsubscribed: 0, filled: 1, suppressed: 1 });
});

test.each([1, 2, 3, 4, 5, 6, 7])(
  "a batch that is no transaction and broke after statement %i is repeated",
  async (at) => {
    const batch = async (all: D1PreparedStatement[]) => {
      for (const statement of all.slice(0, at)) await statement.run();
      throw new Error("broken");
    };
    const broken = importHarness({ prepare: (sql: string) => env.DB.prepare(sql), batch } as never);
    const id = await checkFile();
    for (const confirmed of [broken, importHarness()]) await confirmed.confirm(id).catch(() => {});
    await broken.run().catch(() => {});
    await run(1_000, 1_000, NOW + 60_000);
    expect(await findImport(db, id)).toMatchObject({
      state: "done",
      added: 1,
      unsubscribed: 1,
      filled: 1,
      suppressed: 1,
    });
    expect(await rows("email_outbox")).toMatchObject([{ kind: "welcome" }]);
  },
);
