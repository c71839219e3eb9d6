import * as v from "valibot";
import { count, day, text, time } from "#app/features/api/v1/schemas/common.server.ts";

const computed = {
  computed_at: time("When the stats were computed, in UTC. They are a few minutes old, or an hour on a long list."),
  time_zone: text("The owner’s time zone, which days are in."),
};

export const dayStatsSchema = v.object({
  ...computed,
  totals: v.object({
    joined: count("Everyone who ever joined."),
    can_get_email: count("Active people."),
    unconfirmed: count("People yet to confirm their address."),
    suppressed: count("People whose address bounced or is blocked."),
    unsubscribed: count("People who have left."),
    erased: count("Erased entries."),
  }),
  days: v.array(
    v.object({
      date: day("In the time zone of these stats."),
      joined: count("People who joined on this day and are still on the list."),
      total: count("Everyone who had joined by the end of it."),
      visits: count("Visits to the site’s pages."),
    }),
  ),
});

export const groupStatsSchema = v.object({
  ...computed,
  groups: v.pipe(
    v.record(
      v.string(),
      v.array(
        v.object({
          name: v.pipe(
            v.nullable(v.string()),
            v.description("Empty for people without one; null for all other groups together."),
          ),
          people: count("People who joined in the period and are still on the list."),
          asked: count("Those of them who were asked to confirm their address."),
          confirmed: count("Those of them who did."),
          visits: count("Visits. Not counted by source or answer, so always 0 there."),
        }),
      ),
    ),
    v.description(
      "The largest groups by `source`, `page`, `utm_source`, `utm_campaign`, `referrer_host` and each answer.",
    ),
  ),
});
