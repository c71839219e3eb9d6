import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { startBulkAction } from "#app/features/entries/bulk/bulk-actions.server.ts";
import { planLimits, type WorkersPlan } from "#app/server/config/plan-limits.ts";
import { meteredD1 } from "#tests/support/pool/d1.ts";
import { countingMailer, scheduledApp } from "#tests/support/pool/emails.ts";
import { hasImports, startImport } from "#tests/support/pool/running-import.ts";
import { addEntries, db, freshStorageForEachTest, rows, seedEntries } from "#tests/support/pool/start.ts";
import { runScheduled } from "#worker/scheduled.ts";

freshStorageForEachTest();

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

test.skipIf(!hasImports).each<[WorkersPlan, minutes: number[], emails: number, imported: number[], erased: number[]]>([
  // The first, the middle and the last run of an hour have more to do: the last one leaves the changes to the next.
  ["free", [0, 1, 2, 30, 59], 14, [50, 50, 100, 100, 100], [0, 500, 500, 1_000, 1_000]],
  ["paid", [1, 2], 670, [1_000, 1_000], [0, 500]],
])(
  "on the %s plan, beside a backlog of emails, runs import and erase by turns",
  async (plan, minutes, least, imported, erased) => {
    const begin = Date.UTC(2026, 10, 23, 4);
    await seedEntries(3_000, begin - DAY);
    await addEntries(6_000, begin);
    await env.DB.exec("UPDATE waitlist_emails SET source = 'flood' WHERE email LIKE 'ada%'");
    const selection = { source: "flood" };
    await startBulkAction(db, { kind: "erase", selection, newestEntryId: 9_000, expected: 6_000, now: begin });
    await startImport({ people: 12_000, now: begin - DAY });
    const vars = { WORKERS_PLAN: plan, MAIL_PER_HOUR: 100_000, OWNER_EMAIL: "owner@waitlist-site.example" };
    const runs: { emails: number; imported?: number; erased?: number }[] = [];
    for (const minute of minutes) {
      const { d1, executed } = meteredD1();
      const { mailer, counted } = countingMailer();
      await runScheduled({ ...scheduledApp(begin + minute * MINUTE, { d1, vars }), mailer });
      expect(executed.length + counted.submitted).toBeLessThanOrEqual(planLimits[plan].subrequests);
      const [[action], [started]] = [await rows("bulk_actions"), await rows("imports")];
      runs.push({
        emails: counted.submitted,
        imported: Number(started?.["added"]),
        erased: Number(action?.["affected"]),
      });
    }
    expect(Math.min(...runs.map(({ emails }) => emails))).toBeGreaterThanOrEqual(least);
    expect(runs.map((run) => run.imported)).toEqual(imported);
    expect(runs.map((run) => run.erased)).toEqual(erased);
  },
);
