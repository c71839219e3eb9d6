import { createApp } from "#worker/app.ts";
import { createAppContext } from "#worker/app-context.ts";

const app = createApp(async (...page) => {
  // On demand, because cached pages and the API do without React.
  const { renderPage } = await import("#worker/render-page.ts");
  return renderPage(...page);
});

export default {
  fetch: app.fetch,
  async scheduled(_controller, env, execution) {
    // On demand, because requests do not need what it imports.
    const { reportFailedRun, runScheduled } = await import("#worker/scheduled.ts");
    await reportFailedRun(() => runScheduled(createAppContext(env, execution)));
  },
} satisfies ExportedHandler<Env>;
