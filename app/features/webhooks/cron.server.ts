import { sendWebhooks } from "#app/features/webhooks/deliver.server.ts";
import type { AppContext } from "#app/server/context.ts";

/** How long a run may take (milliseconds): the next one starts two minutes later. */
const RUN_TIME = 110_000;

/** The run of the second cron trigger. */
export function runWebhooks(app: AppContext): Promise<void> {
  return sendWebhooks(app, { subrequests: app.plan.subrequests, until: app.now() + RUN_TIME });
}
