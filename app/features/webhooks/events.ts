import type { WebhookEvent } from "#app/server/db/schema/webhooks.server.ts";
import { letters, referrals } from "#app/switches.ts";

const eventLabels: Record<WebhookEvent, string> = {
  "entry.joined": "Someone joins, or joins again",
  "entry.confirmed": "Someone confirms their address",
  "entry.answered": "Answers are added or changed",
  "entry.changed": "An owner corrects someone’s address",
  "entry.unsubscribed": "Someone leaves the list",
  "entry.erased": "An entry is erased",
  "milestone.reached": "Someone has brought enough friends for a reward",
  "letter.finished": "A letter has been sent to everyone",
};

/** Those that can happen on this site. */
export const events = (Object.keys(eventLabels) as WebhookEvent[]).filter(
  (event) => (event !== "milestone.reached" || referrals) && (event !== "letter.finished" || letters),
);

export function eventLabelsOf(names: readonly WebhookEvent[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, eventLabels[name]]));
}
