import { expect, test } from "vitest";
import { notificationHarness } from "#tests/features/notifications/pool/notifications.ts";
import { OWNER } from "#tests/support/pool/emails.ts";
import { freshDatabaseForEachTest, join, rows } from "#tests/support/pool/start.ts";

const log = freshDatabaseForEachTest();

test("the digest is sent once, on the morning after people joined, with their number but no addresses, and not otherwise", async () => {
  const harness = notificationHarness();
  harness.setTime("2026-11-19T09:00:00Z");
  await harness.runNotifications();
  await harness.join("ada@example.com");
  await harness.join("bob@example.com");
  for (const time of ["2026-11-19T23:55:00Z", "2026-11-20T06:59:00Z"]) {
    harness.setTime(time);
    await harness.runNotifications();
  }
  expect(harness.subjects()).toEqual([]);
  harness.setTime("2026-11-20T07:00:00Z");
  await Promise.all([harness.runNotifications(), harness.runNotifications()]);
  await harness.runNotifications();
  expect(harness.subjects()).toEqual(["2 people joined"]);
  expect(harness.lastText()).toContain(
    "2 people joined\n\nThey joined the waitlist up to 19 November 2026. On the waitlist now: 2.",
  );
  expect(harness.lastText()).toContain("/owner");
  expect(harness.lastText() + JSON.stringify(await rows("email_outbox")) + log.join()).not.toContain("@");
  for (const time of ["2026-11-20T23:00:00Z", "2026-11-21T07:00:00Z", "2026-11-22T07:00:00Z"]) {
    harness.setTime(time);
    await harness.runNotifications();
  }
  expect(harness.subjects()).toHaveLength(1);
});

test("the digest uses the owner's time zone, and covers days on which it was not sent", async () => {
  const harness = notificationHarness({ timeZone: "Pacific/Auckland" });
  harness.setTime("2026-11-19T11:30:00Z");
  await harness.join("ada@example.com");
  harness.setTime("2026-11-20T18:00:00Z");
  await harness.runNotifications();
  expect(harness.subjects()).toEqual(["one person joined"]);
  harness.setTime("2026-11-21T12:00:00Z");
  await harness.join("bob@example.com");
  harness.setTime("2026-11-22T12:00:00Z");
  await harness.join("cyd@example.com");
  // The cron trigger did not run for two days.
  harness.setTime("2026-11-24T20:00:00Z");
  await harness.runNotifications();
  expect(harness.subjects().at(-1)).toBe("2 people joined");
  expect(harness.lastText()).toContain("from 21 November 2026 to 24 November 2026");
});

test("the digest is retried if it cannot be sent, and replaced after a day by one that covers all its days", async () => {
  const harness = notificationHarness();
  harness.setTime("2026-11-19T12:00:00Z");
  await harness.join("ada@example.com");
  harness.state.failing = true;
  harness.setTime("2026-11-20T08:00:00Z");
  await harness.runNotifications();
  await harness.join("bob@example.com");
  harness.setTime("2026-11-21T08:00:00Z");
  await harness.runNotifications();
  expect(harness.subjects()).toEqual([]);
  harness.state.failing = false;
  for (let hour = 0; hour < 12; hour += 1) {
    harness.clock.now += 3_600_000;
    await harness.runNotifications();
  }
  expect(harness.subjects()).toEqual(["2 people joined"]);
  expect(log.some((line) => line.includes("email-failed") && line.includes('"kind":"digest"'))).toBe(true);
  expect(log.join()).not.toContain(OWNER);
});

test("the digest counts for the day on which a late retry succeeds, and skips no sign-ups", async () => {
  const harness = notificationHarness();
  harness.setTime("2026-11-19T12:00:00Z");
  await harness.join("ada@example.com");
  harness.state.failing = true;
  harness.setTime("2026-11-20T23:00:00Z");
  await harness.join("bob@example.com");
  await harness.runNotifications();
  harness.state.failing = false;
  harness.setTime("2026-11-21T06:00:00Z");
  await harness.runNotifications();
  harness.setTime("2026-11-21T08:00:00Z");
  await harness.runNotifications();
  expect(harness.subjects()).toEqual(["one person joined"]);
  harness.setTime("2026-11-22T08:00:00Z");
  await harness.runNotifications();
  expect(harness.subjects()).toEqual(["one person joined", "one person joined"]);
  expect(harness.lastText()).toContain("from 20 November 2026 to 21 November 2026");
});

/** Adds someone who joined before, as a tablet that was offline does. */
const addLate = (email: string, joinedAt: string) => join(email, { now: Date.parse(joinedAt) });

test("the digest counts people once who are added after that of the day on which they joined", async () => {
  const harness = notificationHarness();
  harness.setTime("2026-11-19T12:00:00Z");
  await harness.join("ada@example.com");
  harness.setTime("2026-11-20T07:00:00Z");
  await harness.runNotifications();
  await addLate("bea@example.com", "2026-11-19T10:00:00Z");
  await addLate("cyd@example.com", "2026-11-19T11:00:00Z");
  harness.setTime("2026-11-21T07:00:00Z");
  await harness.runNotifications();
  expect(harness.subjects().at(-1)).toBe("2 people joined");
  expect(harness.lastText()).toContain(
    "They joined earlier and were added since, such as from a tablet that was offline. On the waitlist now: 3.",
  );
  await addLate("dee@example.com", "2026-11-19T11:00:00Z");
  await harness.join("eve@example.com");
  harness.setTime("2026-11-22T07:00:00Z");
  await harness.runNotifications();
  expect(harness.subjects().at(-1)).toBe("2 people joined");
  expect(harness.lastText()).toContain(
    "1 joined the waitlist on 21 November 2026. 1 joined earlier and was added since",
  );
  harness.setTime("2026-11-23T07:00:00Z");
  await harness.runNotifications();
  expect(harness.subjects()).toHaveLength(3);
});
