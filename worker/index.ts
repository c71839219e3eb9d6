import { env } from "cloudflare:workers";
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

export default {
  fetch,
  scheduled: (_controller, env, execution) => reportFailedRun(() => scheduled(env, execution)),
  async queue(batch, env, execution) {
    // On demand, because few sites send their email through Cloudflare.
    const { applyEmailEvents } = await import("#worker/email-events.ts");
    await applyEmailEvents(() => createAppContext(env, execution), batch);
  },
} satisfies ExportedHandler<Env>;
