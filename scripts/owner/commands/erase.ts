import { eraseEntry } from "#app/waitlist/entries.server.ts";
import type { Command } from "#scripts/owner/command.ts";
import { requireEntry } from "#scripts/owner/subject.ts";
import { moment } from "#scripts/owner/table.ts";
import { confirm } from "#scripts/owner/terminal.ts";

export const erase: Command = {
  usage: "erase ADDRESS|ID|-",
  summary: "erase one person's entry and all mail about it, for good",
  options: { yes: { type: "boolean", means: "do not ask" } },
  async run({ db, args, options, print }) {
    const { entry, mails } = await requireEntry(db, args[0]);
    const about = `Entry ${entry.id}, ${entry.status}, joined ${moment(entry.created_at)}, ${mails.length} mail${mails.length === 1 ? "" : "s"}`;
    await confirm(`${about}: erase it?`, { yes: options["yes"] === true });
    await eraseEntry(db, entry.id);
    print(
      `Entry ${entry.id} is erased. D1 Time Travel keeps the database's past for 30 days; docs/personal-data.md says more.`,
    );
    return 0;
  },
};
