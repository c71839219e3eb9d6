import * as v from "valibot";
import type { Query } from "#app/features/api/v1/route.server.ts";
import { formed } from "#app/features/api/v1/schemas/common.server.ts";
import { milestones, questions } from "#app/site.ts";
import { confirmations } from "#app/waitlist/confirmation/confirmation.ts";
import { originColumns } from "#app/waitlist/entries/origin-columns.ts";
import { filterParameters, statuses } from "#app/waitlist/filter/entry-filter.ts";
import { answerField, MAX_ANSWER_LENGTH } from "#app/waitlist/questions/answers.ts";

const oneOf = (values: readonly string[], description: string) =>
  v.pipe(v.picklist(values), v.description(description));
const yesNo = (description: string) => oneOf(["yes", "no"], description);
const name = (description: string) => v.pipe(v.string(), v.maxLength(400), v.description(description));
const day = (description: string) => formed(/^\d{4}-\d\d-\d\d$/, "2026-11-21", description);
const minute = (description: string) => formed(/^\d\d:\d\d$/, "09:30", description);

/** The values of filters. One without is a text. */
const known: Record<string, v.GenericSchema> = {
  status: oneOf(Object.keys(statuses), "Entries with this status."),
  confirmation: oneOf(Object.keys(confirmations), "Whether the address is confirmed."),
  source: formed(/^[a-z0-9_]{1,64}$/, "spring_fair", "Entries from this source."),
  imported: yesNo("Whether an import added them."),
  utm_source: name("The campaign’s source, in upper or lower case."),
  utm_campaign: name("The campaign, in upper or lower case."),
  referrer_host: name("The site that they came from."),
  without: oneOf(
    [...originColumns, ...questions.map(answerField)],
    "Entries without this. Can be given several times.",
  ),
  email: formed(
    /^(sent|waiting|dead)(\.[a-z-]+)?$/,
    "sent or dead.complaint",
    "Entries with an email in this state: `sent`, `waiting` or `dead`, and a reason after a dot, such as `dead.complaint`.",
  ),
  invited: yesNo("Whether they were sent an invitation."),
  friends: formed(/^[1-9]\d{0,8}$/, "3", "Entries of people who brought at least this many friends."),
  milestone: yesNo(`Whether they reached a milestone${milestones.length === 0 ? "" : " with their friends"}.`),
  disposable: yesNo("Whether the address is a throwaway one."),
  from: day("Joined on this day or later, such as 2026-11-21, in the owner’s time zone."),
  from_time: minute("The first minute of that day, such as 09:30."),
  until: day("The last day on which they joined."),
  until_time: minute("The last minute of that day."),
};

const answers = questions.map(({ key, label, answers: choices }) => [
  answerField({ key }),
  choices === undefined
    ? v.pipe(v.string(), v.maxLength(MAX_ANSWER_LENGTH), v.description(`Part of the answer to “${label}”.`))
    : oneOf(Object.keys(choices), `The answer to “${label}”. Can be given several times.`),
]) satisfies [string, v.GenericSchema][];

const schemaOf = new Map<string, v.GenericSchema>([...Object.entries(known), ...answers]);

export const filterQuery: Query = Object.fromEntries(
  filterParameters.map(({ name, isList = false }) => [name, { schema: schemaOf.get(name) ?? v.string(), isList }]),
);
