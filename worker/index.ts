import { Hono } from "hono";
import { createRequestHandler, RouterContextProvider } from "react-router";
import { appContext } from "#app/context.ts";
import { sweepOutbox } from "#app/email/deliver.server.ts";
import { api } from "#worker/api/index.ts";
import { createAppContext } from "#worker/app-context.ts";
import { canonical } from "#worker/middleware/canonical.ts";
import { configOf, requireConfig } from "#worker/middleware/config.ts";
import { guardFormPosts } from "#worker/middleware/form-posts.ts";
import { securityHeaders } from "#worker/middleware/security-headers.ts";
import type { AppBindings } from "#worker/types.ts";

const renderPage = createRequestHandler(() => import("virtual:react-router/server-build"), import.meta.env.MODE);

const app = new Hono<AppBindings>()
  .use(securityHeaders)
  .use(requireConfig)
  .use(canonical)
  .route("/api", api)
  .use(guardFormPosts)
  // Every method, or the form's POST would be a 404.
  .all("*", (c) => {
    const context = new RouterContextProvider();
    context.set(appContext, c.var.app);
    return renderPage(c.req.raw, context);
  });

export default {
  fetch: app.fetch,
  async scheduled(_controller, env, execution) {
    await sweepOutbox(createAppContext(env, configOf(env), execution));
  },
} satisfies ExportedHandler<Env>;
