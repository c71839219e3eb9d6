import { createExecutionContext, createMessageBatch, env, getQueueResult } from "cloudflare:test";
import { vi } from "vitest";
import { outboxHarness } from "#tests/support/pool/emails.ts";
import { rows } from "#tests/support/pool/start.ts";
import worker from "#worker/index.ts";

interface Delivery {
  overrides?: object;
  /** Deliveries so far, including this one. */
  attempts?: number;
}

/** Hands messages to the Worker as its queue does. @returns the numbers of those that are done, and the others' delays */
export async function deliver(bodies: unknown[], { overrides = {}, attempts = 1 }: Delivery = {}) {
  const messages = bodies.map((body, index) => ({ id: String(index), timestamp: Date.now(), attempts, body }));
  const batch = createMessageBatch("waitlist-site-email-events", messages);
  // The result leaves the delays out.
  const retries = batch.messages.map((message) => vi.spyOn(message, "retry"));
  const retryAll = vi.spyOn(batch, "retryAll");
  const execution = createExecutionContext();
  await worker.queue(batch, { ...env, ...overrides }, execution);
  const { explicitAcks, retryMessages, retryBatch } = await getQueueResult(batch, execution);
  return {
    done: explicitAcks.map(Number),
    retried: retryMessages.map(({ msgId }) => [
      Number(msgId),
      retries[Number(msgId)]?.mock.lastCall?.[0]?.delaySeconds,
    ]),
    allRetried: retryBatch.retry ? retryAll.mock.lastCall?.[0]?.delaySeconds : false,
  };
}

export const ADA = "ada@example.com";
export const BOB = "bob@example.com";

/** A waitlist with two entries and their sent welcome emails, at the real time. */
export async function welcomed() {
  const outbox = outboxHarness();
  outbox.clock.now = Date.now();
  for (const email of [ADA, BOB]) await outbox.join(email);
  await outbox.sweep();
  return outbox;
}

/** Everything that an event can change. */
export async function database() {
  const tables = ["waitlist_emails", "email_outbox", "suppressions", "provider_events"] as const;
  return Promise.all(tables.map((table) => rows(table)));
}
