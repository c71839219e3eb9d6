import { eraseEntry } from "#app/waitlist/entries.server.ts";
import type { Command } from "#scripts/owner/command.ts";
import { requireEntry } from "#scripts/owner/subject.ts";
import { formatTime } from "#scripts/owner/table.ts";
import { confirm } from "#scripts/owner/terminal.ts";

export const erase: Command = {
  usage: "erase ADDRESS|ID|-",
  summary: "erase one person's entry and emails, permanently",
  options: { yes: { type: "boolean", description: "skip the confirmation" } },
  async run({ db, args, options, print, record, now }) {
    const { entry, emails } = await requireEntry(db, args[0]);
    const about = `Entry ${entry.id}, ${entry.status}, joined ${formatTime(entry.created_at)}, ${emails.length} email${emails.length === 1 ? "" : "s"}`;
    await confirm(`${about}. Erase it?`, { yes: options["yes"] === true });
    await eraseEntry(db, entry.id, now);
    await record("erase", { entryId: entry.id });
    print(
      `Erased entry ${entry.id}. D1 Time Travel keeps the database's history for 30 days; see docs/personal-data.md.`,
    );
    return 0;
  },
};
