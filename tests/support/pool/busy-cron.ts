import { env } from "cloudflare:test";
import { startBulkAction } from "#app/features/entries/bulk/bulk-actions.server.ts";
import { utcDay } from "#app/server/time/calendar.ts";
import * as switches from "#app/switches.ts";
import { armedDevice } from "#tests/features/fair/pool/fair.ts";
import { peopleCsv } from "#tests/features/import/import-files.ts";
import { importHarness } from "#tests/features/import/pool/imports.ts";
import { HOUR, letterHarness, recipients } from "#tests/features/letters/pool/letter-harness.ts";
import { type Kill, killedProcess } from "#tests/support/pool/d1.ts";
import { OWNER, scheduledApp } from "#tests/support/pool/emails.ts";
import { db, join, rows, seedEntries } from "#tests/support/pool/start.ts";
import { runScheduled } from "#worker/scheduled.ts";

export const MINUTE = 60_000;
const DAY = 24 * HOUR;

/** More than a run on the paid plan imports at once. */
const IMPORTED = 1_010;

/** A site on which every step of the cron job has something to do, with an account of the fake Resend. */
export async function busyCron(start: number) {
  const { clock, resend, deps, start: startLetter } = await letterHarness();
  const { mailer: provider, now, wait } = deps;
  clock.now = start - MINUTE;
  await seed(start, () => startLetter());
  clock.now = start;

  const run = async (mailer = provider, d1 = env.DB) => {
    const vars = { WORKERS_PLAN: "paid", OWNER_EMAIL: OWNER, OWNER_TIME_ZONE: "Asia/Tokyo", MAIL_PER_HOUR: 100_000 };
    const app = scheduledApp(0, { vars, d1 });
    await runScheduled({ ...app, mailer, now, wait } as typeof app);
  };
  return {
    clock,
    run,
    /** A run that is killed; if it ends before, it was not. */
    async runUntil(kill: Kill) {
      const { d1, mailer, untilDead, wasKilled } = killedProcess(provider, kill);
      await untilDead(run(mailer, d1));
      return wasKilled();
    },
    /** A whole run. @returns how many steps could have been its last */
    async countSteps() {
      const { d1, mailer, steps } = killedProcess(provider);
      await run(mailer, d1);
      return steps();
    },
    /** The runs that follow: the next ones, those that do what is due once an hour, and those that do it once a day. */
    async runOn() {
      const daily = [21 * 60 + 30, 23 * 60 + 1, 23 * 60 + 30, 24 * 60, 24 * 60 + 1];
      for (const minute of [1, 2, 3, 4, 29, 30, 31, 59, 60, 61, 91, 120, 150, ...daily]) {
        clock.now = start + minute * MINUTE;
        await run();
      }
    },
    /** What the runs have done so far, as far as it does not depend on their times. */
    done: async () => ({
      accepted: countAll((await resend.state()).accepted.map(({ to }) => to)),
      ...(await readResults()),
    }),
  };
}

/** What {@link busyCron}'s runs do in the end, without a kill or with one. */
export const everythingDone = {
  accepted: {
    ...Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`ada${index + 1}@example.com`, 1])),
    ...{ "person1@example.com": 1, "person2@example.com": 1, "person3@example.com": 1 },
    "due@example.com": 1,
    ...(switches.fair ? { "fair1@example.com": 1, "fair2@example.com": 1, "fair3@example.com": 1 } : {}),
    // Two digests and an alert.
    [OWNER]: 3,
  },
  entries: {
    "person@example.com": 3,
    "ada@example.com": 12,
    "dead@example.com": 1,
    "due@example.com": 1,
    ...(switches.fair ? { "fair@example.com": 3 } : {}),
    "imported@example.com": IMPORTED,
  },
  erasures: [{ state: "done", erased: 3 }],
  outbox: {
    // One is old.
    "welcome sent": switches.fair ? 17 : 14,
    "welcome dead": 1,
    "confirm sent": 1,
    "confirm-reminder sent": 1,
    "digest sent": 1,
    "alert sent": 1,
  },
  erased: 5,
  imports: [{ state: "done", added: IMPORTED }],
  letters: ["finished"],
  recipients: ["sent", "sent", "sent"],
  counted: switches.referrals ? [1] : [],
  left: [],
};

async function seed(start: number, startLetter: () => Promise<unknown>): Promise<void> {
  const old = start - 800 * DAY;
  const run = (sql: string) => env.DB.exec(sql);
  // Letters: to those who have had their welcome email.
  await seedEntries(3, start - 2 * DAY);
  await run("UPDATE email_outbox SET done_at = created_at");
  await startLetter();
  // The outbox: two batches, and an email that failed.
  for (let n = 1; n <= 12; n += 1) await join(`ada${n}@example.com`, { now: start - MINUTE });
  const dead = await join("dead@example.com", { now: start - DAY });
  await run(
    `UPDATE email_outbox SET dead_at = ${start - 10 * MINUTE}, reason = 'address-refused' WHERE entry_id = ${dead}`,
  );
  // Reminders and erasure.
  await join("due@example.com", { now: start - 5 * DAY, mustConfirm: true });
  await join("overdue@example.com", { now: start - 31 * DAY, mustConfirm: true });
  await run("UPDATE email_outbox SET done_at = created_at WHERE kind = 'confirm'");
  await join("old@example.com", { now: old });
  await run("UPDATE waitlist_emails SET status = 'unsubscribed' WHERE email = 'old@example.com'");
  if (switches.fair) {
    const tablet = await armedDevice({ now: start - 60 * MINUTE });
    for (const n of [1, 2, 3]) await tablet.store(`fair${n}@example.com`, { at: start - n * MINUTE, now: start - 1 });
  }
  // What is forgotten.
  await run(`UPDATE email_outbox SET done_at = ${old} WHERE entry_id = 1`);
  await run(`INSERT INTO provider_events VALUES ('old', ${old})`);
  await run(`INSERT INTO suppressions VALUES ('ended', 'hard-bounce', ${old}, 0)`);
  await run(`INSERT INTO owner_log (actor, action, details, created_at) VALUES ('x', 'erase', '{}', ${old})`);
  await run(`INSERT INTO page_visits (day, counts) VALUES ('${utcDay(old)}', '{}')`);
  // Brought a friend, and one who counted so long ago that their mailbox is forgotten.
  await run("UPDATE waitlist_emails SET mailbox_hash = 'friend' WHERE id = 2");
  await run("INSERT INTO referrals (entry_id, referrer_id) VALUES (2, 1)");
  await run(`INSERT INTO referred_mailboxes VALUES ('old', ${old})`);
  for (const name of ["flood1", "flood2", "flood3"]) {
    const id = await join(`${name}@example.com`, { source: "flood", now: start - MINUTE });
    await run(`DELETE FROM email_outbox WHERE entry_id = ${id}`);
  }
  const erasure = { kind: "erase" as const, selection: { source: "flood" }, newestEntryId: 1_000, expected: 3 };
  await startBulkAction(db, { ...erasure, now: old });
  await run(`UPDATE bulk_actions SET state = 'done', finished_at = ${old}`);
  await run(`UPDATE jobs SET done_at = ${old} WHERE kind = 'change'`);
  await startBulkAction(db, { ...erasure, now: start });
  const imports = importHarness();
  await imports.stage(peopleCsv(1));
  const { id } = await imports.check(peopleCsv(IMPORTED).replaceAll("person", "imported"));
  await imports.confirm(id);
}

async function readResults() {
  const entries = await rows<{ email: string }>("waitlist_emails");
  const outbox = await rows<{ kind: string; done_at: number | null; dead_at: number | null }>("email_outbox");
  const erased = await rows<{ count: number }>("erased_totals");
  const forgotten = ["provider_events", "suppressions", "owner_log", "import_chunks"] as const;
  const mailboxes = switches.referrals ? await rows<{ mailbox_hash: string }>("referred_mailboxes") : [];
  return {
    entries: countAll(entries.map(({ email }) => email.replace(/\d+/, ""))),
    outbox: countAll(
      outbox.map(({ kind, done_at, dead_at }) => `${kind}${done_at ? " sent" : ""}${dead_at ? " dead" : ""}`),
    ),
    erased: erased.reduce((sum, { count }) => sum + count, 0),
    erasures: (await rows("bulk_actions")).map(({ state, affected }) => ({ state, erased: affected })),
    imports: (await rows("imports")).map(({ state, added }) => ({ state, added })),
    letters: (await rows("letters")).map(({ state }) => state),
    recipients: (await recipients()).map(({ state }) => state),
    counted: (await rows("referrers")).map(({ counted }) => counted),
    left: [
      ...(await Promise.all([...forgotten, ...(switches.visits ? (["page_visits"] as const) : [])].map(rows))).flat(),
      ...mailboxes.filter(({ mailbox_hash }) => mailbox_hash === "old"),
      ...(await rows("jobs")).filter(({ done_at }) => Number(done_at) < Date.UTC(2026)),
    ],
  };
}

function countAll(values: string[]): Record<string, number> {
  return Object.fromEntries(
    Object.entries(Object.groupBy(values, (value) => value)).map(([value, all = []]) => [value, all.length]),
  );
}
