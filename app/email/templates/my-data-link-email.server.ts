import { button } from "#app/email/blocks/blocks.ts";
import type { EmailContent } from "#app/email/blocks/render-content.server.ts";
import { type EntryEmailProps, entryFooter } from "#app/email/templates/entry-email.server.ts";
import { site } from "#app/site.ts";

/** Replaces an expired link to an entry. */
export function myDataLinkEmail(props: EntryEmailProps): EmailContent {
  return {
    subject: `Your new link to your ${site.name} entry`,
    siteUrl: props.siteUrl,
    heading: "Your new link",
    blocks: [
      "Someone with an old link to your entry asked for a new one. The new link shows what we store about you, and works for 30 days.",
      button("See your entry", props.dataUrl),
      "If it wasn’t you, ignore this email. Nothing has changed.",
    ],
    footer: entryFooter(props),
  };
}
