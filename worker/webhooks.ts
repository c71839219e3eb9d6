import type { AppContext } from "#app/context.ts";
import { sendWebhooks } from "#app/owner/webhooks/cron.server.ts";

/** How long a run may take (milliseconds): the next one starts two minutes later. */
const RUN_TIME = 110_000;

/** The run of the second cron trigger. */
export function runWebhooks(app: AppContext): Promise<void> {
  const startedAt = app.now();
  return sendWebhooks(app, { startedAt, subrequests: app.maxSubrequests, until: startedAt + RUN_TIME });
}
