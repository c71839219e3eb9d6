import { env } from "cloudflare:test";
import { beforeEach, describe, expect, test } from "vitest";
import { claimDue } from "#app/email/outbox.server.ts";
import { requeueWelcome } from "#app/email/requeue.server.ts";
import { openDb } from "#app/server/db/client.server.ts";
import { confirmEntry } from "#app/waitlist/confirmation.server.ts";
import { CONFIRM_PERIOD, REMIND_AFTER } from "#app/waitlist/confirmation.ts";
import { rejoinEntry, unsubscribeEntry } from "#app/waitlist/entries.server.ts";
import { brokenD1 } from "#tests/support/pool/broken-d1.ts";
import { confirmationHarness } from "#tests/support/pool/confirmation-harness.ts";
import { acceptInserts, freshDatabaseForEachTest, refuseInserts, rows } from "#tests/support/pool/database.ts";
import { emailBinding } from "#tests/support/pool/email.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { outboxHarness } from "#tests/support/pool/outbox-harness.ts";

/* New subscribers where CONFIRM_ADDRESSES is on. */

freshDatabaseForEachTest();
captureLog();

const DAY = 24 * 3_600_000;
const EMAIL = "ada@example.com";

let { outbox, now, join, confirm, entry, emails, pass } = confirmationHarness();

beforeEach(() => {
  ({ outbox, now, join, confirm, entry, emails, pass } = confirmationHarness());
});

describe("a new subscriber", () => {
  test("is on the list unconfirmed, and is sent the confirmation email only", async () => {
    expect(await join()).toEqual({ kind: "new", id: 1, emailId: expect.any(String) });
    expect(await entry()).toMatchObject({
      status: "active",
      consent_at: now(),
      confirm_by: now() + CONFIRM_PERIOD,
      confirmed_at: null,
    });
    await outbox.sweep();
    expect(await emails()).toEqual(["+confirm"]);
  });

  test("confirms once, and is then sent one welcome email", async () => {
    await join();
    await outbox.sweep();
    outbox.clock.now += DAY;
    expect(await confirm()).toBe(EMAIL);
    const confirmed = await entry();
    expect(confirmed).toMatchObject({ status: "active", confirmed_at: now() });
    outbox.clock.now += DAY;
    expect(await confirm()).toBeNull();
    expect(await entry()).toEqual(confirmed);
    await outbox.sweep();
    expect(await emails()).toEqual(["+confirm", "+welcome"]);
  });

  test("is confirmed by one of several concurrent clicks, with one welcome email", async () => {
    await join();
    await outbox.sweep();
    const clicks = await Promise.all(Array.from({ length: 8 }, () => confirm()));
    expect(clicks.filter((email) => email !== null)).toEqual([EMAIL]);
    expect(await emails()).toEqual(["+confirm", "welcome"]);
  });

  test("is not sent a confirmation email that was still queued", async () => {
    await join();
    await confirm();
    expect(await emails()).toEqual(["welcome"]);
  });

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
    await env.DB.exec("UPDATE email_outbox SET kind = 'welcome', sent_at = NULL, dedupe_key = 'welcome:1'");
    const options = { now: now() + DAY, limit: 10, perHour: 100, owners: [] };
    expect(await claimDue(outbox.db, options)).toEqual([]);
    expect(await claimDue(outbox.db, { ...options, only: { email: EMAIL } })).toEqual([]);
    await confirm();
    expect(await claimDue(outbox.db, options)).toMatchObject([{ kind: "welcome" }]);
  });
});

describe("a repeated sign-up", () => {
  test("of an unconfirmed address is sent at most one more confirmation email a day", async () => {
    const { binding, accepted } = emailBinding();
    ({ outbox, now, join, entry, emails } = confirmationHarness({ binding }));
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
      expect(accepted).toHaveLength(sent);
    }
    expect(await emails()).toEqual(["+confirm"]);
    expect(await entry()).toMatchObject({ confirm_by: now() - 2 * DAY - 2 + CONFIRM_PERIOD });
  });

  test("does not queue the waiting confirmation email twice", async () => {
    await join();
    const [queued] = await rows("email_outbox");
    outbox.clock.now += 5 * DAY;
    await join();
    expect(await rows("email_outbox")).toEqual([queued]);
  });

  test("is sent no confirmation email within a day of the reminder", async () => {
    await join();
    await pass(0);
    expect(await pass(REMIND_AFTER)).toMatchObject({ reminders: 1, sent: 1 });
    await join();
    expect(await pass(DAY)).toMatchObject({ sent: 0 });
    outbox.clock.now += 1;
    await join();
    expect(await pass(0)).toMatchObject({ sent: 1 });
  });

  test("of a confirmed address takes nothing back and sends nothing", async () => {
    await join();
    await confirm();
    await outbox.sweep();
    const before = [await rows("waitlist_emails"), await rows("email_outbox")];
    outbox.clock.now += 2 * DAY;
    expect(await join()).toEqual({ kind: "listed" });
    expect([await rows("waitlist_emails"), await rows("email_outbox")]).toEqual(before);
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

describe("someone who leaves before they confirm", () => {
  beforeEach(async () => {
    await join();
    await unsubscribeEntry(outbox.db, 1, now());
  });

  test("gets no more email, and the old link does not put them back", async () => {
    expect(await confirm()).toBeNull();
    expect(await entry()).toMatchObject({ status: "unsubscribed", confirmed_at: null });
    expect(await emails()).toEqual([]);
  });

  test("confirms the address by rejoining, and is then sent one welcome email", async () => {
    outbox.clock.now += DAY;
    expect(await rejoinEntry(outbox.db, 1, now())).toBe(true);
    expect(await entry()).toMatchObject({ status: "active", confirmed_at: now(), consent_at: now() });
    await outbox.sweep();
    expect(await emails()).toEqual(["+welcome"]);
    expect(await confirm()).toBeNull();
  });

  test("is asked by the rejoin email if the address is entered again", async () => {
    expect(await join()).toEqual({ kind: "unsubscribed", id: 1, emailId: expect.any(String) });
    await outbox.sweep();
    expect(await emails()).toEqual(["+rejoin"]);
  });
});

test("where confirmation is off, nothing is asked and nothing is erased", async () => {
  ({ join, entry, emails, pass, confirm } = confirmationHarness({ mustConfirm: false }));
  await join();
  expect(await entry()).toMatchObject({ confirm_by: null, confirmed_at: null });
  await pass(0);
  expect(await pass(REMIND_AFTER)).toMatchObject({ reminders: 0, sent: 0 });
  expect(await pass(CONFIRM_PERIOD)).toMatchObject({ erased: 0 });
  expect(await emails()).toEqual(["+welcome"]);
  expect(await confirm()).toBeNull();
});

test("people who were asked while confirmation was on can still confirm after it is off", async () => {
  await join();
  await outbox.sweep();
  outbox.clock.now += DAY + 1;
  expect(await outboxHarness().join(EMAIL)).toEqual({ kind: "listed" });
  expect(await confirm()).toBe(EMAIL);
});
