/** Follows a change in the page's query if an email was under way when its person left. */
export const UNDER_WAY = "under-way";

export const underWayMessage = "One email that was already on its way may still arrive.";

export const intents = ["unsubscribe", "rejoin", "never", "erase"] as const;

export type Intent = (typeof intents)[number];

/** Something that is stored, in words. */
export interface Detail {
  name: string;
  value: string;
}
