import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { sweepOutbox } from "#app/email/deliver.server.ts";
import { retryDelay } from "#app/email/retry-schedule.ts";
import { eraseEntry, rejoinEntry, unsubscribeEntry } from "#app/waitlist/entries.server.ts";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/database.ts";
import { emailRecorder, type RecordedEmail } from "#tests/support/pool/email-recorder.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { outboxHarness } from "#tests/support/pool/outbox-harness.ts";

freshDatabaseForEachTest();
const log = captureLog();

const COUNT = 12;

/** An office that owes so many people a welcome, and a mailer that lets something happen while it takes a mail. */
async function busyOffice(count: number, meanwhile: (mail: RecordedEmail, nth: number) => Promise<unknown>) {
  const office = outboxHarness();
  const ids: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const added = await office.join(`ada${n}@example.com`);
    if (added.kind === "new") ids.push(added.id);
  }
  const { mailer, handed } = emailRecorder(async (mail) => void (await meanwhile(mail, handed.length)));
  return { ...office, ids, handed, sweep: () => sweepOutbox({ ...office.deps, mailer }) };
}

describe.each([
  ["erased", (id: number) => eraseEntry(outboxHarness().db, id)],
  ["unsubscribed", (id: number) => unsubscribeEntry(outboxHarness().db, id, outboxHarness().clock.now)],
] as const)("whoever is %s while a sweep is at others' mail", (_what, leave) => {
  test("is sent none", async () => {
    const office = await busyOffice(COUNT, async (_mail, nth) => {
      if (nth === 1) for (const id of office.ids.slice(-3)) await leave(id);
    });
    expect(await office.sweep()).toMatchObject({ sent: COUNT - 3, failed: 0 });
    const reached = office.handed.map(({ entryId }) => entryId);
    expect(reached.toSorted((a, b) => a - b)).toEqual(office.ids.slice(0, -3));
  });
});

describe("whoever leaves while the welcome is on its way", () => {
  test("and comes back gets no second one when it arrived", async () => {
    const office = await busyOffice(1, ({ entryId }) => unsubscribeEntry(office.db, entryId, office.clock.now));
    await office.sweep();
    await rejoinEntry(office.db, office.ids[0] ?? 0, office.clock.now);
    office.clock.now += retryDelay(1);
    await office.sweep();
    expect(office.handed).toHaveLength(1);
  });

  test("and comes back gets it when it did not arrive, and not before", async () => {
    const office = await busyOffice(1, async ({ entryId }, nth) => {
      if (nth > 1) return;
      await unsubscribeEntry(office.db, entryId, office.clock.now);
      throw new Error("no mail today");
    });
    await office.sweep();
    office.clock.now += retryDelay(1);
    await office.sweep();
    expect(office.handed).toHaveLength(1);
    await rejoinEntry(office.db, office.ids[0] ?? 0, office.clock.now);
    await office.sweep();
    expect(office.handed.map(({ accepted }) => accepted)).toEqual([false, true]);
  });
});

test("whoever is back by the old link is not asked whether they want to be", async () => {
  const office = await busyOffice(1, async () => {});
  await office.sweep();
  const id = office.ids[0] ?? 0;
  await unsubscribeEntry(office.db, id, office.clock.now);
  await office.join("ada0@example.com");
  await rejoinEntry(office.db, id, office.clock.now);
  await office.sweep();
  expect(office.handed.map(({ kind }) => kind)).toEqual(["welcome"]);
});

describe("the stamp that a mail was sent", () => {
  /** A database in which the first so many stamps fail. */
  function forgetful(failures: number): D1Database {
    let left = failures;
    return new Proxy(env.DB, {
      get(target, name) {
        if (name !== "prepare") return Reflect.get(target, name);
        return (query: string) => {
          if (
            !/^update "mail_outbox" set "sent_at" = \?|^update "mail_outbox" set .*, "sent_at" = \?/.test(query) ||
            left === 0
          )
            return target.prepare(query);
          left -= 1;
          throw new Error("D1_ERROR: Network connection lost, says ada@example.com");
        };
      },
    });
  }

  test("is tried once more when it is lost, so that no second mail goes out", async () => {
    const office = await busyOffice(1, async () => {});
    const { mailer, handed } = emailRecorder(async () => {});
    const db = outboxHarness({ d1: forgetful(1) }).db;
    expect(await sweepOutbox({ ...office.deps, db, mailer })).toMatchObject({ sent: 1 });
    expect(await rows("mail_outbox")).toMatchObject([{ sent_at: office.clock.now, leased_until: 0 }]);
    const line = log.find((entry) => entry.includes("mark-sent-failed")) ?? "";
    expect(JSON.parse(line)).toMatchObject({ level: "error", emailId: expect.any(String) });
    expect(log.join()).not.toContain("@");
    expect(handed).toHaveLength(1);
  });

  test("that is lost twice is reported as a failure, and the mail stays held until its lease ends", async () => {
    const office = await busyOffice(1, async () => {});
    const { mailer } = emailRecorder(async () => {});
    const db = outboxHarness({ d1: forgetful(2) }).db;
    await expect(sweepOutbox({ ...office.deps, db, mailer })).rejects.toThrow();
    expect(await rows("mail_outbox")).toMatchObject([{ sent_at: null, attempts: 1 }]);
    expect((await rows<{ leased_until: number }>("mail_outbox"))[0]?.leased_until).toBeGreaterThan(office.clock.now);
  });
});
