import { env } from "cloudflare:test";
import { sweepOutbox } from "#app/email/deliver.server.ts";
import { claimDue } from "#app/email/outbox.server.ts";
import type { EmailReason } from "#app/email/reasons.ts";
import { recordResults } from "#app/email/record-results.server.ts";
import { enqueueNotifications } from "#app/owner/notifications.server.ts";
import { outboxHarness } from "#tests/support/pool/outbox-harness.ts";

export const OWNER = "owner@waitlist-site.example";

/** The outbox harness with notifications. It records emails to the owner; while `state.failing`, sending fails. */
export function notificationHarness({ timeZone = "Europe/London", owner = OWNER as string | null } = {}) {
  const emails: EmailMessageBuilder[] = [];
  const state = { failing: false };
  const binding = {
    async send(email: EmailMessageBuilder) {
      if (state.failing) throw new Error(`no mailbox ${String(email.to)}`);
      if (email.to === OWNER) emails.push(email);
    },
  } as unknown as SendEmail;
  const outbox = outboxHarness({ binding, ownerEmail: owner, ownerTimeZone: timeZone });

  return {
    ...outbox,
    state,
    /** Subjects of the emails to the owner, oldest first. */
    subjects: () => emails.map(({ subject }) => subject?.replace(/^\w+: /, "")),
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
      await env.DB.prepare("INSERT OR REPLACE INTO blocked_attempts VALUES (?, 'honeypot', ?)").bind(day, count).run();
    },
  };
}
