import * as v from "valibot";
import type { EpochMillis } from "#app/server/time/units.ts";

/** A moment as the API writes times: ISO 8601 in UTC. */
export function toTime(time: EpochMillis | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}

/** A row as a response: the columns that a schema has, and times as text. */
export function fromRow(row: object, { entries }: { entries: object }): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(row))
    if (Object.hasOwn(entries, name)) shown[name] = name.endsWith("_at") ? toTime(value) : value;
  return shown;
}

/** Members that exist only where the site has a feature. */
export const membersIf = <Members extends object>(isOn: boolean, members: Members) => (isOn ? members : {}) as Members;

const time = v.pipe(v.string(), v.isoTimestamp());

/** Members of bodies, each by its description. */
export const member = {
  time: (description: string) => v.pipe(time, v.description(description)),
  timeOrNull: (description: string) => v.pipe(v.nullable(time), v.description(description)),
  day: (description: string) => v.pipe(v.string(), v.isoDate(), v.description(description)),
  count: (description: string) => v.pipe(v.number(), v.integer(), v.minValue(0), v.description(description)),
  text: (description: string) => v.pipe(v.string(), v.description(description)),
  idOrNull: (description: string) => v.pipe(v.nullable(v.pipe(v.number(), v.integer())), v.description(description)),
  textOrNull: (description: string) => v.pipe(v.nullable(v.string()), v.description(description)),
  oneOf: <const Value extends string>(values: readonly Value[], description: string) =>
    v.pipe(v.picklist(values), v.description(description)),
  yesOrNo: (description: string) => v.pipe(v.boolean(), v.description(description)),
};

/** @param problem what is said of a value that the pattern refuses */
export const formed = ({ pattern, problem }: { pattern: RegExp; problem: string }, description: string) =>
  v.pipe(v.string(), v.regex(pattern, problem), v.description(description));

export const nextCursor = member.textOrNull(
  "Pass it as `cursor` to get the next page. Null on the last page. It stays valid when entries are added or erased.",
);

/** Error: problem details (RFC 9457). */
export const problemSchema = v.object({
  type: member.text("A URL that identifies and explains the kind of problem."),
  title: member.text("What this kind of problem is called."),
  status: v.pipe(v.number(), v.integer(), v.description("The HTTP status.")),
  detail: member.text("A sentence about this request."),
  code: member.text("The kind of problem as one word, for programs."),
  errors: v.optional(
    v.array(
      v.object({
        parameter: v.optional(member.text("The query parameter that is not valid.")),
        pointer: v.optional(member.text("The field of the body that is not valid, as a JSON pointer.")),
        detail: member.text("What is wrong with it."),
      }),
    ),
  ),
});
