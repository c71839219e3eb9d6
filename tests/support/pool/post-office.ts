import { env } from "cloudflare:test";
import { openDb } from "#app/db/client.server.ts";
import { bindingMailer } from "#app/email/binding-mailer.server.ts";
import { type DeliveryDeps, sweepOutbox } from "#app/email/deliver.server.ts";
import { claimDue } from "#app/email/outbox.server.ts";
import { deliverNotices, type NoticeDeps } from "#app/email/owner-notices.server.ts";
import { addEntry } from "#app/waitlist/entries.server.ts";
import { mailBinding } from "#tests/support/pool/mail.ts";

const START = Date.UTC(2026, 10, 21);

/** A post office with a clock that tests move, over the real database. */
export function postOffice({
  binding = mailBinding().binding,
  sender = "pioneers@stallwright.example" as string | null,
  mailPerHour = 500,
  ownerEmail = null as string | null,
  d1 = env.DB,
} = {}) {
  const clock = { now: START };
  const db = openDb(d1);
  const deps: DeliveryDeps & NoticeDeps = {
    db,
    mailer: sender === null ? null : bindingMailer(binding, sender),
    mailPerHour,
    ownerEmail,
    ownerTimeZone: "UTC",
    facts: { siteUrl: env.SITE_URL, replyTo: env.CONTACT_EMAIL, linkSecret: env.LINK_SECRET },
    now: () => clock.now,
  };
  return {
    clock,
    db,
    deps,
    join: (email: string) => addEntry(db, { email, source: "landing_page", campaign: {}, now: clock.now }),
    /** Claims one mail as a sender does that then dies. */
    claim: () => claimDue(db, { now: clock.now, limit: 1, perHour: mailPerHour }),
    /** What the cron trigger does about mail. */
    async sweep() {
      const report = await sweepOutbox(deps);
      await deliverNotices(deps);
      return report;
    },
  };
}
