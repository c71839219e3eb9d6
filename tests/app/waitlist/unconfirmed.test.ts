import { env } from "cloudflare:test";
import { beforeEach, describe, expect, test } from "vitest";
import { openDb } from "#app/server/db/client.server.ts";
import { enqueueReminders } from "#app/waitlist/confirmation.server.ts";
import { CONFIRM_PERIOD, REMIND_AFTER } from "#app/waitlist/confirmation.ts";
import { rejoinEntry, unsubscribeEntry } from "#app/waitlist/entries.server.ts";
import { eraseEntry } from "#app/waitlist/erase-entries.server.ts";
import { confirmationHarness } from "#tests/support/pool/confirmation-harness.ts";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/database.ts";
import { explain } from "#tests/support/pool/explain.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { meteredD1 } from "#tests/support/pool/metered-d1.ts";
import { outboxHarness } from "#tests/support/pool/outbox-harness.ts";

/* What the cron job does about subscribers who have not confirmed their address. */

freshDatabaseForEachTest();
captureLog();

const DAY = 24 * 3_600_000;

let { outbox, now, join, confirm, entry, emails, pass } = confirmationHarness();

beforeEach(() => {
  ({ outbox, now, join, confirm, entry, emails, pass } = confirmationHarness());
});

describe("the reminder", () => {
  test("is sent once, three days after the confirmation email", async () => {
    await join();
    await pass(0);
    expect(await pass(REMIND_AFTER - 1)).toMatchObject({ reminders: 0, sent: 0 });
    expect(await pass(1)).toMatchObject({ reminders: 1, sent: 1 });
    expect(await entry()).toMatchObject({ reminded_at: now() });
    for (let day = 4; day < 30; day += 1) expect(await pass(DAY)).toEqual({ reminders: 0, sent: 0, erased: 0 });
    expect(await emails()).toEqual(["+confirm", "+confirm-reminder"]);
  });

  test.each<[string, () => Promise<unknown>]>([
    ["has confirmed", () => confirm()],
    ["has left", () => unsubscribeEntry(outbox.db, 1, now())],
    ["was erased", () => eraseEntry(outbox.db, 1, now())],
  ])("is not sent to someone who %s", async (_what, change) => {
    await join();
    await outbox.sweep();
    await change();
    await outbox.sweep();
    expect(await pass(REMIND_AFTER)).toMatchObject({ reminders: 0, sent: 0 });
  });

  test("is cancelled by a click that comes before it", async () => {
    await join();
    await outbox.sweep();
    outbox.clock.now += REMIND_AFTER;
    expect(await enqueueReminders(outbox.db, now())).toBe(1);
    await confirm();
    expect(await emails()).toEqual(["+confirm", "welcome"]);
  });

  test("waits until the confirmation email has been sent", async () => {
    await join();
    expect(await pass(REMIND_AFTER)).toMatchObject({ reminders: 0, sent: 1 });
    expect(await pass(REMIND_AFTER)).toMatchObject({ reminders: 1, sent: 1 });
  });

  test("is queued once by concurrent runs, for a bounded number of entries, the oldest first", async () => {
    await env.DB.prepare(`WITH RECURSIVE person(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM person WHERE n < 250)
      INSERT INTO waitlist_emails (email, metadata, created_at, confirm_by)
      SELECT 'person' || n || '@example.com', '{}', ?1 - n, ?1 + ?2 FROM person`)
      .bind(now(), CONFIRM_PERIOD)
      .run();
    await env.DB.prepare(`INSERT INTO email_outbox
      (id, entry_id, kind, dedupe_key, priority, next_attempt_at, sent_at, created_at)
      SELECT 'c' || id, id, 'confirm', 'confirm:' || id, 1, 0, created_at, created_at FROM waitlist_emails`).run();
    outbox.clock.now += REMIND_AFTER;
    const first = await Promise.all([1, 2, 3].map(() => enqueueReminders(outbox.db, now())));
    expect(first.toSorted((a, b) => a - b)).toEqual([0, 50, 200]);
    const kinds = await emails();
    expect(kinds.filter((kind) => kind === "confirm-reminder")).toHaveLength(250);
  });

  test("is found by index: a run reads the sign-ups of a week, not the whole list", async () => {
    const meter = meteredD1();
    await enqueueReminders(openDb(meter.d1), now());
    const steps = (await Promise.all(meter.matching(/./).map(explain))).flat();
    expect(steps).toContain(
      "SEARCH waitlist_emails USING INDEX waitlist_emails_created_at (created_at>? AND created_at<?)",
    );
    expect(steps).toContain("SEARCH email_outbox EXISTS USING INDEX email_outbox_dedupe_key (dedupe_key=?)");
    expect(steps.filter((step) => /^SCAN (email_outbox|waitlist_emails)/.test(step))).toEqual([]);
  });
});

describe("an entry that is never confirmed", () => {
  test("is erased with its emails after 30 days, and counted", async () => {
    await join();
    await pass(0);
    expect(await pass(CONFIRM_PERIOD - 1)).toMatchObject({ erased: 0 });
    expect(await pass(1)).toMatchObject({ erased: 1 });
    expect([await rows("waitlist_emails"), await rows("email_outbox")]).toEqual([[], []]);
    expect(await rows("erased_totals")).toMatchObject([{ count: 1 }]);
    expect(await confirm()).toBeNull();
    expect(await join()).toMatchObject({ kind: "new" });
  });

  test("is the only kind of entry that is erased then", async () => {
    await join("bob@example.com");
    await confirm(1);
    await outboxHarness().join("cyd@example.com");
    for (const id of [3, 4]) await join(`person${id}@example.com`);
    await unsubscribeEntry(outbox.db, 3, now());
    await rejoinEntry(outbox.db, 3, now());
    expect(await pass(CONFIRM_PERIOD)).toMatchObject({ erased: 1 });
    expect((await rows("waitlist_emails")).map(({ id }) => id)).toEqual([1, 2, 3]);
  });
});
