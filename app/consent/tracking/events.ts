import type { ClickTarget, PageView, SiteEvent } from "#app/consent/tracking/track.ts";

/** An event by the name under which services receive it. docs/events.md is the table of all of them. */
export interface Message {
  name: string;
  fields: Record<string, string>;
}

/** To Google Analytics; the pixel has a page view of its own, without fields. */
export function pageView({ path, search, title }: PageView): Message {
  const fields = { page_title: title, page_location: `${location.origin}${path}${search}`, page_path: path };
  return { name: "page_view", fields };
}

/**
 * To the pixel, for a visit that an advert on Facebook or Instagram brought to the landing page.
 *
 * @returns null for every other page view
 */
export function campaignView({ path, search }: PageView): Message | null {
  const source = new URLSearchParams(search).get("utm_source");
  if (path !== "/" || !source?.includes("fb")) return null;
  const fields = { content_name: "Landing Page View", campaign_source: source, content_type: "website" };
  return { name: "ViewContent", fields };
}

/** To both, for what a visitor did. */
export function visitorAction(event: Exclude<SiteEvent, PageView>): Message {
  if (event.kind === "joined") {
    return { name: "WaitlistSignup", fields: userFields("Joined Waitlist", event.source) };
  }
  const { name, action } = clicks[event.target];
  return { name, fields: userFields(action, "ways_to_help_section") };
}

const clicks: Record<ClickTarget, { name: string; action: string }> = {
  support: { name: "SupportClick", action: "Clicked Support" },
  survey: { name: "SurveyClick", action: "Clicked Survey" },
  share: { name: "ShareClick", action: "Clicked Share" },
};

function userFields(action: string, label: string) {
  return { event_category: "User", event_action: action, event_label: label };
}
