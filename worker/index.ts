import { env } from "cloudflare:workers";
import { webhooks } from "#app/switches.ts";
import { createApp } from "#worker/app.ts";
import { createAppContext } from "#worker/app-context.ts";
import { renderPage } from "#worker/render-page.ts";
import { reportFailedRun, runScheduled } from "#worker/scheduled.ts";
import { warmUp } from "#worker/warm-up/index.ts";

// Whatever a first request needs is imported here, not on demand: the CPU time of the start-up is not the request's.
const { fetch } = createApp(renderPage);
const scheduled = (env: Env, execution: ExecutionContext) => runScheduled(createAppContext(env, execution));

// Read here without the rest of the configuration, whose problems are logged with the first request.
const { WARM_UP } = env as { WARM_UP?: unknown };
if (import.meta.env.PROD && WARM_UP !== "off") await warmUp({ fetch, scheduled });

/** The second trigger in wrangler.toml. It has runs of its own, so that a slow receiver delays no email. */
const WEBHOOKS_CRON = "*/2 * * * *";

async function sendWebhooks(env: Env, execution: ExecutionContext): Promise<void> {
  if (!webhooks) return;
  // On demand, because few sites have webhooks.
  const { runWebhooks } = await import("#app/features/webhooks/cron.server.ts");
  await runWebhooks(createAppContext(env, execution));
}

export default {
  fetch,
  scheduled: ({ cron }, env, execution) =>
    reportFailedRun(() => (cron === WEBHOOKS_CRON ? sendWebhooks(env, execution) : scheduled(env, execution))),
  async queue(batch, env, execution) {
    // On demand, because few sites send their email through Cloudflare.
    const { applyEmailEvents } = await import("#worker/email-events.ts");
    await applyEmailEvents(() => createAppContext(env, execution), batch);
  },
} satisfies ExportedHandler<Env>;
