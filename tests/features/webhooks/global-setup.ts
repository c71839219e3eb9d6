/// <reference path="../../support/pool/provided.d.ts" />
import type { TestProject } from "vitest/node";
import { startWebhookReceiver } from "#tests/features/webhooks/webhook-receiver.ts";

/** Starts a receiver of webhooks outside workerd, so that its real `fetch` and a real HTTP server meet. */
export default async function setup({ provide }: TestProject) {
  const { url, stop } = await startWebhookReceiver();
  provide("webhookReceiverUrl", url);
  return stop;
}
