import { button } from "#app/email/blocks/blocks.ts";
import type { EmailContent } from "#app/email/blocks/render-content.server.ts";
import { type EntryEmailProps, entryFooter } from "#app/email/templates/entry-email.server.ts";
import { site } from "#app/site.ts";

export const rejoinSubject = `Do you want to rejoin the ${site.name} waitlist?`;

/** Asks an unsubscribed address that was entered again: the form cannot know who typed it. */
export function rejoinEmail(props: EntryEmailProps): EmailContent {
  return {
    subject: rejoinSubject,
    siteUrl: props.siteUrl,
    heading: "Was that you?",
    blocks: [
      `Someone entered this address ${props.whereGiven ?? `on ${site.name}`}. You had unsubscribed from our waitlist, so we won’t add it again unless you say so.`,
      "If it was you, you can rejoin on the page about your entry. There you can also tell us never to email this address again.",
      button("Rejoin the waitlist", props.dataUrl),
      "If it wasn’t you, there is nothing to do. You stay off the waitlist, and we won’t ask again.",
    ],
    footer: entryFooter(props),
  };
}
