import { expect, test } from "vitest";
import { readLog } from "#app/features/log/log-page.server.tsx";
import { recordAction } from "#app/owner/log.server.ts";
import { OWNER, scheduledApp } from "#tests/support/pool/emails.ts";
import { db, freshDatabaseForEachTest, rows } from "#tests/support/pool/start.ts";
import { runScheduled } from "#worker/scheduled.ts";

freshDatabaseForEachTest();

function record(now: number, entryId: number) {
  return recordAction({ db, now: () => now }, { by: OWNER, action: "unsubscribe", details: { entryId } });
}

test("the log is read in pages, newest first", async () => {
  for (const entryId of [1, 2, 3, 4, 5]) await record(1_000, entryId);
  const ids = ({ actions }: Awaited<ReturnType<typeof readLog>>) => actions.map(({ details }) => details["entryId"]);
  const newest = await readLog(db, { limit: 2 });
  expect([ids(newest), newest.hasOlder]).toEqual([[5, 4], true]);
  const older = await readLog(db, { before: newest.actions.at(-1)?.id, limit: 3 });
  expect([ids(older), older.hasOlder]).toEqual([[3, 2, 1], false]);
});

test.each(["campaign=ada@example.com", "utm_source=ada%40example.com&order=newest", "Ada@Example.COM"])(
  "the details %s are stored without the address",
  async (filter) => {
    const details = { filter, entries: 3 };
    await recordAction({ db, now: () => 1_000 }, { by: OWNER, action: "export", details });
    const [logged] = await rows<{ details: string }>("owner_log");
    expect(JSON.parse(logged?.details ?? "")).toEqual({ filter: expect.stringContaining("[address]"), entries: 3 });
    expect(logged?.details.toLowerCase()).not.toMatch(/ada|@|%40/);
  },
);

test("the cron job deletes actions after 12 months", async () => {
  // The last run of an hour.
  const now = Date.UTC(2026, 10, 21, 9, 59);
  await record(Date.UTC(2025, 10, 21, 9, 58), 1);
  await record(Date.UTC(2025, 10, 21, 10, 0), 2);
  await runScheduled(scheduledApp(now));
  expect(await rows("owner_log")).toMatchObject([{ details: '{"entryId":2}' }]);
});
