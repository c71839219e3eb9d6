import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import type { SendOutcome } from "#app/server/mailer.server.ts";
import { addEntry } from "#app/waitlist/sign-up/add-entry.server.ts";
import { isRecordOfResults, meteredD1 } from "#tests/support/pool/d1.ts";
import { countingMailer, scheduledApp } from "#tests/support/pool/emails.ts";
import { startImport } from "#tests/support/pool/running-import.ts";
import { db, freshStorageForEachTest, rows, sampleCases, seedEntries } from "#tests/support/pool/start.ts";
import { runScheduled } from "#worker/scheduled.ts";

freshStorageForEachTest();

/** 04:00 UTC, when the cron job also erases unconfirmed entries; in Tokyo, where the owner is, the digest is due. */
const NOW = Date.UTC(2026, 10, 21, 4);

/** 1,000 queued welcomes, and everything else that the cron job can have to do. */
async function seed() {
  await seedEntries(1_000, Date.UTC(2026, 10, 20, 4));
  const add = (email: string, day: number, mustConfirm: boolean) =>
    addEntry(db, { email, source: "stall", columns: {}, now: Date.UTC(2026, 10, day), mustConfirm });
  await add("old@example.com", -730, false);
  await add("due@example.com", 17, true);
  await add("overdue@example.com", -20, true);
  await env.DB.exec("UPDATE email_outbox SET done_at = created_at WHERE kind = 'confirm'");
  const dead = `dead_at = ${NOW - 600_000}, reason = 'address-refused'`;
  await env.DB.exec(`UPDATE email_outbox SET ${dead} WHERE entry_id = 1001`);
  await env.DB.exec("INSERT INTO blocked_attempts (day, reason, count) VALUES ('2026-11-21', 'honeypot', 500)");
  await startImport({ people: 60, optedOut: ["person1000@example.com"], now: NOW });
}

interface Case {
  name: string;
  vars?: object;
  /** D1 statements, each of a batch and those that fail, and requests to the provider. */
  most: number;
  emails?: number;
  respond?: (nth: number) => SendOutcome;
  /** Every second record of results fails. */
  fails?: boolean;
  paused?: boolean;
}

const sent: SendOutcome = { state: "sent" };
const limited: SendOutcome = { state: "later", scope: "all", reason: "rate-limit", retryAfter: 1_000, detail: "429" };
const refused: SendOutcome = { state: "permanent", reason: "address-refused", detail: "no such mailbox" };
const owners = [1, 2, 3, 4, 5].map((n) => `owner${n}@waitlist-site.example`);

const cases: Case[] = [
  { name: "without a setting of the plan", most: 45, emails: 14 },
  // Send limits below, at and above what one run can send. Reaching the limit costs a notification as well.
  ...[100_000, 1, 13, 14, 15, 16, 17].map((perHour) => ({
    name: `on the free plan, with a send limit of ${perHour}`,
    vars: { WORKERS_PLAN: "free", MAIL_PER_HOUR: perHour },
    most: 45,
    emails: Math.min(perHour, 14),
  })),
  ...[100_000, 500, 731, 732].map((perHour) => ({
    name: `on the paid plan, with a send limit of ${perHour}`,
    vars: { WORKERS_PLAN: "paid", MAIL_PER_HOUR: perHour },
    most: 900,
    emails: Math.min(perHour, 670),
  })),
  // Cloudflare's own limits.
  { name: "if every batch is recorded twice", vars: { MAIL_PER_HOUR: 20 }, fails: true, most: 50 },
  { name: "on the paid plan, the same", vars: { WORKERS_PLAN: "paid", MAIL_PER_HOUR: 731 }, fails: true, most: 1_000 },
  { name: "with five owners", vars: { OWNER_EMAIL: owners.join(), MAIL_PER_HOUR: 1 }, most: 45 },
  {
    name: "if an address in each batch is refused",
    respond: (nth) => (nth % 5 ? sent : refused),
    most: 45,
    emails: 10,
  },
  // After a pause, emails are claimed one by one until one is sent.
  ...[0, 1, 3, 100].map((count) => ({
    name: `after a pause that ${count} emails do not end`,
    respond: (nth: number) => (nth > count ? sent : refused),
    paused: true,
    most: 45,
    emails: 4,
  })),
  {
    name: "if a window ends after two emails",
    respond: (nth) => ({ ...sent, delay: nth % 2 ? undefined : 1_000 }),
    most: 45,
  },
  { name: "if every second email is accepted", respond: (nth) => (nth % 2 ? sent : limited), most: 45 },
  { name: "if none is accepted", respond: () => limited, most: 45 },
];

test.each(sampleCases(cases))(
  "$name, a run makes at most $most subrequests",
  async ({ vars = {}, most, emails = 1, respond = () => sent, fails = false, paused = false }) => {
    await seed();
    if (paused)
      await env.DB.exec(
        `INSERT INTO email_pauses (scope, reason, until, created_at) VALUES ('all', 'daily-quota', ${NOW - 1}, 0)`,
      );
    let [made, records, requests] = [0, 0, 0];
    const { d1 } = meteredD1((sql) => {
      made += 1;
      if (!fails || !isRecordOfResults(sql)) return;
      records += 1;
      if (records % 2 === 1) throw new Error("D1_ERROR: Network connection lost");
    });
    let now = NOW;
    const settings = {
      OWNER_EMAIL: "owner@waitlist-site.example",
      OWNER_TIME_ZONE: "Asia/Tokyo",
      MAIL_PER_HOUR: 100_000,
    };
    await runScheduled({
      ...scheduledApp(NOW, { vars: { ...settings, ...vars }, d1 }),
      mailer: {
        ...countingMailer().mailer,
        async send() {
          requests += 1;
          return respond(requests);
        },
      },
      now: () => now,
      async wait(milliseconds: number) {
        now += milliseconds;
      },
    } as Parameters<typeof runScheduled>[0]);
    expect(made + requests, `${made} statements and ${requests} emails`).toBeLessThanOrEqual(most);
    expect(requests).toBeGreaterThanOrEqual(emails);
    if (fails) expect(records).toBeGreaterThan(2);
    const kinds = (await rows<{ kind: string }>("email_outbox")).map(({ kind }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(["digest", "alert", "confirm-reminder"]));
    expect(await rows("erased_totals")).toMatchObject([{ count: 2 }]);
  },
);
