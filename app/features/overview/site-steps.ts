import { sql } from "drizzle-orm";
import type { FirstStep } from "#app/owner/ui/owner-context.ts";
import type { Config } from "#app/server/config/config.server.ts";
import { isReserved } from "#app/server/email-address.ts";
import { founder, site } from "#app/site.ts";
import * as switches from "#app/switches.ts";

/** Until it is done, the overview shows the first steps alone. */
export const SIGN_UP = "sign-up";

/**
 * What every launch page needs first.
 *
 * @param canSend whether `MAIL_FROM` is set
 * @param pause why all email waits, in words
 */
export function siteSteps(
  { CONTACT_EMAIL, SURVEY_URL }: Pick<Config, "CONTACT_EMAIL" | "SURVEY_URL">,
  { canSend, pause }: { canSend: boolean; pause: string | null },
): FirstStep[] {
  return [
    {
      key: "email",
      title: "Check that email works",
      isDone: sql`EXISTS (SELECT 1 FROM email_outbox WHERE done_at IS NOT NULL)`,
      text: emailAdvice(canSend, pause),
    },
    {
      key: SIGN_UP,
      title: "Get the first sign-up",
      // Also if their entry was erased since.
      isDone: sql`EXISTS (SELECT 1 FROM waitlist_emails) OR EXISTS (SELECT 1 FROM erased_totals)`,
      text: "Join with your own address to see what visitors see.",
      action: { label: "Open the site", href: "/" },
    },
    {
      key: "founder",
      title: "Say who you are",
      isDone: founder !== null,
      text: `Your name and two lines from you show visitors that a person is behind ${site.name}.\nAdvanced: set founder in app/site.ts, and deploy again.`,
    },
    {
      key: "contact",
      title: "Set a contact address",
      isDone: !isReserved(CONTACT_EMAIL),
      text: `No reply reaches you: ${CONTACT_EMAIL} is an address for examples.\nAdvanced: set CONTACT_EMAIL, and deploy again.`,
    },
    ...(switches.survey
      ? [
          {
            key: "survey",
            title: "Open a survey",
            isDone: SURVEY_URL !== undefined,
            text: "Ask people what they need, with a form at any survey service. Until then, the survey page says that it opens soon.\nAdvanced: set SURVEY_URL to the form’s address, and deploy again.",
          },
        ]
      : []),
  ];
}

function emailAdvice(canSend: boolean, pause: string | null): string {
  if (!canSend) {
    return "This site has no sender yet, so every email waits.\nAdvanced: set MAIL_FROM to an address at your own domain, and deploy again.";
  }
  if (pause !== null) return `${pause}.`;
  return "No email has been sent yet. To try it, sign out and ask for a sign-in link.";
}
