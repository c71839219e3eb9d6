import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { readSeriesStats } from "#app/features/letters/series/series-stats.server.ts";
import { openDb } from "#app/server/db/client.server.ts";
import { followUpVersions } from "#app/waitlist/sign-up/consent-wording.ts";
import { MINUTE } from "#tests/features/letters/pool/letter-harness.ts";
import { DAY, seriesHarness } from "#tests/features/letters/pool/series-harness.ts";
import { meteredD1 } from "#tests/support/pool/d1.ts";
import { freshDatabaseForEachTest } from "#tests/support/pool/start.ts";

freshDatabaseForEachTest();

const PEOPLE = 100_000;

test("100,000 people who are due on one day are sent it once each, within the limits of a run", {
  timeout: 600_000,
}, async () => {
  const site = await seriesHarness();
  const { id } = await site.addOn({ days: 1 });
  await site.addOn({ days: 2 });
  await env.DB.prepare(`INSERT INTO waitlist_emails (email, address_hash, metadata, created_at, consent_version)
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
    SELECT 'person' || n || '@example.com', 'hash' || n, '{}', ? + n, ? FROM numbers`)
    .bind(PEOPLE, site.clock.now, followUpVersions[0] ?? "")
    .run();
  await site.pass(DAY);
  const { d1, executed, rowsWritten } = meteredD1();
  const db = openDb(d1);
  let [runs, statements] = [0, 0];
  for (; runs < 120 && (await sent()) < PEOPLE; runs += 1) {
    const before = executed.length;
    await site.sweep({ db });
    statements = Math.max(statements, executed.length - before);
    await site.pass(MINUTE);
  }
  const addresses = new Set((await site.sent()).map((email) => email.split(":")[0]));
  expect(addresses.size).toBe(PEOPLE);
  expect((await readSeriesStats(site.db)).get(id)).toMatchObject({ sent: PEOPLE, pending: 0, skipped: 0, unknown: 0 });
  expect(statements).toBeLessThanOrEqual(876);
  expect(rowsWritten()).toBeLessThanOrEqual(4 * PEOPLE);
  // With the pause after the first 1,000.
  expect(runs).toBeLessThanOrEqual(60);
  console.info(JSON.stringify({ runs, statements, rowsPerEmail: rowsWritten() / PEOPLE }));

  async function sent(): Promise<number> {
    const row = await env.DB.prepare("SELECT sum(sent) AS sent FROM letter_batches").first<{ sent: number | null }>();
    return row?.sent ?? 0;
  }
});
