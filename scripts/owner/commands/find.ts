import { reasonText } from "#app/server/db/email-reasons.ts";
import { columnText, entryColumns, shownColumns } from "#app/waitlist/entry-fields.server.ts";
import type { Command } from "#scripts/owner/command.ts";
import { requireEntry } from "#scripts/owner/subject.ts";
import { formatTime, printable, tableLines } from "#scripts/owner/table.ts";

export const find: Command = {
  usage: "find ADDRESS|ID|-",
  summary: "show everything stored about one person; - reads the address from the terminal or stdin",
  options: { json: { type: "boolean", description: "print JSON" } },
  async run({ db, args, options, print }) {
    const { entry, emails } = await requireEntry(db, args[0]);
    if (options["json"]) {
      print(JSON.stringify({ ...shownColumns(entry), emails }, null, 2));
      return 0;
    }
    for (const column of entryColumns)
      print(`${column.name.padEnd(18)} ${printable(columnText(column, entry, formatTime))}`);
    print(`${"metadata".padEnd(18)} ${printable(JSON.stringify(entry.metadata))}`);
    const rows = emails.map(({ kind, attempts, sent_at, dead_at, reason }) => [
      kind,
      attempts,
      formatTime(sent_at),
      formatTime(dead_at),
      reasonText(reason),
    ]);
    if (rows.length > 0) print("");
    if (rows.length > 0)
      for (const line of tableLines([["email", "attempts", "sent", "failed", "reason"], ...rows])) print(line);
    return 0;
  },
};
