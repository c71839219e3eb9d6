import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { MAX_RECORDS, SIGN_UPS_PATH, type SignUpsResponse } from "#app/features/fair/protocol.ts";
import type { WorkersPlan } from "#app/server/config/plan-limits.ts";
import { armedDevice, decided, inbox } from "#tests/features/fair/pool/fair.ts";
import { meteredD1 } from "#tests/support/pool/d1.ts";
import { countingMailer, scheduledApp } from "#tests/support/pool/emails.ts";
import { apiSite } from "#tests/support/pool/site.ts";
import { freshStorageForEachTest, needs, rows } from "#tests/support/pool/start.ts";
import { runScheduled } from "#worker/scheduled.ts";

needs("fair");
freshStorageForEachTest();

const MINUTE = 60_000;
const PEOPLE = 500;

/** What runs may make of statements and emails, and how many it may take. */
const limits: Record<WorkersPlan, { subrequests: number; runs: number }> = {
  free: { subrequests: 45, runs: 250 },
  paid: { subrequests: 900, runs: 8 },
};

test.each(["free", "paid"] as const)(
  "on the %s plan, 500 sign-ups are added once, in order and with their times, though every third answer is lost",
  async (plan) => {
    const start = Date.now() - 24 * 60 * MINUTE;
    const tablet = await armedDevice({ now: start, days: 3 });
    const at = (n: number) => start + n * 1_000;
    let waiting = await Promise.all(
      Array.from({ length: PEOPLE }, (_, n) => tablet.sealed(`ada${n}@example.com`, { at: at(n) })),
    );
    const site = apiSite();
    for (let request = 1; waiting.length > 0; request += 1) {
      const body = { waiting: waiting.length, hasEnded: false, signUps: waiting.slice(0, MAX_RECORDS) };
      const response = await site.post(SIGN_UPS_PATH, body, { Authorization: `Bearer ${tablet.key}` });
      const { stored } = (await response.json()) as SignUpsResponse;
      if (request % 3 === 0) continue;
      waiting = waiting.filter(({ id }) => !stored.includes(id));
    }
    expect(await tablet.row()).toMatchObject({ received: PEOPLE, waiting: 0 });
    expect(await inbox()).toHaveLength(PEOPLE);

    const { mailer, counted } = countingMailer();
    const vars = { WORKERS_PLAN: plan, MAIL_PER_HOUR: 100_000 };
    let runs = 0;
    for (; (await inbox()).length > 0 && runs < PEOPLE; runs += 1) {
      const { d1, executed } = meteredD1();
      const before = counted.submitted;
      // At every fifth run, another one at the same time.
      const now = Date.now() + runs * MINUTE;
      const run = (db = env.DB) => runScheduled({ ...scheduledApp(now, { vars, d1: db }), mailer });
      await Promise.all(runs % 5 === 4 ? [run(), run()] : [run(d1)]);
      const used = executed.length + (executed.length === 0 ? 0 : counted.submitted - before);
      expect(used).toBeLessThanOrEqual(limits[plan].subrequests);
    }
    expect(runs).toBeLessThanOrEqual(limits[plan].runs);
    const entries = await rows<{ email: string; created_at: number; consent_at: number }>("waitlist_emails");
    const joined = entries.map(({ email, created_at, consent_at }) => [email, created_at, consent_at]);
    const expected = Array.from({ length: PEOPLE }, (_, n) => [`ada${n}@example.com`, at(n), at(n)]);
    expect(joined.toSorted((a, b) => Number(a[1]) - Number(b[1]))).toEqual(expected);
    expect(await rows("email_outbox")).toHaveLength(PEOPLE);
    expect(await decided()).toBe(PEOPLE);
    expect(Math.max(...counted.accepted.values())).toBe(1);
  },
);
