import { emailRetries } from "#app/email/limits.ts";
import { applyProviderEvent } from "#app/email/provider-events.server.ts";
import { readQueuedEvent } from "#app/email/providers/cloudflare/events.server.ts";
import type { AppContext } from "#app/server/context.ts";
import { logError, logInfo, logWarning } from "#app/server/log.ts";
import { backOff } from "#app/server/queue.server.ts";
import { parseSender } from "#app/server/sender.ts";

/** How long to wait if the site is not configured correctly (seconds). */
const CONFIGURATION_DELAY = 900;

/**
 * Applies what Cloudflare reports about emails, message by message, so that one that fails delays no other. A message that
 * cannot be read would never become readable, so it counts as done.
 *
 * @param createApp rejects if the configuration is invalid
 */
export async function applyEmailEvents(createApp: () => Promise<AppContext>, batch: MessageBatch): Promise<void> {
  let app: AppContext;
  try {
    app = await createApp();
  } catch (error) {
    logError("email-events-failed", error, { messages: batch.messages.length });
    return batch.retryAll({ delaySeconds: CONFIGURATION_DELAY });
  }
  for (const message of batch.messages) await applyMessage(app, message);
}

async function applyMessage(app: AppContext, message: Message): Promise<void> {
  const { id: messageId, attempts } = message;
  try {
    if (app.settingsFailure !== null) throw app.settingsFailure;
    const read = readQueuedEvent(message.body, parseSender(app.config.MAIL_FROM ?? "")?.address);
    if (read.kind === "malformed") logWarning("email-event-unreadable", { messageId });
    else if (read.event === null) logInfo("email-event-ignored", { messageId });
    else await applyProviderEvent(app, read.event);
    message.ack();
  } catch (error) {
    logError("email-event-failed", error, { messageId, attempts });
    // 12 hours at most, like the platform's limit.
    message.retry({ delaySeconds: backOff(emailRetries, attempts) / 1_000 });
  }
}
