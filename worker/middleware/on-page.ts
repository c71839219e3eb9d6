import { createMiddleware } from "hono/factory";
import { pages } from "#app/pages.server.ts";
import { getConfigIfValid } from "#app/server/config/env-config.server.ts";
import type { AppBindings } from "#app/server/http/bindings.ts";
import { requestDb } from "#worker/app-context.ts";
import { parts } from "#worker/features.ts";

/** Tells features of the pages that are served. Outside the page cache, because cached pages run no other middleware. */
export const onPage = createMiddleware<AppBindings>(async (c, next) => {
  await next();
  const config = c.res.status === 200 ? getConfigIfValid(c.env) : null;
  if (config === null) return;
  const waitUntil = (work: Promise<unknown>) => c.executionCtx.waitUntil(work);
  const openDb = () => requestDb(c.env, waitUntil);
  for (const { onPage } of parts) onPage?.({ request: c.req.raw, config, publicPaths, openDb, waitUntil });
});

const publicPaths = new Set<string>(pages.map(({ path }) => path));
