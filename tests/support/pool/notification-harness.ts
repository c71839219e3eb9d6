import { env } from "cloudflare:test";
import { claimDue, markFailed } from "#app/email/outbox.server.ts";
import { deliverNotifications } from "#app/email/owner-notifications.server.ts";
import { enqueueNotifications } from "#app/owner/notifications.server.ts";
import { outboxHarness } from "#tests/support/pool/outbox-harness.ts";

export const OWNER = "owner@stallwright.example";

/** A post office whose mail to the owner is read, with the cron trigger's part in it; `refusing` mail is not taken. */
export function notificationHarness({ timeZone = "Europe/London", owner = OWNER as string | null } = {}) {
  const letters: EmailMessageBuilder[] = [];
  const state = { refusing: false };
  const binding = {
    async send(mail: EmailMessageBuilder) {
      if (state.refusing) throw new Error(`no mailbox ${String(mail.to)}`);
      if (mail.to === OWNER) letters.push(mail);
    },
  } as unknown as SendEmail;
  const office = outboxHarness({ binding, ownerEmail: owner });
  const deps = { ...office.deps, ownerTimeZone: timeZone };

  return {
    ...office,
    state,
    /** Subjects of the mail that the owner got, oldest first. */
    subjects: () => letters.map(({ subject }) => subject?.replace(/^\w+: /, "")),
    texts: () => letters.map(({ text }) => text ?? ""),
    last: () => letters.at(-1)?.text ?? "",
    at(time: string) {
      office.clock.now = Date.parse(time);
    },
    /** What the cron trigger does for the owner. */
    async news() {
      await enqueueNotifications(deps);
      await deliverNotifications(deps);
    },
    /** Gives up so many mails of those that wait. */
    async bury(mails: number, reason = "no such mailbox") {
      for (const mail of await claimDue(office.db, { now: office.clock.now, limit: mails, perHour: 500 })) {
        await markFailed(office.db, mail, { reason, permanent: true }, office.clock.now);
      }
    },
    /** Counts refused tries on a day, as the gate does. */
    async block(day: string, count: number) {
      await env.DB.prepare("INSERT OR REPLACE INTO blocked_attempts VALUES (?, 'honeypot', ?)").bind(day, count).run();
    },
  };
}
