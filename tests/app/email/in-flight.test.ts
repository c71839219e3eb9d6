import { describe, expect, test } from "vitest";
import { emailRetries } from "#app/email/limits.ts";
import { backOff } from "#app/server/queue.server.ts";
import { rejoinEntry, unsubscribeEntry } from "#app/waitlist/entries/entries.server.ts";
import { eraseEntry } from "#app/waitlist/entries/erase-entries.server.ts";
import { isRecordOfResults, meteredD1 } from "#tests/support/pool/d1.ts";
import { emailRecorder, outboxHarness, type RecordedEmail, sendAll } from "#tests/support/pool/emails.ts";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/start.ts";

const log = freshDatabaseForEachTest();

/** More than the sweep claims at once, by more than those who leave. */
const COUNT = 15;

/** An outbox with `count` queued welcomes, and a mailer that runs `onSend` while it sends the nth. */
async function queuedWelcomes(count: number, onSend: (email: RecordedEmail, nth: number) => Promise<unknown>) {
  const outbox = outboxHarness();
  const ids: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const added = await outbox.join(`ada${n}@example.com`);
    if (added.kind === "new") ids.push(added.id);
  }
  const { mailer, recorded } = emailRecorder(async (email) => void (await onSend(email, recorded.length)));
  return { ...outbox, ids, recorded, sweep: () => sendAll({ ...outbox.deps, mailer }) };
}

test.each([
  ["erased", eraseEntry],
  ["unsubscribed", unsubscribeEntry],
] as const)("people %s during a sweep receive nothing", async (_name, leave) => {
  const outbox = await queuedWelcomes(COUNT, async (_email, nth) => {
    if (nth === 1) for (const id of outbox.ids.slice(-3)) await leave(outbox.db, id, outbox.clock.now);
  });
  expect(await outbox.sweep()).toMatchObject({ sent: COUNT - 3, failed: 0 });
  const reached = outbox.recorded.map(({ entryId }) => entryId);
  expect(reached.toSorted((a, b) => a - b)).toEqual(outbox.ids.slice(0, -3));
});

describe("unsubscribing while the welcome is being sent, then rejoining", () => {
  test("sends no second welcome if the first arrived", async () => {
    const outbox = await queuedWelcomes(1, ({ entryId }) => unsubscribeEntry(outbox.db, entryId, outbox.clock.now));
    await outbox.sweep();
    await rejoinEntry(outbox.db, outbox.ids[0] ?? 0, outbox.clock.now);
    outbox.clock.now += backOff(emailRetries, 1);
    await outbox.sweep();
    expect(outbox.recorded).toHaveLength(1);
  });

  test("sends the welcome after rejoining if it had failed", async () => {
    const outbox = await queuedWelcomes(1, async ({ entryId }, nth) => {
      if (nth > 1) return;
      await unsubscribeEntry(outbox.db, entryId, outbox.clock.now);
      throw new Error("sending failed");
    });
    await outbox.sweep();
    outbox.clock.now += backOff(emailRetries, 1);
    await outbox.sweep();
    expect(outbox.recorded).toHaveLength(1);
    await rejoinEntry(outbox.db, outbox.ids[0] ?? 0, outbox.clock.now);
    await outbox.sweep();
    expect(outbox.recorded.map(({ accepted }) => accepted)).toEqual([false, true]);
  });
});

test("people who rejoin by an earlier link get no rejoin email", async () => {
  const outbox = await queuedWelcomes(1, async () => {});
  await outbox.sweep();
  const id = outbox.ids[0] ?? 0;
  await unsubscribeEntry(outbox.db, id, outbox.clock.now);
  await outbox.join("ada0@example.com");
  await rejoinEntry(outbox.db, id, outbox.clock.now);
  await outbox.sweep();
  expect(outbox.recorded.map(({ kind }) => kind)).toEqual(["welcome"]);
});

describe("recording that an email was sent", () => {
  /** A database in which the first records of results fail. */
  function failingWrites(failures: number): D1Database {
    let left = failures;
    return meteredD1((sql) => {
      if (isRecordOfResults(sql) && left-- > 0)
        throw new Error("D1_ERROR: Network connection lost, says ada@example.com");
    }).d1;
  }

  test("is retried once, so that no second email is sent", async () => {
    const outbox = await queuedWelcomes(2, async () => {});
    const { mailer, recorded } = emailRecorder(async () => {});
    const db = outboxHarness({ d1: failingWrites(1) }).db;
    expect(await sendAll({ ...outbox.deps, db, mailer })).toMatchObject({ sent: 2 });
    const sent = { done_at: outbox.clock.now, leased_until: 0 };
    expect(await rows("email_outbox")).toMatchObject([sent, sent]);
    const line = log.find((entry) => entry.includes("record-results-failed")) ?? "";
    expect(JSON.parse(line)).toMatchObject({ level: "error", emails: 2 });
    expect(log.join()).not.toContain("@");
    expect(recorded).toHaveLength(2);
  });

  test("is reported if it fails twice, and the email stays leased", async () => {
    const outbox = await queuedWelcomes(1, async () => {});
    const { mailer } = emailRecorder(async () => {});
    const db = outboxHarness({ d1: failingWrites(2) }).db;
    await expect(sendAll({ ...outbox.deps, db, mailer })).rejects.toThrow();
    expect(await rows("email_outbox")).toMatchObject([{ done_at: null, attempts: 1 }]);
    expect((await rows<{ leased_until: number }>("email_outbox"))[0]?.leased_until).toBeGreaterThan(outbox.clock.now);
  });
});
