import { listEntries } from "#app/owner/entries.server.ts";
import { columnText, listedColumns } from "#app/waitlist/entry-fields.server.ts";
import { type Command, choiceOption, numberOption } from "#scripts/owner/command.ts";
import { moment, tableLines } from "#scripts/owner/table.ts";

const orders = ["newest", "oldest", "address", "address-down"] as const;

export const list: Command = {
  usage: "list",
  summary: "entries, newest first",
  options: {
    search: { type: "string", means: "only addresses that begin so" },
    status: { type: "string", means: "only active or unsubscribed" },
    source: { type: "string", means: "only those from one source" },
    order: { type: "string", means: `${orders.join(", ")}` },
    limit: { type: "string", means: "how many (50)" },
    after: { type: "string", means: "go on from the entry with this id" },
    json: { type: "boolean", means: "as JSON" },
  },
  async run({ db, options, print }) {
    const limit = numberOption(options["limit"], "limit", 50, 10_000);
    const after = options["after"] === undefined ? undefined : numberOption(options["after"], "after", 1, 2 ** 52);
    const { entries, hasNext } = await listEntries(db, {
      order: choiceOption(options["order"], "order", orders) ?? "newest",
      status: choiceOption(options["status"], "status", ["active", "unsubscribed"]),
      source: options["source"] === undefined ? undefined : String(options["source"]),
      search: options["search"] === undefined ? undefined : String(options["search"]).toLowerCase(),
      after,
      limit,
    });
    if (options["json"]) {
      print(JSON.stringify(entries, null, 2));
      return 0;
    }
    if (entries.length === 0) {
      print("Nobody.");
      return 0;
    }
    const rows = entries.map((entry) => [
      entry.id,
      ...listedColumns.map((column) => columnText(column, entry, moment)),
    ]);
    const head = ["id", ...listedColumns.map(({ name }) => name)];
    for (const line of tableLines([head, ...rows])) print(line);
    if (hasNext) print(`\nThere are more: --after ${entries.at(-1)?.id}`);
    return 0;
  },
};
