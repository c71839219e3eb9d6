import { parseSender } from "#app/server/sender.ts";
import type { Cloudflare } from "#scripts/lib/cloudflare.ts";
import { stepFailed } from "#scripts/lib/wrangler.ts";

/** What Cloudflare reports that the site acts on. Delivered and deferred emails would only cost operations of the queue. */
const events = ["message.bounced", "message.complained", "message.failed", "message.rejected"];

const SOURCE = "email.sending";

/** Where Cloudflare reports what became of the site's emails. */
export interface EmailQueue {
  name: string;
  /** The domain of the sender. */
  domain: string;
}

/**
 * The queue of a site that sends its email through Cloudflare; null if it does not.
 *
 * @param worker its name, and whether Cloudflare's email service is bound
 * @param secretNames the known secrets, in the settings and at Cloudflare
 */
export function emailQueue(
  worker: { name: string; sendsEmail: boolean },
  vars: Record<string, string>,
  secretNames: string[],
): EmailQueue | null {
  const sender = parseSender(vars["MAIL_FROM"] ?? "")?.address;
  if (sender === undefined || !worker.sendsEmail || secretNames.includes("RESEND_API_KEY")) return null;
  const suffix = "-email-events";
  // Letters, digits and hyphens, at most 63.
  const name = worker.name
    .toLowerCase()
    .replace(/[^a-z0-9-]/g, "-")
    .slice(0, 63 - suffix.length);
  return { name: `${name}${suffix}`, domain: sender.slice(sender.lastIndexOf("@") + 1).toLowerCase() };
}

/**
 * Creates the queue, and subscribes it to the events of its sending domain. Leaves as it is what exists.
 * https://developers.cloudflare.com/queues/event-subscriptions/manage-event-subscriptions/
 *
 * @returns whether anything was created
 * @throws {StepError}
 */
export async function subscribe(cloudflare: Cloudflare, { name, domain }: EmailQueue): Promise<boolean> {
  const queuePath = `/queues?name=${encodeURIComponent(name)}`;
  const queues = await cloudflare.get<Queue[]>("Looking for the queue", queuePath);
  const { queue_id } =
    queues?.find(({ queue_name }) => queue_name === name) ??
    (await cloudflare.post<Queue>(`Creating the queue ${name}`, "/queues", { queue_name: name }));
  const step = `Subscribing to the email events of ${domain}`;
  const path = "/event_subscriptions/subscriptions";
  type Subscription = { source: { type: string; domain?: string } };
  const found = await cloudflare.get<Subscription[]>(step, `${path}?queue_id=${queue_id}&per_page=100`);
  if (found?.some(({ source }) => source.type === SOURCE && source.domain === domain)) return false;
  const zone_id = await cloudflare.zoneOf(domain);
  if (zone_id === null) throw stepFailed(step, `Could not find zone for ${domain}, the domain of MAIL_FROM.`);
  const source = { type: SOURCE, zone_id, domain };
  const destination = { type: "queues.queue", queue_id };
  await cloudflare.post(step, path, { name: `${name} ${domain}`, enabled: true, source, destination, events });
  return true;
}

interface Queue {
  queue_id: string;
  queue_name: string;
}
