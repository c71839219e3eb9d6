import { env } from "cloudflare:test";
import { openDb } from "#app/db/client.server.ts";
import { bindingMailer } from "#app/email/binding-mailer.server.ts";
import { type DeliveryDeps, sweepOutbox } from "#app/email/deliver.server.ts";
import { claimDue } from "#app/email/outbox.server.ts";
import { addEntry } from "#app/waitlist/entries.server.ts";
import { mailBinding } from "#tests/support/pool/mail.ts";

const START = Date.UTC(2026, 10, 21);

/** A post office with a clock that tests move, over the real database. */
export function postOffice({
  binding = mailBinding().binding,
  sender = "pioneers@stallwright.example" as string | null,
  mailPerHour = 500,
  ownerEmail = null as string | null,
} = {}) {
  const clock = { now: START };
  const db = openDb(env.DB);
  const deps: DeliveryDeps = {
    db,
    mailer: sender === null ? null : bindingMailer(binding, sender),
    mailPerHour,
    ownerEmail,
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
    sweep: () => sweepOutbox(deps),
  };
}
