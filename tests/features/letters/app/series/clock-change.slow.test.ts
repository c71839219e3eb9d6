import { expect, test } from "vitest";
import { dayToPlan, dueTimes } from "#app/features/letters/series/step-days.ts";
import { setHour } from "#app/features/letters/series/steps.server.ts";
import { localDate, localHour } from "#app/server/time/time-zone-days.ts";
import { HOUR, MINUTE } from "#tests/features/letters/pool/letter-harness.ts";
import { DAY, joinPeople, seriesHarness } from "#tests/features/letters/pool/series-harness.ts";
import { freshDatabaseForEachTest } from "#tests/support/pool/start.ts";

freshDatabaseForEachTest();

const timeZone = "Europe/London";

test.each([
  // The hour from 01:00 is skipped on 28 March 2027, and comes twice on 31 October.
  { change: "forward", hour: 1, joined: "2027-03-26T12:00:00Z", sent: "2027-03-28 02" },
  { change: "back", hour: 1, joined: "2027-10-29T12:00:00Z", sent: "2027-10-31 01" },
  { change: "forward", hour: 9, joined: "2027-03-26T00:30:00Z", sent: "2027-03-28 09" },
  { change: "back", hour: 9, joined: "2027-10-29T22:59:00Z", sent: "2027-10-31 09" },
  // Half past midnight, which is the day before in UTC.
  { change: "forward", hour: 0, joined: "2027-03-29T23:30:00Z", sent: "2027-04-01 00" },
])("when clocks go $change, who joined at $joined is sent it once, at $sent:00", async ({ hour, joined, sent }) => {
  const site = await seriesHarness({ timeZone });
  site.clock.now = Date.parse(joined);
  await site.addOn({ days: 2 });
  await setHour(site.db, hour);
  await joinPeople(1, { at: site.clock.now + 1 });
  let at: string | null = null;
  for (let hours = 0; hours < 4 * 24; hours += 1) {
    // On the hour, as the cron job's first run.
    site.clock.now = Math.ceil((site.clock.now + 1) / HOUR) * HOUR;
    await site.sweep();
    if (at === null && (await site.sent()).length > 0) {
      at = `${localDate(site.clock.now, timeZone)} ${String(localHour(site.clock.now, timeZone)).padStart(2, "0")}`;
    }
  }
  expect(at).toBe(sent);
  expect(await site.sent()).toHaveLength(1);
});

test("days of 23 and 25 hours follow each other without a gap", () => {
  for (const day of ["2027-03-27", "2027-03-28", "2027-10-30", "2027-10-31"]) {
    const next = new Date(Date.parse(`${day}T00:00:00Z`) + DAY).toISOString().slice(0, 10);
    expect(dueTimes(next, 4, timeZone).from - dueTimes(day, 4, timeZone).from).toBeGreaterThanOrEqual(23 * HOUR);
    expect(dueTimes(day, 4, timeZone).until - dueTimes(day, 3, timeZone).until).toBeLessThan(0);
    expect(dueTimes(next, 1, timeZone).until).toBe(dueTimes(day, 0, timeZone).until);
  }
  expect(dayToPlan(Date.UTC(2027, 2, 28, 0, 59), 1, timeZone)).toBeNull();
  expect(dayToPlan(Date.UTC(2027, 2, 28, 1, 0), 1, timeZone)).toBe("2027-03-28");
  expect(dayToPlan(Date.UTC(2027, 9, 31, 0, 0), 1, timeZone)).toBe("2027-10-31");
  expect(dayToPlan(Date.UTC(2027, 9, 31, 1, 0) - MINUTE, 2, timeZone)).toBeNull();
});
