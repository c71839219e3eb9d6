import { env } from "cloudflare:test";
import { sendWebhooks } from "#app/features/webhooks/deliver.server.ts";
import { addEndpoint, type EndpointChoice, findEndpoint } from "#app/features/webhooks/endpoints.server.ts";
import { events } from "#app/features/webhooks/events.ts";
import { secretText } from "#app/features/webhooks/sign.server.ts";
import type { WorkersPlan } from "#app/server/config/plan-limits.ts";
import { type OpenReceiver, openReceiver } from "#tests/features/webhooks/pool/webhook-receiver.ts";
import type { Manner } from "#tests/features/webhooks/webhook-receiver.ts";
import { scheduledApp } from "#tests/support/pool/emails.ts";
import { db, execute, rows } from "#tests/support/pool/start.ts";

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

export const allEvents = [...events];

export interface StoredEvent {
  id: number;
  subject: number;
  data: string;
  attempts: number;
  next_attempt_at: number;
  leased_until: number;
  done_at: number | null;
  dead_at: number | null;
  reason: string | null;
  last_status: number | null;
}

/** An endpoint with a receiver, and the runs that send its events, with a clock that begins now. */
export async function webhookHarness(manner: Manner = 200, choice: Partial<EndpointChoice> = {}) {
  // After the database's own clock, which says when events happened.
  const clock = { now: Date.now() + MINUTE };
  const receiver = await openReceiver(manner);
  const add = async (to: OpenReceiver, more: Partial<EndpointChoice> = {}) =>
    (await addEndpoint(db, { url: to.url, events: allEvents, has_personal_data: false, ...more }, clock.now)) ?? 0;
  const endpointId = await add(receiver, choice);
  return {
    db,
    clock,
    receiver,
    endpointId,
    add,
    app: ({ plan = "paid" as WorkersPlan, d1 = env.DB } = {}) => ({
      ...scheduledApp(0, { vars: { WORKERS_PLAN: plan }, d1 }),
      now: () => clock.now,
    }),
    /** A run of the second cron trigger. */
    run(options: { plan?: WorkersPlan; d1?: D1Database } = {}) {
      return sendWebhooks(this.app(options));
    },
    endpoint: () => findEndpoint(db, endpointId),
    async secret() {
      const endpoint = await findEndpoint(db, endpointId);
      if (endpoint === null) throw new Error("no endpoint");
      return secretText(endpoint, env.HASH_KEY);
    },
    deliveries: () => rows<StoredEvent>("jobs"),
  };
}

/** Records events as if so many people had joined, without entries. */
export function addBacklog(endpointId: number, events: number): Promise<void> {
  const numbers = "WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)";
  const insert = "INSERT INTO jobs (kind, subject, data, created_at, next_attempt_at)";
  return execute(
    `${numbers} ${insert} SELECT 'webhook', ?, json_object('event', 'entry.joined', 'entry_id', n), ?, 0 FROM numbers`,
    events,
    endpointId,
    Date.now(),
  );
}
