import type { LetterContent } from "#app/features/letters/send/check-letter.server.ts";
import { siteSettings } from "#app/server/config/settings.server.ts";
import { launched, site } from "#app/site.ts";

/**
 * A first letter to begin with: the product is open, in the site's own words.
 *
 * @param launchUrl where the product is; undefined while it is not open
 */
export function openingLetter(launchUrl: string | undefined): LetterContent {
  const { founder, questions } = siteSettings();
  const asksName = questions.some(({ key }) => key === "first_name");
  const address = launchUrl?.replaceAll("(", "%28").replaceAll(")", "%29") ?? "{{site}}/";
  const paragraphs = [
    asksName ? "Hello {{first_name|there}}," : "Hello,",
    `Thank you for waiting. ${plain(launched.lead)}`,
    `**[${plain(launched.button)}](${address})**`,
    "You are among the first to know. If you have a question, reply to this email.",
    founder === null ? plain(site.name) : `${plain(founder.name)}\n${plain(site.name)}`,
  ];
  return { subject: "We’re open", preview_line: "", body: paragraphs.join("\n\n"), reply_to: null };
}

/** What the owner reads above it. @param launchUrl as in {@link openingLetter} */
export function openingNote(launchUrl: string | undefined): string {
  const start =
    "This letter is made of your site’s own words. Change what you like; nothing is stored before you save it.";
  if (launchUrl !== undefined) return start;
  const { launchSentence } = siteSettings();
  const launch = launchSentence === null ? "" : ` Your site still says: “${launchSentence}”`;
  return `${start} It says that ${site.name} is open, so send it once that is true.${launch}\nAdvanced: its button leads to your site until LAUNCH_URL, or Launch under Settings, says where the product is (docs/launching.md).`;
}

/** A text without a meaning in Markdown. */
function plain(text: string): string {
  return text.replace(/[\\*_[\]<&`]/g, "\\$&");
}
