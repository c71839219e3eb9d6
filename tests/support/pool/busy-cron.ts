import { env } from "cloudflare:test";
import { countAudience } from "#app/email/letters/audience.server.ts";
import { startLetter } from "#app/email/letters/letter-states.server.ts";
import { createLetter } from "#app/email/letters/letters.server.ts";
import { resendMailer } from "#app/email/providers/resend/mailer.server.ts";
import { startBulkAction } from "#app/owner/entries/bulk/bulk-actions.server.ts";
import { utcDay } from "#app/server/calendar.ts";
import { openDb } from "#app/server/db/client.server.ts";
import * as switches from "#app/switches.ts";
import { addEntry } from "#app/waitlist/add-entry.server.ts";
import { peopleCsv } from "#tests/support/import-files.ts";
import { rows } from "#tests/support/pool/database.ts";
import { armedDevice } from "#tests/support/pool/fair.ts";
import { importHarness } from "#tests/support/pool/imports.ts";
import { type Kill, killedProcess } from "#tests/support/pool/killed-process.ts";
import { recipients } from "#tests/support/pool/letter-harness.ts";
import { openResendAccount } from "#tests/support/pool/resend-account.ts";
import { scheduledApp } from "#tests/support/pool/scheduled-app.ts";
import { seedEntries } from "#tests/support/pool/seed-entries.ts";
import { runScheduled } from "#worker/scheduled.ts";

export const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const OWNER = "owner@waitlist-site.example";

/** More than a run on the paid plan imports at once. */
const IMPORTED = 1_010;

/** A site on which every step of the cron job has something to do, with an account of the fake Resend. */
export async function busyCron(start: number) {
  const resend = await openResendAccount();
  const provider = resendMailer({ apiKey: "re_test", from: "pioneers@waitlist-site.example", url: resend.url });
  const clock = { now: start };
  await seed(start);

  const run = async (mailer = provider, d1 = env.DB) => {
    const vars = { WORKERS_PLAN: "paid", OWNER_EMAIL: OWNER, OWNER_TIME_ZONE: "Asia/Tokyo", MAIL_PER_HOUR: 100_000 };
    const wait = async (milliseconds: number) => {
      clock.now += milliseconds;
    };
    await runScheduled({ ...scheduledApp(0, { vars, d1 }), mailer, now: () => clock.now, wait });
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
    /** The runs that follow: the next ones, those that do what is due once an hour, and those that do it once a day. */
    async runOn() {
      for (const minute of [1, 2, 3, 4, 29, 30, 31, 59, 60, 61, 23 * 60 + 1, 23 * 60 + 30, 24 * 60, 24 * 60 + 1]) {
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
  imports: [{ state: "done", added: IMPORTED, failures: 0 }],
  letters: ["finished"],
  recipients: ["sent", "sent", "sent"],
  counted: switches.referrals ? [1] : [],
  left: [],
};

async function seed(start: number): Promise<void> {
  const db = openDb(env.DB);
  const join = (email: string, now: number, mustConfirm = false) =>
    addEntry(db, { email, source: "stall", columns: {}, now, mustConfirm });
  // Letters: to those who have had their welcome email.
  await seedEntries(3, start - 2 * DAY);
  await env.DB.exec("UPDATE email_outbox SET sent_at = created_at");
  const letter = await createLetter(db, { subject: "We open on Friday", body: "Come and see." }, start - DAY);
  const deps = { db, timeZone: "UTC", now: () => start - MINUTE };
  await startLetter(deps, letter, { count: await countAudience(deps, { filter: {} }) });
  // The outbox: two batches, and an email that failed.
  for (let n = 1; n <= 12; n += 1) await join(`ada${n}@example.com`, start - MINUTE);
  await join("dead@example.com", start - DAY);
  await env.DB.prepare("UPDATE email_outbox SET dead_at = ?, reason = 'address-refused' WHERE entry_id = 16")
    .bind(start - 10 * MINUTE)
    .run();
  // Reminders and erasure.
  await join("due@example.com", start - 5 * DAY, true);
  await join("overdue@example.com", start - 31 * DAY, true);
  await env.DB.exec("UPDATE email_outbox SET sent_at = created_at WHERE kind = 'confirm'");
  await join("old@example.com", start - 800 * DAY);
  await env.DB.exec("UPDATE waitlist_emails SET status = 'unsubscribed' WHERE email = 'old@example.com'");
  if (switches.fair) {
    const tablet = await armedDevice({ now: start - 60 * MINUTE });
    for (const n of [1, 2, 3]) await tablet.store(`fair${n}@example.com`, { at: start - n * MINUTE, now: start - 1 });
  }
  // What is forgotten.
  const old = start - 800 * DAY;
  await env.DB.exec(`UPDATE email_outbox SET sent_at = ${old} WHERE entry_id = 1`);
  await env.DB.batch([
    env.DB.prepare("INSERT INTO provider_events VALUES ('old', ?)").bind(old),
    env.DB.prepare("INSERT INTO suppressions VALUES ('ended', 'hard-bounce', ?, 0)").bind(old),
    env.DB.prepare("INSERT INTO owner_log (actor, action, details, created_at) VALUES ('x', 'erase', '{}', ?)").bind(
      old,
    ),
    env.DB.prepare("INSERT INTO page_visits (day, counts) VALUES (?, '{}')").bind(utcDay(old)),
    // Brought a friend, and one who counted so long ago that their mailbox is forgotten.
    env.DB.prepare("UPDATE waitlist_emails SET mailbox_hash = 'friend' WHERE id = 2"),
    env.DB.prepare("INSERT INTO referrals (entry_id, referrer_id) VALUES (2, 1)"),
    env.DB.prepare("INSERT INTO referred_mailboxes VALUES ('old', ?)").bind(old),
  ]);
  for (const name of ["flood1", "flood2", "flood3"]) await join(`${name}@example.com`, start - MINUTE);
  await env.DB.exec("UPDATE waitlist_emails SET source = 'flood' WHERE email LIKE 'flood%'");
  await env.DB.exec(
    "DELETE FROM email_outbox WHERE entry_id IN (SELECT id FROM waitlist_emails WHERE source = 'flood')",
  );
  const erasure = { kind: "erase" as const, selection: { source: "flood" }, newestEntryId: 1_000, expected: 3 };
  await startBulkAction(db, { ...erasure, now: old });
  await env.DB.exec(`UPDATE bulk_actions SET state = 'done', finished_at = ${old}`);
  await startBulkAction(db, { ...erasure, now: start });
  const imports = importHarness();
  await imports.stage(peopleCsv(1));
  const { id } = await imports.check(peopleCsv(IMPORTED).replaceAll("person", "imported"));
  await imports.confirm(id);
}

async function readResults() {
  const entries = await rows<{ email: string }>("waitlist_emails");
  const outbox = await rows<{ kind: string; sent_at: number | null; dead_at: number | null }>("email_outbox");
  const erased = await rows<{ count: number }>("erased_totals");
  const forgotten = ["provider_events", "suppressions", "owner_log", "import_chunks"] as const;
  const mailboxes = switches.referrals ? await rows<{ mailbox_hash: string }>("referred_mailboxes") : [];
  return {
    entries: countAll(entries.map(({ email }) => email.replace(/\d+/, ""))),
    outbox: countAll(
      outbox.map(({ kind, sent_at, dead_at }) => `${kind}${sent_at ? " sent" : ""}${dead_at ? " dead" : ""}`),
    ),
    erased: erased.reduce((sum, { count }) => sum + count, 0),
    erasures: (await rows("bulk_actions")).map(({ state, affected }) => ({ state, erased: affected })),
    imports: (await rows("imports")).map(({ state, added, failures }) => ({ state, added, failures })),
    letters: (await rows("letters")).map(({ state }) => state),
    recipients: (await recipients()).map(({ state }) => state),
    counted: (await rows("referrers")).map(({ counted }) => counted),
    left: [
      ...(await Promise.all([...forgotten, ...(switches.visits ? (["page_visits"] as const) : [])].map(rows))).flat(),
      ...mailboxes.filter(({ mailbox_hash }) => mailbox_hash === "old"),
    ],
  };
}

function countAll(values: string[]): Record<string, number> {
  return Object.fromEntries(
    Object.entries(Object.groupBy(values, (value) => value)).map(([value, all = []]) => [value, all.length]),
  );
}
