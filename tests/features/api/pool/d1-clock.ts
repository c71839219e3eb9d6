import { env } from "cloudflare:test";
import { execute } from "#tests/support/pool/start.ts";

/**
 * Makes the triggers, which go by D1's clock, go by that of the test. For tests with `freshStorageForEachTest`, which
 * restores them.
 *
 * @returns sets the clock
 */
export async function playD1Clock(now: number): Promise<(now: number) => Promise<void>> {
  await env.DB.exec("CREATE TABLE played_clock (now INTEGER NOT NULL)");
  await execute("INSERT INTO played_clock VALUES (?)", now);
  const triggers = await env.DB.prepare(
    "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND sql LIKE '%unixepoch%'",
  ).all<{ name: string; sql: string }>();
  const statements = triggers.results.flatMap(({ name, sql }) => [
    `DROP TRIGGER ${name}`,
    // As a whole number, since a fraction of a second may lose a millisecond.
    sql
      .replaceAll(/unixepoch\('subsec'\) \* 1000/g, "(SELECT now FROM played_clock)")
      .replaceAll("unixepoch('subsec')", "(SELECT now / 1000.0 FROM played_clock)"),
  ]);
  await env.DB.batch(statements.map((statement) => env.DB.prepare(statement)));
  return (time) => execute("UPDATE played_clock SET now = ?", time);
}
