import { createMiddleware } from "hono/factory";
import { isVisit, visitNames } from "#app/features/visits/visit.server.ts";
import { createVisitCounter } from "#app/features/visits/visit-counter.server.ts";
import { pages } from "#app/layout/pages.ts";
import type { AppBindings } from "#app/server/bindings.ts";
import { perEnv } from "#app/server/per-env.ts";
import { localDate } from "#app/server/time-zone-days.ts";
import { visits } from "#app/switches.ts";
import { requestDb, sharedContext } from "#worker/app-context.ts";
import { getConfigIfValid } from "#worker/config.ts";

/** Counts visits to public pages. Outside the page cache, because cached pages run no other middleware. */
export const countVisits = createMiddleware<AppBindings>(async (c, next) => {
  await next();
  if (!visits) return;
  if (c.res.status !== 200 || !isVisit(c.req.raw) || getConfigIfValid(c.env) === null) return;
  const { config, emailContext } = sharedContext(c.env);
  const names = visitNames(c.req.raw, { siteUrl: config.SITE_URL, publicPaths });
  if (names.length === 0) return;
  const now = Date.now();
  const day = localDate(now, emailContext.ownerTimeZone);
  const waitUntil = (work: Promise<unknown>) => c.executionCtx.waitUntil(work);
  const deps = {
    // Only a write needs it.
    get db() {
      return requestDb(c.env, waitUntil);
    },
    now,
    waitUntil,
  };
  visitCounter(c.env).count(
    deps,
    names.map(([kind, name]) => [day, kind, name]),
  );
});

const visitCounter = perEnv((env: Env) => createVisitCounter(sharedContext(env).plan.visits));

const publicPaths = new Set<string>(pages.map(({ path }) => path));
