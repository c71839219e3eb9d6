import { type ListOrder, orders } from "#app/owner/entries/list-state.ts";
import { columnText, entryColumns, listedColumns, shownColumns } from "#app/waitlist/entry-fields.server.ts";
import { listEntries } from "#app/waitlist/list-entries.server.ts";
import { type Command, choiceOption, numberOption } from "#scripts/owner/command.ts";
import { readSelection, selectionOptions } from "#scripts/owner/entry-options.ts";
import { formatTime, tableLines } from "#scripts/owner/table.ts";

/** With the address last, because it can be long. */
const columns = entryColumns
  .filter((column) => column.name === "confirmation" || listedColumns.includes(column))
  .toSorted((a, b) => Number(a.name === "email") - Number(b.name === "email"));

const orderNames = Object.keys(orders) as ListOrder[];

export const list: Command = {
  usage: "list",
  summary: "list entries, newest first",
  options: {
    ...selectionOptions,
    order: { type: "string", description: `${orderNames.join(", ")} (default: newest)` },
    limit: { type: "string", description: "maximum number of entries (default: 50)" },
    after: { type: "string", description: "continue after the entry with this id" },
    json: { type: "boolean", description: "print JSON" },
  },
  async run({ db, options, print }) {
    const limit = numberOption(options["limit"], "limit", 50, 10_000);
    const after = options["after"] === undefined ? undefined : numberOption(options["after"], "after", 1, 2 ** 52);
    const { entries, hasNext } = await listEntries(db, {
      ...readSelection(options),
      order: choiceOption(options["order"], "order", orderNames) ?? "newest",
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
