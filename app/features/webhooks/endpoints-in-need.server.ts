import { type EndpointState, listEndpoints, MAX_COUNT } from "#app/features/webhooks/endpoints.server.ts";
import { counted, formatNumber } from "#app/owner/ui/labels.ts";
import type { AttentionItem, OwnerContext } from "#app/owner/ui/owner-context.ts";

const DAY = 24 * 3_600_000;

/** Endpoints with events that failed for good, those that have accepted nothing for a day, and those whose receiver is gone. */
export async function endpointsInNeed(c: OwnerContext): Promise<AttentionItem[]> {
  const { db, now } = c.var.app;
  const endpoints = await listEndpoints(db);
  return endpoints.flatMap((endpoint) => {
    const text = needOf(endpoint, now());
    if (text === null) return [];
    return [
      {
        text,
        action: { label: "Open the webhook", about: hostOf(endpoint.url), href: `/owner/webhooks/${endpoint.id}` },
      },
    ];
  });
}

function needOf({ url, off_reason, is_on, failed, failing_since }: EndpointState, now: number): string | null {
  const receiver = hostOf(url);
  if (off_reason === "gone") return `${receiver} wants no more events, so its webhook is off. New events wait.`;
  if (failed > 0) return `${countText(failed)} could not be sent to ${receiver}.`;
  const isDown = is_on && failing_since !== null && failing_since < now - DAY;
  return isDown ? `${receiver} has accepted no event for more than a day.` : null;
}

/** `1 event`, `More than 1,000 events` */
export function countText(events: number): string {
  return events > MAX_COUNT ? `More than ${formatNumber(MAX_COUNT)} events` : counted(events, "event", "events");
}

/** The name of a receiver: a whole URL may contain a secret of its own. */
export function hostOf(url: string): string {
  return URL.parse(url)?.host ?? url;
}
