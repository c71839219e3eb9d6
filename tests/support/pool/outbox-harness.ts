import { env } from "cloudflare:test";
import { type DeliveryDeps, sweepOutbox } from "#app/email/deliver.server.ts";
import { claimDue } from "#app/email/outbox.server.ts";
import { cloudflareMailer } from "#app/email/providers/cloudflare/mailer.server.ts";
import { openDb } from "#app/server/db/client.server.ts";
import { maxSubrequests } from "#app/server/plan-limits.ts";
import { addEntry, type NewEntry } from "#app/waitlist/add-entry.server.ts";
import { emailBinding } from "#tests/support/pool/email.ts";

const START = Date.UTC(2026, 10, 21);

export const emailContext = {
  siteUrl: env.SITE_URL,
  replyTo: env.CONTACT_EMAIL,
  linkSecret: env.LINK_SECRET,
  hashKey: env.HASH_KEY,
  ownerEmails: [],
  ownerTimeZone: "UTC",
  controller: { name: env.CONTROLLER_NAME, address: env.CONTROLLER_ADDRESS },
};

/** Email delivery on the real database, with a controllable clock. */
export function outboxHarness({
  binding = emailBinding().binding,
  sender = "pioneers@waitlist-site.example" as string | null,
  emailsPerHour = 500,
  ownerEmail = null as string | null,
  /** In place of `ownerEmail`. */
  ownerEmails = undefined as string[] | undefined,
  ownerTimeZone = "UTC",
  d1 = env.DB,
  mustConfirm = false,
} = {}) {
  const clock = { now: START };
  const db = openDb(d1);
  const deps: DeliveryDeps = {
    db,
    mailer: sender === null ? null : cloudflareMailer(binding, sender),
    emailsPerHour,
    turnstile: null,
    maxSubrequests: maxSubrequests.paid,
    emailContext: {
      ...emailContext,
      ownerEmails: ownerEmails ?? (ownerEmail === null ? [] : [ownerEmail]),
      ownerTimeZone,
    },
    now: () => clock.now,
  };
  return {
    clock,
    db,
    deps,
    join: (email: string, checks: Pick<NewEntry, "mailboxHash" | "network" | "verified"> = {}) =>
      addEntry(db, {
        email,
        source: "landing_page",
        columns: {},
        now: clock.now,
        mustConfirm,
        verified: true,
        ...checks,
      }),
    /** Claims one email, as a sender does before it crashes. */
    claim: () => claimDue(db, { now: clock.now, limit: 1, perHour: emailsPerHour, owners: [] }),
    /** Sends due emails, as the cron job does. */
    sweep: () => sweepOutbox(deps),
  };
}
