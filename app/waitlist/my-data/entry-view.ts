import type { Answers } from "#app/server/db/schema/entries.server.ts";
import type { Question } from "#app/site.ts";

export type EntryView = { kind: "bad-link" } | { kind: "expired" } | { kind: "gone" } | FoundEntry;

export interface FoundEntry {
  kind: "active" | "unsubscribed";
  masked: string;
  /** The address is suppressed for good. */
  never: boolean;
  /** Its person has left, and an email that the provider has may still arrive. */
  underWay: boolean;
  /** An owner unsubscribed it with many others, and can undo that unless its person unsubscribes too. */
  mayReturn: boolean;
  questions: readonly Question[];
  answers: Answers;
}

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
