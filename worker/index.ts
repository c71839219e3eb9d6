import { createApp } from "#worker/app.ts";
import { createAppContext } from "#worker/app-context.ts";
import { getConfig } from "#worker/middleware/config.ts";
import { pageRenderer } from "#worker/render-page.ts";

const app = createApp(pageRenderer(() => import("virtual:react-router/server-build"), import.meta.env.MODE));

export default {
  fetch: app.fetch,
  async scheduled(_controller, env, execution) {
    // On demand, because requests do not need what it imports.
    const { reportFailedRun, runScheduled } = await import("#worker/scheduled.ts");
    await reportFailedRun(() => runScheduled(createAppContext(env, getConfig(env), execution)));
  },
} satisfies ExportedHandler<Env>;
