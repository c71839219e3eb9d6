import type { EntrySelection } from "#app/waitlist/entry-conditions.server.ts";
import { filterParameters, parseEntryFilter } from "#app/waitlist/entry-filter.ts";
import { type Command, UsageError } from "#scripts/owner/command.ts";

/** Options that select entries: the filters of the list on the owner's pages, and a search. */
export const selectionOptions: Command["options"] = {
  search: { type: "string", description: "only addresses that contain this text" },
  ...Object.fromEntries(filterParameters.map(({ name, description }) => [name, { type: "string", description }])),
  "time-zone": {
    type: "string",
    description: "of --from and --until, such as Europe/London (default: this machine's)",
  },
};

/** Parses {@link selectionOptions}. @throws {UsageError} */
export function readSelection(options: Record<string, string | boolean | undefined>): EntrySelection {
  const values = filterParameters.flatMap(({ name }) => {
    const value = options[name];
    if (value === "") throw new UsageError(`--${name} needs a value.`);
    return value === undefined ? [] : [[name, String(value)]];
  });
  const { filter, problems } = parseEntryFilter(new URLSearchParams(values));
  if (problems.length > 0) throw new UsageError(problems.map((problem) => `--${problem}`).join("\n"));
  const { search } = options;
  return {
    ...filter,
    search: search === undefined ? undefined : String(search).toLowerCase(),
    timeZone: readTimeZone(options["time-zone"]),
  };
}

function readTimeZone(value: string | boolean | undefined): string {
  try {
    const timeZone = value === undefined ? undefined : String(value);
    return new Intl.DateTimeFormat("en", { timeZone }).resolvedOptions().timeZone;
  } catch {
    throw new UsageError(`--time-zone must be a time zone such as Europe/London, not "${value}".`);
  }
}
