import { button, link } from "#app/email/blocks/blocks.ts";
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
    heading: "Thank you for inviting friends",
    blocks: [
      `${people} joined the waitlist through your personal link.${reward === undefined ? "" : ` As a thank-you, you get ${reward}.`}`,
      "You don’t need to do anything. We have made a note of it, and it stays yours even if a friend leaves later. We’ll be in touch when it’s due.",
      button("See your entry", props.dataUrl),
    ],
    footer: entryFooter(
      props,
      "You are receiving this email because you are on our waitlist and friends have joined through your personal link.",
      link("Unsubscribe", props.unsubscribeUrl),
      link("See or erase your entry", props.dataUrl),
    ),
  };
}
