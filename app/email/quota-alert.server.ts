import { renderContent } from "#app/email/blocks/render-content.server.ts";
import { dailyQuotaEmail } from "#app/email/templates/owner-emails.server.ts";
import type { EmailContext } from "#app/server/context.ts";
import { flagQuota, isQuotaFlagged } from "#app/server/db/daily-quota.server.ts";
import { logError, logInfo, redactRecipients } from "#app/server/log.ts";
import type { Mailer } from "#app/server/mailer.server.ts";
import { identifyOwners } from "#app/server/owners.server.ts";
import { utcDay } from "#app/server/time/calendar.ts";

type QuotaAlertDeps = Parameters<typeof flagQuota>[0] & { mailer: Mailer | null; emailContext: EmailContext };

/**
 * Flags in KV that D1 refuses queries, for `/healthcheck`, and emails the owners, past the outbox. Once a day: the flag
 * is set before the emails, so that one that fails is logged and not sent again; `/healthcheck` and the owner's pages
 * still tell. Locations that notice within the same minute may each send one, unless the provider has idempotency keys.
 * Never throws.
 */
export async function alertQuotaExceeded(deps: QuotaAlertDeps): Promise<void> {
  const { mailer, emailContext, now } = deps;
  try {
    if (await isQuotaFlagged(deps)) return;
    await flagQuota(deps);
  } catch (error) {
    logError("quota-not-flagged", error);
    // Without a flag and without idempotency keys, every isolate would send one.
    if (mailer?.keyLifetime === 0) return;
  }
  if (mailer === null) return;
  const { siteUrl, replyTo, ownerEmails } = emailContext;
  const content = renderContent(dailyQuotaEmail({ siteUrl }));
  const send = async ({ id, email }: { id: string; email: string }) => {
    const message = { to: email, replyTo, ...content, headers: { "Auto-Submitted": "auto-generated" } };
    const outcome = await mailer.send(message, `daily-quota-${utcDay(now())}-${id}`);
    if (outcome.state === "sent") logInfo("quota-alert-sent");
    else logError("quota-alert-failed", redactRecipients(outcome.detail, [email]), { reason: outcome.reason });
  };
  await Promise.all((await identifyOwners(ownerEmails)).map(send));
}
