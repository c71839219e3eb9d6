import { ApiError, type Routes } from "#tests/support/cloudflare/routes.ts";

interface Queue extends Record<"queue_id" | "queue_name", string> {
  consumers: { consumer_id: string; type: string; script: string; settings: object }[];
}

interface Subscription extends Record<"id" | "name", string> {
  source: Record<"type" | "zone_id" | "domain", string>;
  destination: Record<"type" | "queue_id", string>;
  events: string[];
}

/** Fakes of Queues, their event subscriptions, and one zone. */
export function queues() {
  const all: Queue[] = [];
  const subscriptions: Subscription[] = [];
  const zone = { id: "023e105f4ecef8ad9ca31a8372d0c353", name: "market.test" };

  function find(id = ""): Queue {
    const queue = all.find(({ queue_id }) => queue_id === id);
    if (queue === undefined) throw new ApiError(404, 11000, `Queue ${id} not found`);
    return queue;
  }

  const routes: Routes = {
    "GET /zones": ({ query }) => (query.get("name") === zone.name ? [zone] : []),
    "GET /queues": ({ query }) =>
      all.filter(({ queue_name }) => !query.has("name") || query.getAll("name").includes(queue_name)),
    "POST /queues"({ body: { queue_name } }) {
      if (!/^[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/.test(queue_name)) throw new ApiError(400, 11003, "Invalid queue name");
      if (all.some((queue) => queue.queue_name === queue_name))
        throw new ApiError(409, 11009, `Queue name '${queue_name}' is already taken.`);
      const queue = { queue_id: crypto.randomUUID().replaceAll("-", ""), queue_name, consumers: [] };
      all.push(queue);
      return queue;
    },
    "POST /queues/:id/consumers"({ ids: [id], body: { type, script_name, settings } }) {
      const { consumers } = find(id);
      if (consumers.length > 0) throw new ApiError(400, 11004, "Queue already has a consumer");
      consumers.push({ consumer_id: crypto.randomUUID(), type, script: script_name, settings });
      return consumers[0];
    },
    "PUT /queues/:id/consumers/:consumer"({ ids: [id, consumerId], body: { settings } }) {
      const consumer = find(id).consumers.find(({ consumer_id }) => consumer_id === consumerId);
      return Object.assign(consumer ?? {}, { settings });
    },
    "GET /event_subscriptions/subscriptions": ({ query }) =>
      subscriptions.filter(({ destination }) => destination.queue_id === query.get("queue_id")),
    "POST /event_subscriptions/subscriptions"({ body }) {
      const subscription: Subscription = { id: crypto.randomUUID(), ...body };
      const { source, destination } = subscription;
      find(destination.queue_id);
      if (source.type !== "email.sending" || source.zone_id !== zone.id || !source.domain.endsWith(zone.name))
        throw new ApiError(400, 11500, "Invalid source");
      if (subscriptions.some((other) => other.source.domain === source.domain))
        throw new ApiError(409, 11501, "A subscription for this source already exists");
      subscriptions.push(subscription);
      return subscription;
    },
  };
  return { routes, queues: all, subscriptions };
}
