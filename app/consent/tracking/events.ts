import type { ClickTarget, PageView, SiteEvent } from "#app/consent/tracking/track.ts";

/** An event as services receive it. All of them are listed in docs/events.md. */
export interface ServiceEvent {
  name: string;
  fields: Record<string, string>;
}

/** For Google Analytics. The pixel has its own page view, without fields. */
export function pageView({ path, search, title }: PageView): ServiceEvent {
  const fields = { page_title: title, page_location: `${location.origin}${path}${search}`, page_path: path };
  return { name: "page_view", fields };
}

/** For the pixel: a visit to the landing page from an advert on Facebook or Instagram; null for other views. */
export function campaignView({ path, search }: PageView): ServiceEvent | null {
  const source = new URLSearchParams(search).get("utm_source");
  if (path !== "/" || !source?.includes("fb")) return null;
  const fields = { content_name: "Landing Page View", campaign_source: source, content_type: "website" };
  return { name: "ViewContent", fields };
}

/** For both: an action by the visitor. */
export function visitorAction(event: Exclude<SiteEvent, PageView>): ServiceEvent {
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
