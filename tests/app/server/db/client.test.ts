import { env } from "cloudflare:test";
import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { DB_TIMEOUT, openDb } from "#app/server/db/client.server.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { freshDatabaseForEachTest } from "#tests/support/pool/database.ts";

describe("a database that never responds", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const never = () => new Promise<never>(() => {});
  const statement = { bind: () => statement, all: never, run: never, raw: never, first: never };
  const db = openDb({ prepare: () => statement, batch: never } as unknown as D1Database);
  const d1 = db.$client;
  const query = () => db.select().from(waitlistEmails);

  const timeout = expect.objectContaining({ name: "TimeoutError", message: expect.stringContaining("D1") });
  const wrapped = expect.objectContaining({ cause: timeout });

  test.each<[string, () => PromiseLike<unknown>, unknown]>([
    ["all", () => d1.prepare("SELECT 1").all(), timeout],
    ["run", () => d1.prepare("SELECT ?").bind(1).run(), timeout],
    ["raw", () => d1.prepare("SELECT ?").bind(1).raw(), timeout],
    ["first", () => d1.prepare("SELECT 1").first(), timeout],
    ["batch", () => d1.batch([d1.prepare("SELECT 1")]), timeout],
    ["a Drizzle query", query, wrapped],
    ["a Drizzle statement", () => db.run(sql`DELETE FROM waitlist_emails`), wrapped],
    ["a Drizzle batch", () => db.batch([query(), query()]), timeout],
  ])("fails with a timeout: %s", async (_name, execute, error) => {
    let isSettled = false;
    const settled = Promise.resolve(execute()).finally(() => {
      isSettled = true;
    });
    const failure = expect(settled).rejects.toEqual(error);
    await vi.advanceTimersByTimeAsync(DB_TIMEOUT - 1);
    expect(isSettled).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await failure;
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("a database that responds", () => {
  freshDatabaseForEachTest();
  const d1 = openDb(env.DB).$client;
  const statement = () => d1.prepare("SELECT ? AS one, ? AS two").bind(1, "b");

  test("returns the results of every method", async () => {
    expect((await statement().all()).results).toEqual([{ one: 1, two: "b" }]);
    expect((await statement().run()).results).toEqual([{ one: 1, two: "b" }]);
    expect(await statement().raw({ columnNames: true })).toEqual([
      ["one", "two"],
      [1, "b"],
    ]);
    expect(await statement().first()).toEqual({ one: 1, two: "b" });
    expect(await statement().first("two")).toBe("b");
  });

  test("executes a batch in one transaction", async () => {
    const insert = (day: string) => d1.prepare("INSERT INTO erased_totals VALUES (?, 1)").bind(day);
    await expect(d1.batch([insert("2026-11-21"), insert("2026-11-21")])).rejects.toThrow("UNIQUE");
    const [, count] = await d1.batch([insert("2026-11-21"), d1.prepare("SELECT count(*) AS count FROM erased_totals")]);
    expect(count?.results).toEqual([{ count: 1 }]);
  });

  test("leaves no timer running", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      await statement().all();
      await d1.batch([statement()]);
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});
