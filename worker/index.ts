import { logError } from "#app/server/log.ts";
import { createApp } from "#worker/app.ts";
import { createAppContext } from "#worker/app-context.ts";
import { getConfig } from "#worker/middleware/config.ts";
import { pageRenderer } from "#worker/render-page.ts";

const app = createApp(pageRenderer(() => import("virtual:react-router/server-build"), import.meta.env.MODE));

export default {
  fetch: app.fetch,
  async scheduled(_controller, env, execution) {
    try {
      // On demand, because requests do not need what it imports.
      const { runScheduled } = await import("#worker/scheduled.ts");
      await runScheduled(createAppContext(env, getConfig(env), execution));
    } catch (error) {
      logError("scheduled-failed", error);
      // Makes Cloudflare's dashboard show the run as failed.
      throw error;
    }
  },
} satisfies ExportedHandler<Env>;
