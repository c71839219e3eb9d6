import { expect, test } from "vitest";
import { ownerId } from "#app/server/owners.server.ts";
import { notificationHarness } from "#tests/features/notifications/pool/notifications.ts";
import { freshDatabaseForEachTest } from "#tests/support/pool/start.ts";

/* An owner who has switched off digests or alerts gets none, and the others get theirs. */

freshDatabaseForEachTest();

const ADA = "ada@market.example";
const BOB = "bob@market.example";

async function harnessWithout(...kinds: ("digest" | "alert")[]) {
  const harness = notificationHarness({ owners: [ADA, BOB] });
  const bob = await ownerId(BOB);
  Object.assign(harness.deps.emailContext, { notificationsOff: kinds.map((kind) => `${kind}:${bob}`) });
  harness.setTime("2026-11-19T12:00:00Z");
  await harness.join("eve@example.com");
  await harness.markDead(1);
  harness.setTime("2026-11-20T08:00:00Z");
  await harness.runNotifications();
  const received = harness.recipients().map((to, index) => `${to} ${harness.subjects()[index]}`);
  return { harness, received: received.toSorted() };
}

const toAda = [`${ADA} emails are failing`, `${ADA} one person joined`];

test.each([
  [["digest" as const], [...toAda, `${BOB} emails are failing`]],
  [["alert" as const], [...toAda, `${BOB} one person joined`]],
  [["digest" as const, "alert" as const], toAda],
  [[], [...toAda, `${BOB} emails are failing`, `${BOB} one person joined`]],
])("%j", async (kinds, expected) => {
  expect((await harnessWithout(...kinds)).received).toEqual(expected);
});

test("digests that are switched on again cover the days between", async () => {
  const { harness } = await harnessWithout("digest");
  Object.assign(harness.deps.emailContext, { notificationsOff: [] });
  await harness.runNotifications();
  expect(harness.recipients().filter((to) => to === BOB)).toHaveLength(2);
});
