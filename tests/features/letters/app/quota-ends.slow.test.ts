import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { resendMailer } from "#app/email/providers/resend/mailer.server.ts";
import { sendEmail } from "#app/email/sender.server.ts";
import { startLetter } from "#app/features/letters/send/letter-states.server.ts";
import { createLetter } from "#app/features/letters/send/letters.server.ts";
import { sendSignInLink } from "#app/owner/sign-in/sign-in-page.server.tsx";
import type { AppContext } from "#app/server/context.ts";
import { addEntry } from "#app/waitlist/sign-up/add-entry.server.ts";
import { addPeople, MINUTE } from "#tests/features/letters/pool/letter-harness.ts";
import { OWNER, scheduledApp } from "#tests/support/pool/emails.ts";
import { openResendAccount } from "#tests/support/pool/resend-account.ts";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/start.ts";
import { runScheduled } from "#worker/scheduled.ts";

freshDatabaseForEachTest();

/** Before the digest, which would be an email more. */
const START = Date.UTC(2026, 10, 21, 2);
const WELCOMED = ["first@example.com", "second@example.com", "third@example.com"];

/**
 * A site whose provider says that the quota is used up, while the emails of three sign-ups and a letter to five people wait.
 * The cron job runs every minute; to save time, in the middle of an hour's wait every ninth.
 */
async function waitingSite(quota: "daily" | "monthly") {
  const account = await openResendAccount({ [`${quota}Quota`]: 0 });
  const clock = { now: START };
  const app: AppContext = {
    ...scheduledApp(START, { vars: { OWNER_EMAIL: OWNER, WORKERS_PLAN: "paid" } }),
    mailer: {
      ...resendMailer({ apiKey: "re_test", from: env.MAIL_FROM, url: account.url }),
      provider: "Resend",
      description: "Resend",
    },
    now: () => clock.now,
  };
  const letterPeople = await addPeople(5);
  const letter = await createLetter(app.db, { subject: "We open", body: "Come and see." }, clock.now);
  const audience = { db: app.db, timeZone: "UTC", now: app.now };
  expect(await startLetter(audience, letter, { count: letterPeople.length })).toEqual({ kind: "started" });
  const runsAt = (minute: number) => quota === "daily" || Math.abs(((minute + 30) % 60) - 30) < 4 || minute % 9 === 0;
  const site = {
    clock,
    /** A visitor signs up, and the page asks for their email. */
    async join(email: string) {
      const [verified, columns] = [true, {}];
      await addEntry(app.db, { email, source: "landing_page", columns, now: clock.now, verified, mustConfirm: false });
      await sendEmail(app, { email });
    },
    askForSignIn: () => sendSignInLink({ ...app, clientIp: "203.0.113.7" }, OWNER, undefined),
    acceptAgain: () => account.configure({ dailyQuota: 1_000, monthlyQuota: 1_000 }),
    requests: async () => (await account.state()).requests,
    /** Whom the provider accepted emails to, in order. */
    accepted: async () => (await account.state()).accepted.map(({ to }) => to),
    /** Runs the cron job until a time. @returns the minutes since the start in which the provider was asked */
    async runUntil(end: number): Promise<number[]> {
      const asked: number[] = [];
      let before = await site.requests();
      for (; clock.now < START + end * MINUTE; clock.now += MINUTE) {
        const minute = (clock.now - START) / MINUTE;
        if (!runsAt(minute)) continue;
        await runScheduled(app);
        const requests = await site.requests();
        if (requests > before) asked.push(minute);
        before = requests;
      }
      return asked;
    },
    letterPeople,
  };
  for (const email of WELCOMED) {
    await site.join(email);
    await site.runUntil((clock.now - START) / MINUTE + 1);
  }
  return site;
}

test.each([
  { quota: "daily", interval: 15 },
  { quota: "monthly", interval: 60 },
] as const)(
  "the $quota quota is found renewed within $interval minutes, even if it was renewed just after an attempt; all that waits follows once, a refused sign-in link first",
  async ({ quota, interval }) => {
    const site = await waitingSite(quota);
    expect(await site.requests()).toBe(1);
    expect(await site.runUntil(interval + 1)).toEqual([interval]);
    expect(await site.requests()).toBe(2);
    expect(await site.runUntil(2 * interval - 2)).toEqual([]);
    // It is tried although all email is paused. A sign-up's email is not.
    await site.askForSignIn();
    expect(await site.requests()).toBe(3);
    await site.join("fourth@example.com");
    expect(await site.requests()).toBe(3);
    expect(await site.accepted()).toEqual([]);
    await site.acceptAgain();
    expect(await site.runUntil(2 * interval + 1)).toEqual([2 * interval]);
    const accepted = await site.accepted();
    expect(accepted[0]).toBe(OWNER);
    expect(accepted.slice(1, 5).toSorted()).toEqual([...WELCOMED, "fourth@example.com"].toSorted());
    expect(accepted.slice(5).toSorted()).toEqual(site.letterPeople);
    expect(await site.runUntil(3 * interval + 2)).toEqual([]);
    expect(await rows("email_pauses")).toEqual([]);
    expect(await rows("letters")).toMatchObject([{ state: "finished" }]);
  },
);
