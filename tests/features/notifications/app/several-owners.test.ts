import { expect, test } from "vitest";
import { ownerId } from "#app/server/owners.server.ts";
import { notificationHarness } from "#tests/features/notifications/pool/notifications.ts";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/start.ts";

const log = freshDatabaseForEachTest();

const ADA = "ada@market.example";
const BOB = "bob@market.example";

/** A harness with two owners, at noon on 19 November. */
async function harnessOfTwo() {
  const harness = notificationHarness({ owners: [ADA, BOB] });
  harness.setTime("2026-11-19T12:00:00Z");
  await harness.join("eve@example.com");
  return harness;
}

test("the digest goes to each owner, once", async () => {
  const harness = await harnessOfTwo();
  for (const time of ["2026-11-20T08:00:00Z", "2026-11-20T08:05:00Z", "2026-11-20T23:00:00Z"]) {
    harness.setTime(time);
    await Promise.all([harness.runNotifications(), harness.runNotifications()]);
  }
  expect(harness.recipients().toSorted()).toEqual([ADA, BOB]);
  expect(new Set(harness.subjects())).toEqual(new Set(["one person joined"]));
  expect(JSON.stringify(await rows("email_outbox")) + log.join()).not.toContain("@");
});

test("a digest that one owner missed is made up for, without repeating it to the other", async () => {
  const harness = await harnessOfTwo();
  harness.state.failing = BOB;
  harness.setTime("2026-11-20T08:00:00Z");
  await harness.runNotifications();
  await harness.join("fay@example.com");
  harness.setTime("2026-11-21T08:00:00Z");
  await harness.runNotifications();
  harness.state.failing = false;
  for (let hour = 0; hour < 12; hour += 1) {
    harness.clock.now += 3_600_000;
    await harness.runNotifications();
  }
  const received = harness.recipients().map((to, index) => [to, harness.subjects()[index]]);
  expect(received).toEqual([
    [ADA, "one person joined"],
    [ADA, "one person joined"],
    [BOB, "2 people joined"],
  ]);
});

test("an owner who is added gets the next alert, about what the others know already", async () => {
  const harness = notificationHarness({ owners: [ADA] });
  harness.setTime("2026-11-21T03:00:00Z");
  await harness.join("eve@example.com");
  await harness.markDead(1);
  harness.clock.now += 5 * 60_000;
  await harness.runNotifications();
  harness.deps.emailContext.ownerEmails.push(BOB);
  await harness.runNotifications();
  expect(harness.recipients()).toEqual([ADA, BOB]);
});

test("a former owner gets no email, not even one that is queued", async () => {
  const harness = await harnessOfTwo();
  harness.state.failing = BOB;
  harness.setTime("2026-11-20T08:00:00Z");
  await harness.runNotifications();
  harness.state.failing = false;
  harness.deps.emailContext.ownerEmails = [ADA];
  harness.clock.now += 24 * 3_600_000;
  await harness.runNotifications();
  expect(harness.recipients()).not.toContain(BOB);
  const bob = await ownerId(BOB);
  expect((await rows("email_outbox")).filter(({ owner_id }) => owner_id === bob)).toMatchObject([{ done_at: null }]);
});
