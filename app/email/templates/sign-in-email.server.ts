import { button } from "#app/email/blocks/blocks.ts";
import type { EmailContent } from "#app/email/blocks/render-content.server.ts";
import { type OwnerEmailProps, ownerFooter } from "#app/email/templates/owner-email.server.ts";
import { site } from "#app/site.ts";

/** The email with the owner's sign-in link. */
export function signInEmail(_data: object, { siteUrl, signInUrl }: OwnerEmailProps): EmailContent {
  return {
    subject: `Sign in to ${site.name}`,
    siteUrl,
    heading: "Sign in",
    blocks: [
      "This link opens a page where you can sign in to see who joined. It works once, within 15 minutes.",
      button("Sign in", signInUrl),
      "If you didn’t ask for it, someone else entered your address. They can’t sign in without this email, so just delete it.",
    ],
    footer: ownerFooter,
  };
}
