import { env } from "cloudflare:test";
import { sweepOutbox } from "#app/email/deliver.server.ts";
import { claimDue } from "#app/email/outbox.server.ts";
import { recordResults } from "#app/email/record-results.server.ts";
import { enqueueNotifications } from "#app/owner/notifications/notifications.server.ts";
import type { EmailReason } from "#app/server/db/email-reasons.ts";
import { site } from "#app/site.ts";
import { outboxHarness } from "#tests/support/pool/outbox-harness.ts";

export const OWNER = "owner@waitlist-site.example";

/**
 * The outbox harness with notifications. It records emails to the owners; while `state.failing`, sending fails, to
 * all or to one address.
 */
export function notificationHarness({ timeZone = "Europe/London", owners = [OWNER], emailsPerHour = 500 } = {}) {
  const emails: EmailMessageBuilder[] = [];
  const state: { failing: boolean | string } = { failing: false };
  const binding = {
    async send(email: EmailMessageBuilder) {
      if (state.failing === true || state.failing === email.to) throw new Error(`no mailbox ${String(email.to)}`);
      if (owners.includes(String(email.to))) emails.push(email);
    },
  } as unknown as SendEmail;
  const outbox = outboxHarness({ binding, emailsPerHour, ownerEmails: owners, ownerTimeZone: timeZone });

  return {
    ...outbox,
    state,
    /** Subjects and recipients of the emails to the owners, oldest first. */
    subjects: () => emails.map(({ subject }) => subject?.replace(`${site.name}: `, "")),
    recipients: () => emails.map(({ to }) => String(to)),
    texts: () => emails.map(({ text }) => text ?? ""),
    lastText: () => emails.at(-1)?.text ?? "",
    setTime(time: string) {
      outbox.clock.now = Date.parse(time);
    },
    /** Queues and sends notifications, as the cron trigger does. */
    async runNotifications() {
      await enqueueNotifications(outbox.deps);
      await sweepOutbox(outbox.deps);
    },
    /** Marks a number of queued emails dead. */
    async markDead(limit: number, reason: EmailReason = "address-refused") {
      const { now } = outbox.clock;
      const claims = await claimDue(outbox.db, { now, limit, perHour: 500, owners: [] });
      await recordResults(
        outbox.db,
        claims.map(({ id }) => ({ id, state: "dead", reason })),
        now,
      );
    },
    /** Sets a day's number of blocked attempts. */
    async setBlocked(day: string, count: number) {
      await env.DB.prepare("INSERT OR REPLACE INTO blocked_attempts (day, reason, count) VALUES (?, 'honeypot', ?)")
        .bind(day, count)
        .run();
    },
  };
}
