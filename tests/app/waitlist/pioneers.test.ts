import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { openDb } from "#app/server/db/client.server.ts";
import { atLeast, readPioneers, renewPioneers } from "#app/waitlist/entries/pioneers.server.ts";
import { meteredD1 } from "#tests/support/pool/d1.ts";
import { addEntries, db, freshDatabaseForEachTest, rows } from "#tests/support/pool/start.ts";

test.each([
  [0, null],
  [99, null],
  [100, "100+"],
  [150, "150+"],
  [999, "950+"],
  [1_000, "1,000+"],
  [12_345, "10,000+"],
  [1_050_000, "1,000,000+"],
])("of %i Pioneers visitors read %s", (count, text) => {
  expect(atLeast(count, 100)).toBe(text);
});

test.each([
  [19, null],
  [20, "20+"],
  [69, "60+"],
  [199, "150+"],
])("of %i people on one side visitors read %s", (count, text) => {
  expect(atLeast(count, 20)).toBe(text);
});

describe("the number of Pioneers", () => {
  freshDatabaseForEachTest();
  const NOON = Date.UTC(2026, 10, 21, 12);
  const DAY = 24 * 3_600_000;
  const readTotal = async () => (await readPioneers(db)).pioneers?.total;

  test("is counted if it never was, and again once it is older than a day", async () => {
    await addEntries(160);
    await env.DB.exec("UPDATE waitlist_emails SET status = 'unsubscribed' WHERE id = 1");
    await env.DB.exec("UPDATE waitlist_emails SET confirm_by = 9e12, confirmed_at = NULL WHERE id = 2");
    expect((await readPioneers(db)).pioneers).toBeNull();
    await renewPioneers(db, NOON);
    expect(await rows("stats")).toMatchObject([
      { key: "pioneers", value: '{"count":158,"host":0,"stallholder":0}', computed_at: NOON },
    ]);
    expect(await readTotal()).toBe("150+");
    await env.DB.exec("DELETE FROM waitlist_emails WHERE id > 120");
    await renewPioneers(db, NOON + DAY);
    expect(await readTotal()).toBe("150+");
    await renewPioneers(db, NOON + DAY + 1);
    expect(await readTotal()).toBe("100+");
  });

  test("of a long list costs no more than its limit, and does not fall", async () => {
    await addEntries(100_500);
    await env.DB.exec(`UPDATE waitlist_emails SET answers = '{"role":"host"}' WHERE id <= 110`);
    await env.DB.exec("UPDATE waitlist_emails SET status = 'unsubscribed' WHERE id <= 10");
    const { d1, rowsRead } = meteredD1();
    await renewPioneers(openDb(d1), NOON);
    expect(rowsRead()).toBeLessThanOrEqual(100_002);
    expect(await rows("stats")).toMatchObject([{ value: '{"count":99990,"host":100,"stallholder":0}' }]);
    await env.DB.exec("UPDATE stats SET value = json_object('count', 350000, 'stallholder', 90000)");
    await renewPioneers(db, NOON + 2 * DAY);
    expect((await readPioneers(db)).pioneers?.total).toBe("350,000+");
    expect(await rows("stats")).toMatchObject([{ value: '{"count":350000,"host":100,"stallholder":90000}' }]);
  });
});
