import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { resendMailer } from "#app/email/providers/resend/mailer.server.ts";
import { refusingD1 } from "#tests/support/pool/d1.ts";
import { outboxHarness } from "#tests/support/pool/emails.ts";
import { openResendAccount } from "#tests/support/pool/resend-account.ts";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/start.ts";

const log = freshDatabaseForEachTest();

/** More than a batch. */
const PEOPLE = Array.from({ length: 12 }, (_, person) => `person-${person}@example.com`);
const HOURS = 3_600_000;

/** A run of the cron job sends 12 emails, in two batches, with fewer than this many statements. */
const STATEMENTS = 12;

test.each(Array.from({ length: STATEMENTS }, (_, statement) => statement))(
  "D1 refuses from statement %i of a sweep on, and in every sweep until midnight: no email is lost or sent twice",
  async (first) => {
    const account = await openResendAccount({ apiKey: "re_1" });
    const quota = { first: Number.POSITIVE_INFINITY, made: 0 };
    const outbox = outboxHarness({
      d1: refusingD1(() => {
        quota.made += 1;
        return quota.made > quota.first;
      }),
    });
    outbox.deps.mailer = resendMailer({ apiKey: "re_1", from: env.MAIL_FROM, url: account.url });
    outbox.deps.wait = () => Promise.resolve();
    for (const email of PEOPLE) await outbox.join(email);

    Object.assign(quota, { made: 0, first });
    for (let hour = 0; hour < 12; hour += 1) {
      await outbox.sweep().catch(() => {});
      outbox.clock.now += HOURS;
    }
    const beforeMidnight = (await account.state()).accepted.length;
    // The first statements mark and claim emails: without them, nothing is sent.
    if (first < 2) expect(beforeMidnight).toBe(0);

    quota.first = Number.POSITIVE_INFINITY;
    await account.advance(12 * HOURS);
    for (let run = 0; run < 5; run += 1) {
      await outbox.sweep();
      outbox.clock.now += HOURS;
    }
    const { accepted } = await account.state();
    expect(accepted.map(({ to }) => to).toSorted()).toEqual(PEOPLE.toSorted());
    const stored = await rows<{ sent_at: number | null }>("email_outbox");
    expect(stored.every(({ sent_at }) => sent_at !== null)).toBe(true);
    expect(log.join()).not.toContain("@example.com");
  },
);
