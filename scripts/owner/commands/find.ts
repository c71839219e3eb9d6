import type { Command } from "#scripts/owner/command.ts";
import { requireEntry } from "#scripts/owner/subject.ts";
import { moment, printable, tableLines } from "#scripts/owner/table.ts";

export const find: Command = {
  usage: "find ADDRESS|ID|-",
  summary: "all that is kept about one person; - reads the address from the terminal or stdin",
  options: { json: { type: "boolean", means: "as JSON" } },
  async run({ db, args, options, print }) {
    const { entry, mails } = await requireEntry(db, args[0]);
    if (options["json"]) {
      print(JSON.stringify({ ...entry, mails }, null, 2));
      return 0;
    }
    const { created_at, unsubscribed_at, metadata, early_adopter, ...rest } = entry;
    const facts = {
      ...rest,
      early_adopter: early_adopter ? "yes" : "no",
      joined: moment(created_at),
      unsubscribed: moment(unsubscribed_at),
      metadata: JSON.stringify(metadata),
    };
    for (const [name, value] of Object.entries(facts)) print(`${name.padEnd(15)} ${printable(value)}`);
    const rows = mails.map(({ kind, attempts, sent_at, dead_at, last_error }) => [
      kind,
      attempts,
      moment(sent_at),
      moment(dead_at),
      last_error,
    ]);
    if (rows.length > 0) print("");
    if (rows.length > 0)
      for (const line of tableLines([["mail", "tries", "sent", "given up", "reason"], ...rows])) print(line);
    return 0;
  },
};
