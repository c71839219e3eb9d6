import { createRequestHandler } from "react-router";
import { sweepOutbox } from "#app/email/deliver.server.ts";
import { logError } from "#app/log.ts";
import { createApp } from "#worker/app.ts";
import { createAppContext } from "#worker/app-context.ts";
import { configOf } from "#worker/middleware/config.ts";

const app = createApp(createRequestHandler(() => import("virtual:react-router/server-build"), import.meta.env.MODE));

export default {
  fetch: app.fetch,
  async scheduled(_controller, env, execution) {
    try {
      await sweepOutbox(createAppContext(env, configOf(env), execution));
    } catch (error) {
      logError("sweep-failed", error);
      // The platform shows a failed run to the owner.
      throw error;
    }
  },
} satisfies ExportedHandler<Env>;
