import { expect, test } from "vitest";
import { listUnsent, requeueDead, requeueWelcome } from "#app/email/outbox.server.ts";
import { eraseEntry, unsubscribeEntry } from "#app/waitlist/entries.server.ts";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/database.ts";
import { emailBinding } from "#tests/support/pool/email.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { notificationHarness } from "#tests/support/pool/notification-harness.ts";
import { outboxHarness } from "#tests/support/pool/outbox-harness.ts";

freshDatabaseForEachTest();
captureLog();

test("mail that waits and mail that is dead are listed apart, newest first, so many at most", async () => {
  const room = notificationHarness();
  for (const name of ["ada", "bob", "cyd"]) await room.join(`${name}@example.com`);
  await room.bury(1);
  room.clock.now += 1;
  await room.bury(1);
  const entries = async (state: "waiting" | "dead", limit = 9) =>
    (await listUnsent(room.db, state, limit)).map(({ entry_id }) => entry_id);
  expect(await entries("waiting")).toEqual([3]);
  expect(await entries("dead")).toEqual([2, 1]);
  expect(await entries("dead", 1)).toEqual([2]);
});

test("dead mail is tried again under the id it had, and mail that waits is left alone", async () => {
  const room = notificationHarness();
  for (const name of ["ada", "bob"]) await room.join(`${name}@example.com`);
  await room.bury(1);
  const ids = (await rows("mail_outbox")).map(({ id }) => id);
  expect(await requeueDead(room.db, room.clock.now)).toBe(1);
  expect(await requeueDead(room.db, room.clock.now)).toBe(0);
  expect((await rows("mail_outbox")).map(({ id, dead_at }) => [id, dead_at])).toEqual(ids.map((id) => [id, null]));
  expect(await room.sweep()).toMatchObject({ sent: 2 });
});

test("a welcome that is owed again has a new id where it was sent, and the old one where it may still be on its way", async () => {
  const { binding, accepted } = emailBinding();
  const office = outboxHarness({ binding });
  await office.join("ada@example.com");
  const idNow = async () => (await rows("mail_outbox"))[0]?.["id"];
  const first = await idNow();
  expect(await requeueWelcome(office.db, 1, office.clock.now)).toBe(true);
  expect(await idNow()).toBe(first);
  await office.claim();
  expect(await requeueWelcome(office.db, 1, office.clock.now)).toBe(false);
  office.clock.now += 10 * 60_000;
  await office.sweep();
  expect(await requeueWelcome(office.db, 1, office.clock.now)).toBe(true);
  expect(await idNow()).not.toBe(first);
  await office.sweep();
  expect(accepted).toEqual(["ada@example.com", "ada@example.com"]);
});

test("nothing is owed again to whoever has left or was erased", async () => {
  const office = outboxHarness();
  for (const name of ["ada", "bob"]) await office.join(`${name}@example.com`);
  await unsubscribeEntry(office.db, 1, office.clock.now);
  await eraseEntry(office.db, 2);
  for (const id of [1, 2, 3]) expect(await requeueWelcome(office.db, id, office.clock.now)).toBe(false);
  expect(await rows("mail_outbox")).toEqual([]);
});
