import { env } from "cloudflare:test";
import { beforeEach, expect, test } from "vitest";
import type { SendOutcome } from "#app/email/mailer.server.ts";
import { addEntry } from "#app/waitlist/add-entry.server.ts";
import { isRecordOfResults, meteredD1 } from "#tests/support/pool/d1.ts";
import { countingMailer, scheduledApp } from "#tests/support/pool/emails.ts";
import { db, freshStorageForEachTest, rows, sampleCases, seedEntries } from "#tests/support/pool/start.ts";
import { runScheduled } from "#worker/scheduled.ts";

freshStorageForEachTest();

/** 04:00 UTC, when the cron job also erases unconfirmed entries; in Tokyo, where the owner is, the digest is due. */
const NOW = Date.UTC(2026, 10, 21, 4);

/** 1,000 queued welcomes, and everything else that the cron job can have to do. */
beforeEach(async () => {
  await seedEntries(1_000, Date.UTC(2026, 10, 20, 4));
  const expired = { email: "old@example.com", source: "landing_page", columns: {}, now: Date.UTC(2024, 10, 20) };
  await addEntry(db, expired);
  await seedUnconfirmed();
  const dead = env.DB.prepare("UPDATE email_outbox SET dead_at = ?, reason = 'address-refused' WHERE entry_id = 1001");
  await dead.bind(NOW - 10 * 60_000).run();
  await env.DB.exec("INSERT INTO blocked_attempts (day, reason, count) VALUES ('2026-11-21', 'honeypot', 500)");
});

/** One entry that is due for a reminder, and one that is due for erasure. */
async function seedUnconfirmed() {
  for (const [email, day] of [
    ["due@example.com", 17],
    ["overdue@example.com", -20],
  ] as const)
    await addEntry(db, { email, source: "stall", columns: {}, now: Date.UTC(2026, 10, day), mustConfirm: true });
  await env.DB.exec("UPDATE email_outbox SET sent_at = created_at WHERE kind = 'confirm'");
}

/**
 * Runs the cron job once, and counts the D1 statements (each of a batch, and those that fail) and the emails submitted.
 *
 * @param failing statements that fail
 */
async function countSubrequests(
  vars: object,
  failing: (sql: string) => boolean = () => false,
  accepts?: (nth: number) => boolean,
) {
  let failed = 0;
  const { d1, executed } = meteredD1((sql) => {
    if (!failing(sql)) return;
    failed += 1;
    throw new Error("D1_ERROR: Network connection lost");
  });
  const { mailer, counted } = countingMailer(accepts, "address-refused");
  const app = scheduledApp(NOW, {
    vars: { OWNER_EMAIL: "owner@waitlist-site.example", OWNER_TIME_ZONE: "Asia/Tokyo", ...vars },
    d1,
  });
  await runScheduled({ ...app, mailer });
  const kinds = (await rows<{ kind: string }>("email_outbox")).map(({ kind }) => kind);
  expect(kinds).toEqual(expect.arrayContaining(["digest", "alert", "confirm-reminder"]));
  expect(await rows("erased_totals")).toMatchObject([{ count: 2 }]);
  const statements = executed.length + failed;
  return {
    total: statements + counted.submitted,
    emails: counted.submitted,
    described: `${statements} statements and ${counted.submitted} emails`,
  };
}

// Send limits below, at and above what one run can send. Reaching the limit costs a notification as well.
test.each(
  sampleCases([
    ...[100_000, 1, 13, 14, 15, 16, 17].map((perHour) => ({ plan: "free", perHour, most: 45, atLeast: 14 })),
    ...[100_000, 500, 731, 732].map((perHour) => ({ plan: "paid", perHour, most: 900, atLeast: 670 })),
  ]),
)("with a send limit of $perHour, a run on the $plan plan makes at most $most subrequests", async (given) => {
  const vars = { WORKERS_PLAN: given.plan, MAIL_PER_HOUR: given.perHour };
  const { total, emails, described } = await countSubrequests(vars);
  expect(total, described).toBeLessThanOrEqual(given.most);
  expect(emails, described).toBeGreaterThanOrEqual(Math.min(given.perHour, given.atLeast));
});

test.each(
  sampleCases([
    ["free", 20, 50],
    ["paid", 731, 1_000],
  ] as const),
)(
  "a run on the %s plan stays within Cloudflare's own limit if it has to record every batch twice",
  async (...given) => {
    const [plan, perHour, cloudflareLimit] = given;
    let records = 0;
    const { total, described } = await countSubrequests({ WORKERS_PLAN: plan, MAIL_PER_HOUR: perHour }, (sql) => {
      if (isRecordOfResults(sql)) records += 1;
      return isRecordOfResults(sql) && records % 2 === 1;
    });
    expect(records).toBeGreaterThan(2);
    expect(total, described).toBeLessThanOrEqual(cloudflareLimit);
  },
);

test("a run on the free plan makes at most 45 subrequests if the provider refuses an address in every batch", async () => {
  const vars = { WORKERS_PLAN: "free", MAIL_PER_HOUR: 100_000 };
  const { total, described } = await countSubrequests(vars, undefined, (nth) => nth % 5 !== 0);
  expect(await rows("suppressions")).toHaveLength(2);
  expect(total, described).toBeLessThanOrEqual(45);
});

// After a pause, emails are claimed one by one until one is sent.
test.each(sampleCases([3, 0, 1, 100]))(
  "after a pause that %i emails in a row do not end, a run on the free plan makes at most 45 subrequests",
  async (refused) => {
    await env.DB.exec(`INSERT INTO email_pauses (reason, until, created_at) VALUES ('daily-quota', ${NOW - 1}, 0)`);
    const vars = { WORKERS_PLAN: "free", MAIL_PER_HOUR: 100_000 };
    const { total, emails, described } = await countSubrequests(vars, undefined, (nth) => nth > refused);
    expect(emails, described).toBeGreaterThanOrEqual(4);
    expect(await rows("email_pauses")).toHaveLength(refused < emails ? 0 : 1);
    expect(total, described).toBeLessThanOrEqual(45);
  },
);

test("a run with five owners makes at most 45 subrequests on the free plan, and notifies each of them", async () => {
  const owners = [1, 2, 3, 4, 5].map((n) => `owner${n}@waitlist-site.example`);
  const { total, described } = await countSubrequests({ OWNER_EMAIL: owners.join(), MAIL_PER_HOUR: 1 });
  expect(total, described).toBeLessThanOrEqual(45);
  const kinds = (await rows<{ kind: string }>("email_outbox")).map(({ kind }) => kind);
  for (const kind of ["digest", "alert", "send-limit"])
    expect(kinds.filter((found) => found === kind)).toHaveLength(owners.length);
});

test("without a setting, the free plan is assumed", async () => {
  const { total, described } = await countSubrequests({});
  expect(total, described).toBeLessThanOrEqual(45);
});

const refused: SendOutcome = { state: "later", scope: "all", reason: "rate-limit", retryAfter: 1_000, detail: "429" };

test.each<[string, (nth: number) => SendOutcome]>([
  ["ends a window after every two emails", (nth) => ({ state: "sent", delay: nth % 2 === 0 ? 1_000 : undefined })],
  ["accepts every second email", (nth) => (nth % 2 === 0 ? refused : { state: "sent" })],
  ["accepts none", () => refused],
])("a run on the free plan makes at most 45 subrequests if the provider %s", async (_name, respond) => {
  const { d1, executed } = meteredD1();
  const clock = { now: NOW };
  let requests = 0;
  const send = async () => {
    requests += 1;
    return respond(requests);
  };
  const app = scheduledApp(NOW, { vars: { WORKERS_PLAN: "free", OWNER_EMAIL: "owner@waitlist-site.example" }, d1 });
  const wait = async (milliseconds: number) => {
    clock.now += milliseconds;
  };
  await runScheduled({ ...app, mailer: { ...countingMailer().mailer, send }, now: () => clock.now, wait });
  expect(requests).toBeGreaterThan(2);
  expect(executed.length + requests).toBeLessThanOrEqual(45);
  const emails = await rows<{ attempts: number; sent_at: number | null; dead_at: number | null }>("email_outbox");
  const open = emails.filter(({ sent_at, dead_at }) => sent_at === null && dead_at === null);
  expect(open.filter(({ attempts }) => attempts !== 0)).toEqual([]);
});
