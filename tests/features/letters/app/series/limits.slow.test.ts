import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { openDb } from "#app/server/db/client.server.ts";
import { HOUR, MINUTE, recipients } from "#tests/features/letters/pool/letter-harness.ts";
import { begunSeries, DAY } from "#tests/features/letters/pool/series-harness.ts";
import { meteredD1 } from "#tests/support/pool/d1.ts";
import { freshDatabaseForEachTest } from "#tests/support/pool/start.ts";

freshDatabaseForEachTest();

test("with a lower send limit, its batches have fewer recipients", async () => {
  const site = await begunSeries([{ days: 1 }], 40, { perHour: 1_000 });
  await site.pass(DAY);
  await site.sweep({ emailsPerHour: 20 });
  expect(await site.sent()).toHaveLength(15);
  for (let hour = 0; hour < 3; hour += 1) {
    await site.pass(HOUR + MINUTE);
    await site.sweep({ emailsPerHour: 20 });
  }
  expect(new Set(await site.sent()).size).toBe(40);
});

test("batches of a few people do not use up the hour's share", async () => {
  const site = await begunSeries([{ days: 1 }], 60, { perHour: 100 });
  await env.DB.exec("UPDATE waitlist_emails SET consent_version = NULL WHERE id > 1");
  await site.addOn({ days: 2 });
  await site.pass(DAY);
  await site.join(2);
  await site.sweep();
  await site.pass(DAY);
  // Two for the first step, and one for the second.
  await site.sweep();
  expect(await site.sent()).toHaveLength(4);
  await site.start();
  await site.pass(MINUTE);
  await site.sweep();
  expect(await site.sent()).toHaveLength(4 + 62);
});

test("a run with few statements left begins no batch that it does not send", async () => {
  const site = await begunSeries([{ days: 1 }], 150);
  await site.pass(DAY);
  for (let subrequests = 1; subrequests < 45; subrequests += 1) {
    await site.sweep({ subrequests });
    const { results } = await env.DB.prepare("SELECT done_at FROM letter_batches WHERE attempts > 0").all();
    expect(results.filter(({ done_at }) => done_at === null)).toEqual([]);
  }
  await site.off(site.id);
  expect((await recipients()).filter(({ state }) => state === "pending")).toEqual([]);
});

test("a series that waits for the owner costs one statement a minute", async () => {
  const site = await begunSeries([{ days: 1 }]);
  const { letter_id } = site.first;
  await site.complain(letter_id);
  await site.pass(DAY);
  const { d1, executed } = meteredD1();
  expect(await site.sweep({ db: openDb(d1) })).toBe(false);
  // Claiming single emails reads a letter only for one that is sent again.
  const others = executed.filter(({ sql }) => !sql.includes("UPDATE email_outbox"));
  expect(others.filter(({ sql }) => /series_steps|letters|letter_recipients/.test(sql))).toHaveLength(1);
});

test("what is left over at midnight waits for the hour", async () => {
  const site = await begunSeries([{ days: 1 }], 240, { perHour: 20 });
  await site.pass(9 * HOUR);
  const counts: number[] = [];
  // From 22:00, before the day has come, to noon two days later.
  for (let hour = 0; hour < 39; hour += 1) {
    await site.pass(HOUR);
    await site.sweep();
    counts.push((await site.sent()).length);
  }
  const at = (day: number, hour: number) => counts[day * 24 + hour - 22] ?? Number.NaN;
  expect(at(1, 8)).toBe(0);
  expect(at(1, 9)).toBe(15);
  expect(at(1, 23)).toBe(225);
  expect(at(2, 8)).toBe(225);
  expect(at(2, 9)).toBe(240);
});
