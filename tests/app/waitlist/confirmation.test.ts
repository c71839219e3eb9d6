import { env } from "cloudflare:test";
import { beforeEach, describe, expect, test } from "vitest";
import { claimDue } from "#app/email/outbox.server.ts";
import { requeueWelcome } from "#app/email/requeue.server.ts";
import { openDb } from "#app/server/db/client.server.ts";
import { confirmEntry, enqueueReminders } from "#app/waitlist/confirmation/confirmation.server.ts";
import { rejoinEntry, unsubscribeEntry } from "#app/waitlist/entries/entries.server.ts";
import { eraseEntry } from "#app/waitlist/entries/erase-entries.server.ts";
import { brokenD1, meteredD1 } from "#tests/support/pool/d1.ts";
import { confirmationHarness, outboxHarness } from "#tests/support/pool/emails.ts";
import {
  acceptInserts,
  freshDatabaseForEachTest,
  refuseInserts,
  rows,
  seedEntries,
} from "#tests/support/pool/start.ts";

/* New subscribers where CONFIRM_ADDRESSES is on, and what the cron job does about those who have not confirmed. */

freshDatabaseForEachTest();

const DAY = 24 * 3_600_000;
const EMAIL = "ada@example.com";

let { outbox, now, join, confirm, entry, emails, pass } = confirmationHarness();

beforeEach(() => {
  ({ outbox, now, join, confirm, entry, emails, pass } = confirmationHarness());
});

describe("a new subscriber", () => {
  test("is not sent again a confirmation email that was being sent during the click", async () => {
    await join();
    expect(await outbox.claim()).toMatchObject([{ kind: "confirm" }]);
    await confirm();
    outbox.clock.now += DAY;
    await outbox.sweep();
    expect(await emails()).toEqual(["confirm", "+welcome"]);
  });

  test("stays unconfirmed and without a welcome email if the click fails in the database", async () => {
    await join();
    await refuseInserts("email_outbox");
    await expect(confirm()).rejects.toThrow();
    await acceptInserts();
    expect(await entry()).toMatchObject({ confirmed_at: null });
    expect(await emails()).toEqual(["confirm"]);
    await expect(confirmEntry(openDb(brokenD1), 1, now())).rejects.toThrow();
  });

  test("gets no welcome email before that, not even by the owner's hand or a row in the outbox", async () => {
    await join();
    await outbox.sweep();
    expect(await requeueWelcome(outbox.db, 1, now())).toBe("unchanged");
    await env.DB.exec("UPDATE email_outbox SET kind = 'welcome', done_at = NULL, dedupe_key = 'welcome:1'");
    const options = { now: now() + DAY, limit: 10, perHour: 100, owners: [] };
    expect(await claimDue(outbox.db, options)).toEqual([]);
    expect(await claimDue(outbox.db, { ...options, only: { email: EMAIL } })).toEqual([]);
    await confirm();
    expect(await claimDue(outbox.db, options)).toMatchObject([{ kind: "welcome" }]);
  });
});

describe("a repeated sign-up", () => {
  test("of an unconfirmed address is sent at most one more confirmation email a day", async () => {
    await join();
    await outbox.sweep();
    for (const [pause, sent] of [
      [0, 1],
      [DAY, 1],
      [1, 2],
      [DAY, 2],
      [1, 3],
    ] as const) {
      outbox.clock.now += pause;
      const added = await Promise.all([join(), join(), join()]);
      expect(added).toEqual(Array(3).fill({ kind: "listed" }));
      await outbox.sweep();
      expect(outbox.accepted).toHaveLength(sent);
    }
    expect(await emails()).toEqual(["+confirm"]);
    expect(await entry()).toMatchObject({ confirm_by: now() + 28 * DAY - 2 });
  });

  test("is sent no confirmation email within a day of the reminder", async () => {
    await join();
    await pass(0);
    expect(await pass(3 * DAY)).toMatchObject({ reminders: 1, sent: 1 });
    await join();
    expect(await pass(DAY)).toMatchObject({ sent: 0 });
    outbox.clock.now += 1;
    await join();
    expect(await pass(0)).toMatchObject({ sent: 1 });
  });

  test("of an address that joined while confirmation was off asks for none", async () => {
    await outboxHarness().join(EMAIL);
    outbox.clock.now += 2 * DAY;
    expect(await join()).toEqual({ kind: "listed" });
    expect(await entry()).toMatchObject({ confirm_by: null, confirmed_at: null });
    await outbox.sweep();
    expect(await emails()).toEqual(["+welcome"]);
  });
});

describe("the reminder", () => {
  test.each<[string, () => Promise<unknown>]>([
    ["has confirmed", () => confirm()],
    ["has left", () => unsubscribeEntry(outbox.db, 1, now())],
    ["was erased", () => eraseEntry(outbox.db, 1, now())],
  ])("is not sent to someone who %s", async (_what, change) => {
    await join();
    await outbox.sweep();
    await change();
    await outbox.sweep();
    expect(await pass(3 * DAY)).toMatchObject({ reminders: 0, sent: 0 });
  });

  test("waits until the confirmation email has been sent", async () => {
    await join();
    expect(await pass(3 * DAY)).toMatchObject({ reminders: 0, sent: 1 });
    expect(await pass(3 * DAY)).toMatchObject({ reminders: 1, sent: 1 });
  });

  test("is found by index: a run reads the sign-ups of a week, not the whole list", async () => {
    const meter = meteredD1();
    await seedEntries(300, now() - 40 * DAY);
    await enqueueReminders(openDb(meter.d1), now());
    expect(meter.rowsRead()).toBeLessThan(10);
  });
});

test("after 30 days only an entry that was never confirmed is erased", async () => {
  await join("bob@example.com");
  await confirm(1);
  await outboxHarness().join("cyd@example.com");
  for (const id of [3, 4]) await join(`person${id}@example.com`);
  await unsubscribeEntry(outbox.db, 3, now());
  await rejoinEntry(outbox.db, 3, now());
  expect(await pass(30 * DAY)).toMatchObject({ erased: 1 });
  expect((await rows("waitlist_emails")).map(({ id }) => id)).toEqual([1, 2, 3]);
});
