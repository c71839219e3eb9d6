import { enqueueNotifications } from "#app/features/notifications/notifications.server.ts";
import { ownerHarness, sendAll } from "#tests/support/pool/emails.ts";

/** The owners' mailboxes, with notifications. */
export function notificationHarness(options: Parameters<typeof ownerHarness>[0] = {}) {
  const harness = ownerHarness(options);
  return {
    ...harness,
    /** Queues and sends notifications, as the cron trigger does. */
    async runNotifications() {
      await enqueueNotifications(harness.deps);
      await sendAll(harness.deps);
    },
  };
}
