import * as v from "valibot";
import { defineRoute } from "#app/features/api/v1/route.server.ts";
import { fromRow, toTime } from "#app/features/api/v1/schemas/common.server.ts";
import { dayStatsSchema, groupSchema } from "#app/features/api/v1/schemas/index.server.ts";
import { PERIODS, readStats } from "#app/features/overview/stats.server.ts";
import type { AppContext } from "#app/server/context.ts";

const periodQuery = {
  days: {
    schema: v.pipe(v.picklist(PERIODS), v.description(`How many days, ending today. ${PERIODS[0]} if it is left out.`)),
  },
};

export const dayStatsRoute = defineRoute({
  method: "get",
  path: "/stats/days",
  id: "getStatsByDay",
  summary: "Get stats by day",
  scope: "stats:read",
  query: periodQuery,
  responses: { 200: { description: "The stats on the overview by day.", schema: "DayStats" } },
  async handle({ app, query }) {
    const { stats, ...computed } = await read(app, query.days);
    const { canGetEmail: can_get_email, ...others } = stats.entries;
    const totals = { ...others, can_get_email };
    const days = stats.days.map((day) => fromRow(day, dayStatsSchema.entries.days.item));
    return { status: 200, body: { ...computed, totals, days } };
  },
});

export const groupStatsRoute = defineRoute({
  method: "get",
  path: "/stats/groups",
  id: "getStatsByGroup",
  summary: "Get stats by group",
  description: "By source, campaign, referring site, answer and so on.",
  scope: "stats:read",
  query: periodQuery,
  responses: { 200: { description: "The stats on the overview by group.", schema: "GroupStats" } },
  async handle({ app, query }) {
    const { stats, ...computed } = await read(app, query.days);
    const groups = Object.entries(stats.groups).map(([kind, groups]) => {
      return [kind, groups.map((group) => fromRow(group, groupSchema))];
    });
    return { status: 200, body: { ...computed, groups: Object.fromEntries(groups) } };
  },
});

async function read(app: AppContext, days: (typeof PERIODS)[number] = PERIODS[0]) {
  const timeZone = app.emailContext.ownerTimeZone;
  const { stats, computedAt } = await readStats(app, { days, timeZone });
  return { stats, computed_at: toTime(computedAt), time_zone: timeZone };
}
