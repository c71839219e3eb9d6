import { env } from "cloudflare:workers";
import { createApp } from "#worker/app.ts";
import { parts } from "#worker/features.ts";
import { renderPage } from "#worker/render-page.ts";
import { openContext, openRun } from "#worker/renew-settings.ts";
import { reportFailedRun, runScheduled } from "#worker/scheduled.ts";
import { warmUp } from "#worker/warm-up/index.ts";

// Whatever a first request needs is imported here, not on demand: the CPU time of the start-up is not the request's.
const { fetch } = createApp(renderPage);
const scheduled = async (env: Env, execution: ExecutionContext) => runScheduled(await openRun(env, execution));

// Read here without the rest of the configuration, whose problems are logged with the first request.
const { WARM_UP } = env as { WARM_UP?: unknown };
if (import.meta.env.PROD && WARM_UP !== "off") await warmUp({ fetch, scheduled });

/** The first trigger in wrangler.toml. */
const MAIN_CRON = "* * * * *";

const triggers = parts.flatMap(({ trigger }) => trigger ?? []);

export default {
  fetch,
  scheduled: ({ cron }, env, execution) => {
    const own = triggers.find((trigger) => trigger.cron === cron);
    if (own !== undefined) return reportFailedRun(async () => own.run(await openRun(env, execution)));
    // Those of features that are switched off stay in wrangler.toml.
    return cron === MAIN_CRON || cron === "" ? reportFailedRun(() => scheduled(env, execution)) : undefined;
  },
  async queue(batch, env, execution) {
    // On demand, because few sites send their email through Cloudflare.
    const { applyEmailEvents } = await import("#worker/email-events.ts");
    await applyEmailEvents(() => openContext(env, execution), batch);
  },
} satisfies ExportedHandler<Env>;
