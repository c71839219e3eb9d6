import { expect, test } from "vitest";
import { notificationHarness } from "#tests/features/notifications/pool/notifications.ts";
import { sendAndBounce } from "#tests/support/pool/bounces.ts";
import { freshDatabaseForEachTest } from "#tests/support/pool/start.ts";

freshDatabaseForEachTest();

test("the owner is told by email that too many emails bounce, once", async () => {
  const site = notificationHarness({ emailsPerHour: 2_000 });
  await sendAndBounce(site, { sent: 121, bounced: 120 });
  site.clock.now += 2 * 60_000;
  await site.runNotifications();
  await site.sweep();
  expect(site.subjects().filter((subject) => subject === "too many emails bounce")).toHaveLength(1);
  expect(site.lastText()).toContain("Release emails");
  site.clock.now += 2 * 3_600_000;
  await site.runNotifications();
  await site.sweep();
  expect(site.subjects().filter((subject) => subject === "too many emails bounce")).toHaveLength(1);
});
