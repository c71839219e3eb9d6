import { button } from "#app/email/blocks/blocks.ts";
import type { EmailContent } from "#app/email/blocks/render-content.server.ts";
import { type EntryEmailProps, entryFooter } from "#app/email/templates/entry-email.server.ts";
import { milestones, site } from "#app/site.ts";

/** What is stored with the email. */
interface MilestoneData {
  /** How many friends the milestone takes. */
  friends: number;
}

/** Tells someone that enough friends have joined through their link. */
export function milestoneEmail(props: EntryEmailProps): EmailContent {
  const friends = (props.data as MilestoneData | null)?.friends ?? 0;
  const reward = milestones.find((milestone) => milestone.friends === friends)?.reward;
  const people = friends === 1 ? "One friend has" : `${friends} friends have`;
  return {
    subject: `${people} joined ${site.name} through your link`,
    siteUrl: props.siteUrl,
    heading: "Thank you for bringing friends",
    blocks: [
      `${people} joined the waitlist through your own link, and count.${reward === undefined ? "" : ` You get ${reward}.`}`,
      "You need not do anything: we have written it down, and it stays yours even if a friend leaves. We’ll be in touch when it is due.",
      button("See your entry", props.dataUrl),
    ],
    footer: entryFooter(props, "You are receiving this email because you shared your own link."),
  };
}
