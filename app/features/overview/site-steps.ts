import { sql } from "drizzle-orm";
import { type FirstStep, type OwnerContext, pageToChange, type SettingPages } from "#app/owner/ui/owner-context.ts";
import { siteSettings } from "#app/server/config/settings.server.ts";
import { isReserved } from "#app/server/email-address.ts";
import { site } from "#app/site.ts";
import * as switches from "#app/switches.ts";

/** Until it is done, the overview shows the first steps alone. */
export const SIGN_UP = "sign-up";

/** What every launch page needs first. @param pause why all email waits, in words */
export function siteSteps(c: OwnerContext, pause: string | null): FirstStep[] {
  const { config, mailer } = c.var.app;
  const { CONTACT_EMAIL, SURVEY_URL } = config;
  /** Where it is done: on a page, or by a deployment. */
  const done = (text: string, page: { at: keyof SettingPages; label: string }, otherwise: string) => {
    const href = pageToChange(c, page.at);
    return href === undefined
      ? { text: `${text}\nAdvanced: ${otherwise}, and deploy again.` }
      : { text, action: { label: page.label, href } };
  };
  return [
    {
      key: "email",
      title: "Check that email works",
      isDone: sql`EXISTS (SELECT 1 FROM email_outbox WHERE done_at IS NOT NULL)`,
      text: emailAdvice(mailer !== null, pause),
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
      isDone: siteSettings().founder !== null,
      ...done(
        `Your name and two lines from you show visitors that a person is behind ${site.name}.`,
        { at: "founder", label: "Write a note" },
        "set founder in app/site.ts",
      ),
    },
    {
      key: "contact",
      title: "Set a contact address",
      isDone: !isReserved(CONTACT_EMAIL),
      ...done(
        `No reply reaches you: ${CONTACT_EMAIL} is an address for examples.`,
        { at: "contact", label: "Set an address" },
        "set CONTACT_EMAIL",
      ),
    },
    ...(switches.survey
      ? [
          {
            key: "survey",
            title: "Open a survey",
            isDone: SURVEY_URL !== undefined,
            ...done(
              "Ask people what they need, with a form at any survey service. Until then, the survey page says that it opens soon.",
              { at: "links", label: "Link a survey" },
              "set SURVEY_URL to the form’s address",
            ),
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
