import { counted, formatNumber } from "#app/owner/ui/labels.ts";
import type { AttentionItem, OwnerContext } from "#app/owner/ui/owner-context.ts";
import { type EndpointState, listEndpoints, MAX_COUNT } from "#app/owner/webhooks/endpoints.server.ts";

/** Endpoints with events that failed for good, and those whose receiver is gone. */
export async function endpointsInNeed(c: OwnerContext): Promise<AttentionItem[]> {
  const endpoints = await listEndpoints(c.var.app.db);
  return endpoints.flatMap((endpoint) => {
    const text = needOf(endpoint);
    if (text === null) return [];
    return [{ text, action: { label: "Open the webhook", href: `/owner/webhooks/${endpoint.id}` } }];
  });
}

function needOf({ url, off_reason, failed }: EndpointState): string | null {
  const receiver = hostOf(url);
  if (off_reason === "gone") return `${receiver} wants no more events, so its webhook is off.`;
  return failed > 0 ? `${countText(failed)} could not be sent to ${receiver}.` : null;
}

/** `1 event`, `more than 10,000 events` */
export function countText(events: number): string {
  return events > MAX_COUNT ? `More than ${formatNumber(MAX_COUNT)} events` : counted(events, "event", "events");
}

/** The name of a receiver: a whole URL may contain a secret of its own. */
export function hostOf(url: string): string {
  return URL.parse(url)?.host ?? url;
}
