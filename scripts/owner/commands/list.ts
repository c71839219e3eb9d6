import { type EmailFilter, parseEmailFilter } from "#app/owner/email-filter.ts";
import { listEntries } from "#app/owner/entries.server.ts";
import { type Confirmation, confirmations } from "#app/waitlist/confirmation.ts";
import { columnText, entryColumns, listedColumns, shownColumns } from "#app/waitlist/entry-fields.server.ts";

import { type Command, choiceOption, numberOption, UsageError } from "#scripts/owner/command.ts";
import { formatTime, tableLines } from "#scripts/owner/table.ts";

/** With the address last, because it can be long. */
const columns = entryColumns
  .filter((column) => column.name === "confirmation" || listedColumns.includes(column))
  .toSorted((a, b) => Number(a.name === "email") - Number(b.name === "email"));

const confirmationStates = Object.keys(confirmations) as Confirmation[];

const orders = ["newest", "oldest", "address", "address-down"] as const;

export const list: Command = {
  usage: "list",
  summary: "list entries, newest first",
  options: {
    search: { type: "string", description: "only addresses that contain this text" },
    status: { type: "string", description: "only entries with this status: active or unsubscribed" },
    source: { type: "string", description: "only entries from this source" },
    confirmation: { type: "string", description: `only entries in this state: ${confirmationStates.join(", ")}` },
    email: {
      type: "string",
      description: "only entries with an email in this state: sent, waiting, dead, dead.complaint",
    },
    disposable: { type: "string", description: "only entries with a throw-away address (yes), or without (no)" },
    order: { type: "string", description: `${orders.join(", ")} (default: newest)` },
    limit: { type: "string", description: "maximum number of entries (default: 50)" },
    after: { type: "string", description: "continue after the entry with this id" },
    json: { type: "boolean", description: "print JSON" },
  },
  async run({ db, options, print }) {
    const limit = numberOption(options["limit"], "limit", 50, 10_000);
    const after = options["after"] === undefined ? undefined : numberOption(options["after"], "after", 1, 2 ** 52);
    const disposable = choiceOption(options["disposable"], "disposable", ["yes", "no"]);
    const { entries, hasNext } = await listEntries(db, {
      order: choiceOption(options["order"], "order", orders) ?? "newest",
      status: choiceOption(options["status"], "status", ["active", "unsubscribed"]),
      confirmation: choiceOption(options["confirmation"], "confirmation", confirmationStates),
      source: options["source"] === undefined ? undefined : String(options["source"]),
      email: emailOption(options["email"]),
      disposable: disposable === undefined ? undefined : disposable === "yes",
      search: options["search"] === undefined ? undefined : String(options["search"]).toLowerCase(),
      after,
      limit,
    });
    if (options["json"]) {
      print(JSON.stringify(entries.map(shownColumns), null, 2));
      return 0;
    }
    if (entries.length === 0) {
      print("No entries.");
      return 0;
    }
    const rows = entries.map((entry) => [entry.id, ...columns.map((column) => columnText(column, entry, formatTime))]);
    const header = ["id", ...columns.map(({ name }) => name)];
    for (const line of tableLines([header, ...rows])) print(line);
    if (hasNext) print(`\nMore entries: --after ${entries.at(-1)?.id}`);
    return 0;
  },
};

/** @throws {UsageError} */
function emailOption(value: string | boolean | undefined): EmailFilter | undefined {
  if (value === undefined) return undefined;
  const filter = parseEmailFilter(String(value));
  if (filter !== undefined) return filter;
  throw new UsageError(`--email must be sent, waiting or dead, or one of these with a reason, not "${value}".`);
}
