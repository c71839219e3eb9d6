import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { findImport } from "#app/features/import/imports.server.ts";
import { peopleCsv } from "#tests/features/import/import-files.ts";
import { importHarness, NOW } from "#tests/features/import/pool/imports.ts";
import { type Kill, killedProcess } from "#tests/support/pool/d1.ts";
import { countingMailer } from "#tests/support/pool/emails.ts";
import { db, freshStorageForEachTest, rows, seedEntries } from "#tests/support/pool/start.ts";

freshStorageForEachTest();

const ROWS = 100_000;
const MINUTE = 60_000;

/** A turn claims its job, reads its rows, and makes all its changes in one batch. */
const kills = [1, 2, 3].flatMap((step) => ["before", "after"].map((when) => ({ step, when }) as Kill));

test("an import of 100,000 people whose every turn is killed first adds each of them once", {
  timeout: 1_200_000,
}, async () => {
  // The first 99 opted out, and 20 of these are on the list.
  await seedEntries(20, NOW - MINUTE);
  const file = peopleCsv(ROWS).replace("Source", "Status");
  const optedOut = file.replace(/(person\d\d?@.*)Autumn Fair/g, "$1unsubscribed").replaceAll("Autumn Fair", "active");
  const { check, confirm, run } = importHarness();
  const { id, report } = await check(optedOut, { welcome: true });
  await confirm(id);
  const { mailer } = countingMailer();
  let turns = 0;
  // Some turns end within a chunk of the file, others at its end. A lease ends within a minute.
  for (let now = NOW; (await findImport(db, id))?.state === "running"; now += 2 * MINUTE, turns += 1) {
    const { d1, untilDead, wasKilled } = killedProcess(mailer, kills[turns % kills.length]);
    await untilDead(importHarness(d1).run(1, 600, now));
    expect(wasKilled()).toBe(true);
    await run(1, 600, now + MINUTE);
  }
  // Of six kills, one is after the batch: its turn is done, and the run after it does another.
  expect(turns).toBeGreaterThan(ROWS / 500 / 2);
  expect(report).toMatchObject({
    people: ROWS,
    active: ROWS - 99,
    left: { unsubscribed: 79 },
    unchanged: 0,
    leftOut: 0,
  });
  expect(await rows("imports")).toMatchObject([{ state: "done", added: ROWS - 20, unsubscribed: 20, suppressed: 0 }]);
  const people = `SELECT count(*) AS people, count(DISTINCT email) AS emails, sum(status = 'active') AS active,
    sum(import_id = ${id}) AS added FROM waitlist_emails`;
  const queued = "SELECT count(*) AS queued, count(DISTINCT entry_id) AS entries FROM email_outbox";
  const found = await Promise.all([people, queued].map((query) => env.DB.prepare(query).first()));
  expect(found).toEqual([
    { people: ROWS, emails: ROWS, active: ROWS - 99, added: ROWS - 20 },
    { queued: ROWS - 99, entries: ROWS - 99 },
  ]);
  const waiting = (await rows("jobs")).filter((job) => job["done_at"] === null);
  expect([await rows("import_chunks"), waiting]).toEqual([[], []]);
});
