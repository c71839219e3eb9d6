import type { EntryEmailKind } from "#app/server/db/schema/email.server.ts";

/** The words of an email that an owner can change. All else in it stays: buttons, links to leave, who sends it and why. */
export interface Wording {
  subject: string;
  heading: string;
  /** See `read-wording.ts`. */
  body: string;
}

/** The emails whose words an owner can change. */
export const wordedKinds = ["welcome", "confirm", "confirm-reminder"] as const satisfies EntryEmailKind[];

export type WordedKind = (typeof wordedKinds)[number];
