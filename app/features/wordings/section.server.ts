import { wordedKinds } from "#app/email/templates/wording.ts";
import { changeWording, showEmails, showWording } from "#app/features/wordings/wordings-page.server.tsx";
import type { OwnerSection } from "#app/owner/ui/owner-context.ts";

/** The largest form: a character takes up to nine bytes when it is encoded, and a text that is too long is shown again. */
const MAX_FORM_BYTES = 128 * 1_024;

/** The overview links to it, since a phone has no room for one more name in the navigation. */
export const emailsSection: OwnerSection = {
  section: "emails",
  routes: [
    { method: "get", path: "/emails", handler: showEmails },
    ...wordedKinds.flatMap((kind) => [
      { method: "get" as const, path: `/emails/${kind}`, handler: showWording(kind) },
      { method: "post" as const, path: `/emails/${kind}`, handler: changeWording(kind), maxBody: MAX_FORM_BYTES },
    ]),
  ],
  outcomes: {
    worded: "The words are saved. Emails use them from now on, including those already waiting.",
    "email-tested": "The test has been sent to your address.",
    restored: "The original words are restored.",
  },
};
