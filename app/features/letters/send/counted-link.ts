import type { Letter } from "#app/features/letters/send/letters.server.ts";
import { isStorableName } from "#app/waitlist/entries/campaign-name.ts";

/* Links to the own site whose visits are counted by a label that is the same for everyone who gets the letter. */

/** What the site fills in at the beginning of an address: its own, and the same for a link that is counted. */
export const siteAddress = { plain: "{{site}}", counted: "{{counted}}" } as const;

type Labelled = Pick<Letter, "id" | "step_id">;

/** The campaign of a letter's links; one for all letters that are sent as the same follow-up. */
export function campaignOf({ id, step_id }: Labelled): string {
  return step_id === null ? `letter-${id}` : `follow-up-${step_id}`;
}

/**
 * Fills the placeholder at the beginning of an address.
 *
 * @param letter null for readers whose visits are not counted, such as those of a test or of the letter's public page
 */
export function fillSiteAddress(address: string, siteUrl: string, letter: Labelled | null): string {
  if (!address.startsWith(siteAddress.counted)) return address.replace(siteAddress.plain, () => siteUrl);
  const rest = address.slice(siteAddress.counted.length);
  if (letter === null) return siteUrl + rest;
  const [path = "", fragment] = (rest.startsWith("/") ? rest : `/${rest}`).split(/(?=#)/, 2);
  const campaign = campaignOf(letter);
  const withPage = campaign + new URL(siteUrl + path).pathname;
  // Visits are not counted under a name that is too long.
  const name = encodeURIComponent(isStorableName(withPage) ? withPage : campaign).replaceAll("%2F", "/");
  const source = letter.step_id === null ? "letter" : "follow-up";
  const label = `utm_source=${source}&utm_campaign=${name}`;
  return `${siteUrl}${path}${path.includes("?") ? "&" : "?"}${label}${fragment ?? ""}`;
}
