import * as v from "valibot";
import { member } from "#app/features/api/v1/schemas/common.server.ts";

const computed = {
  computed_at: member.time(
    "When the stats were computed, in UTC. They are a few minutes old, or an hour on a long list.",
  ),
  time_zone: member.text("The owner’s time zone, which days are in."),
};

export const dayStatsSchema = v.object({
  ...computed,
  totals: v.object({
    joined: member.count("Everyone who ever joined."),
    can_get_email: member.count("Active people."),
    unconfirmed: member.count("People yet to confirm their address."),
    suppressed: member.count("People whose address bounced or is blocked."),
    unsubscribed: member.count("People who have left."),
    erased: member.count("Erased entries."),
  }),
  days: v.array(
    v.object({
      date: member.day("In the time zone of these stats."),
      joined: member.count("People who joined on this day and are still on the list."),
      total: member.count("Everyone who had joined by the end of it."),
      visits: member.count("Visits to the site’s pages."),
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
          people: member.count("People who joined in the period and are still on the list."),
          asked: member.count("Those of them who were asked to confirm their address."),
          confirmed: member.count("Those of them who did."),
          visits: member.count("Visits. Not counted by source or answer, so always 0 there."),
        }),
      ),
    ),
    v.description(
      "The largest groups by `source`, `page`, `utm_source`, `utm_campaign`, `referrer_host` and each answer.",
    ),
  ),
});
