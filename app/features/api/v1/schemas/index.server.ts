import * as v from "valibot";
import { apiScopes } from "#app/features/api/keys/scopes.ts";
import { member, membersIf, nextCursor, problemSchema } from "#app/features/api/v1/schemas/common.server.ts";
import {
  entryChangeSchema,
  entryDetailsSchema,
  entryListSchema,
  entrySchema,
  entrySearchSchema,
  newEntrySchema,
  writtenEntrySchema,
} from "#app/features/api/v1/schemas/entries.server.ts";
import { perSettings } from "#app/server/config/settings.server.ts";
import { visits as hasVisits } from "#app/switches.ts";

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
      ...membersIf(hasVisits, { visits: member.count("Visits to the site’s pages.") }),
    }),
  ),
});

export const groupSchema = v.object({
  name: v.pipe(
    v.nullable(v.string()),
    v.description("Empty for people without one; null for all other groups together."),
  ),
  people: member.count("People who joined in the period and are still on the list."),
  asked: member.count("Those of them who were asked to confirm their address."),
  confirmed: member.count("Those of them who did."),
  ...membersIf(hasVisits, { visits: member.count("Visits. Not counted by source or answer, so always 0 there.") }),
});

const groupStatsSchema = v.object({
  ...computed,
  groups: v.pipe(
    v.record(v.string(), v.array(groupSchema)),
    v.description(
      `The largest groups by \`source\`, ${hasVisits ? "`page`, " : ""}\`utm_source\`, \`utm_campaign\`, \`referrer_host\` and each answer.`,
    ),
  ),
});

const letter = {
  id: v.pipe(v.number(), v.integer()),
  subject: member.text("Its subject."),
  state: member.oneOf(
    ["draft", "scheduled", "sending", "paused", "stopped", "finished"],
    "`stopped` and `finished` letters are never sent again.",
  ),
  is_invitation: member.yesOrNo("Whether it invites people to the product."),
  url: member.textOrNull("Its page, if anyone may read it."),
  created_at: member.time("In UTC."),
  scheduled_for: member.timeOrNull("When it starts by itself."),
  started_at: member.timeOrNull("When it was started."),
  finished_at: member.timeOrNull("When it was sent to everyone."),
};

const effects = {
  bounced: member.count("Permanent bounces."),
  bounced_softly: member.count("Temporary bounces."),
  complained: member.count("People who reported it as spam."),
  unsubscribed: member.count("People who left because of it."),
};

export const letterSchema = v.object({
  ...letter,
  stats: v.nullable(
    v.object({
      expected: member.count("How many people the owner chose to send it to."),
      pending: member.count("People it has not been sent to yet."),
      sent: member.count("Emails that the provider accepted."),
      skipped: member.count("People who were not sent it, such as those who unsubscribed first."),
      failed: member.count("Emails that the provider refused."),
      unknown: member.count("Emails that may or may not have been sent."),
      ...effects,
      days: v.array(
        v.object({ date: member.day("In the owner’s time zone."), sent: member.count("Emails sent."), ...effects }),
      ),
    }),
  ),
});

const letterListSchema = v.object({ letters: v.array(v.object(letter)), next_cursor: nextCursor });

export const schemas = perSettings(() => ({
  Entry: entrySchema,
  EntryDetails: entryDetailsSchema,
  EntryList: entryListSchema,
  WrittenEntry: writtenEntrySchema,
  NewEntry: newEntrySchema(),
  EntryChange: entryChangeSchema(),
  EntrySearch: entrySearchSchema,
  DayStats: dayStatsSchema,
  GroupStats: groupStatsSchema,
  Letter: letterSchema,
  LetterList: letterListSchema,
  Key: v.object({
    name: member.text("What the owner called it."),
    scopes: v.pipe(v.array(v.picklist(Object.keys(apiScopes))), v.description("What it may do.")),
  }),
  Document: v.objectWithRest({ openapi: member.text("3.1.0.") }, v.unknown()),
  Problem: problemSchema,
}));

export type SchemaName = keyof ReturnType<typeof schemas>;
