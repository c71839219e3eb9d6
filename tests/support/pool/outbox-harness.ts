import { env } from "cloudflare:test";
import { bindingMailer } from "#app/email/binding-mailer.server.ts";
import { type DeliveryDeps, sweepOutbox } from "#app/email/deliver.server.ts";
import { claimDue } from "#app/email/outbox.server.ts";
import { deliverNotifications, type NotificationDeps } from "#app/email/owner-notifications.server.ts";
import { openDb } from "#app/server/db/client.server.ts";
import { addEntry } from "#app/waitlist/entries.server.ts";
import { emailBinding } from "#tests/support/pool/email.ts";

const START = Date.UTC(2026, 10, 21);

/** A post office with a clock that tests move, over the real database. */
export function outboxHarness({
  binding = emailBinding().binding,
  sender = "pioneers@stallwright.example" as string | null,
  emailsPerHour = 500,
  ownerEmail = null as string | null,
  d1 = env.DB,
} = {}) {
  const clock = { now: START };
  const db = openDb(d1);
  const deps: DeliveryDeps & NotificationDeps = {
    db,
    mailer: sender === null ? null : bindingMailer(binding, sender),
    emailsPerHour,
    ownerEmail,
    ownerTimeZone: "UTC",
    facts: { siteUrl: env.SITE_URL, replyTo: env.CONTACT_EMAIL, linkSecret: env.LINK_SECRET },
    now: () => clock.now,
  };
  return {
    clock,
    db,
    deps,
    join: (email: string) => addEntry(db, { email, source: "landing_page", columns: {}, now: clock.now }),
    /** Claims one mail as a sender does that then dies. */
    claim: () => claimDue(db, { now: clock.now, limit: 1, perHour: emailsPerHour }),
    /** What the cron trigger does about mail. */
    async sweep() {
      const report = await sweepOutbox(deps);
      await deliverNotifications(deps);
      return report;
    },
  };
}
