import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { streamExport } from "#app/features/entries/export.server.ts";
import { openDb } from "#app/server/db/client.server.ts";
import { referrals } from "#app/switches.ts";
import { meteredD1 } from "#tests/support/pool/d1.ts";
import { exportDeps } from "#tests/support/pool/exports.ts";
import { addEntries, db, freshDatabaseForEachTest } from "#tests/support/pool/start.ts";

const log = freshDatabaseForEachTest();

/** The real database with a query counter. Queries from number `failFrom` on fail. */
function countingD1(failFrom = Number.POSITIVE_INFINITY) {
  const counter = { queries: 0 };
  const { d1 } = meteredD1(() => {
    counter.queries += 1;
    if (counter.queries >= failFrom) throw new Error("D1_ERROR: out of order");
  });
  return { counter, db: openDb(d1) };
}

test("fetches pages lazily, as they are read", async () => {
  await addEntries(4_500);
  const { counter, db } = countingD1();
  const reader = streamExport(exportDeps(db), {}, "csv").getReader();
  await reader.read();
  expect(counter.queries).toBeLessThanOrEqual(1);
  await reader.read();
  expect(counter.queries).toBeLessThanOrEqual(2);
  await reader.cancel();
  const text = await new Response(streamExport(exportDeps(db), {}, "csv")).text();
  const lines = text.split("\r\n");
  expect(lines).toHaveLength(4_502);
  expect(lines.slice(1, -1).map((line) => Number(/^"(\d+)"/.exec(line)?.[1]))).toEqual(
    Array.from({ length: 4_500 }, (_, index) => index + 1),
  );
});

test("aborts the stream on failure, so that a partial export is not mistaken for a complete one", async () => {
  await addEntries(4_500);
  await expect(new Response(streamExport(exportDeps(countingD1(2).db), {}, "csv")).text()).rejects.toThrow();
  expect(log.filter((line) => line.includes("export-failed"))).toHaveLength(1);
});

test("a spreadsheet has the friends who count and the highest milestone", async ({ skip }) => {
  skip(!referrals, "Switched off in app/switches.ts: referrals");
  await addEntries(2);
  await env.DB.exec("INSERT INTO referrers (entry_id, counted) VALUES (2, 12)");
  await env.DB.exec("INSERT INTO reached_milestones VALUES (2, 10, 1, NULL), (2, 3, 1, NULL)");
  const text = await new Response(streamExport(exportDeps(db), {}, "csv")).text();
  const [header = "", first, second] = text.split("\r\n");
  expect(header).toMatch(/,"friends_counted","milestone"$/);
  expect(first).toMatch(/,"0",""$/);
  expect(second).toMatch(/,"12","10"$/);
});
