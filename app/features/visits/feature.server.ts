import type { FeatureServer, ServedPage } from "#app/feature.ts";
import { createVisitCounter, deleteVisitsBefore } from "#app/features/visits/add-visits.server.ts";
import { isVisit, visitNames } from "#app/features/visits/visit.server.ts";
import type { Config } from "#app/server/config/config.server.ts";
import { planLimits } from "#app/server/config/plan-limits.ts";
import { when } from "#app/server/cron.ts";
import { perEnv } from "#app/server/per-env.ts";
import { isLastRunOfHour, monthsBefore, utcDay } from "#app/server/time/calendar.ts";
import { localDate } from "#app/server/time/time-zone-days.ts";
import { VISITS_RETENTION_MONTHS } from "#app/waitlist/entries/retention.ts";

export const server: FeatureServer = {
  onPage: countVisit,
  steps: {
    forgetVisits: when(isLastRunOfHour, ({ db, now }) =>
      deleteVisitsBefore(db, utcDay(monthsBefore(now(), VISITS_RETENTION_MONTHS))),
    ),
  },
};

function countVisit({ request, config, publicPaths, openDb, waitUntil }: ServedPage): void {
  if (!isVisit(request)) return;
  const names = visitNames(request, { siteUrl: config.SITE_URL, publicPaths });
  if (names.length === 0) return;
  const now = Date.now();
  const day = localDate(now, config.OWNER_TIME_ZONE ?? "UTC");
  const deps = {
    // Only a write needs it.
    get db() {
      return openDb();
    },
    now,
    waitUntil,
  };
  const keys = names.map(([kind, name]) => [day, kind, name] as const);
  visitCounter(config).count(deps, keys);
}

const visitCounter = perEnv(({ WORKERS_PLAN = "free" }: Config) => createVisitCounter(planLimits[WORKERS_PLAN].visits));
