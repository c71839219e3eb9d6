import { readStats, type Stats } from "#app/owner/stats.server.ts";
import { type Command, numberOption } from "#scripts/owner/command.ts";
import { tableLines } from "#scripts/owner/table.ts";

/** A year is what a screen bears. */
const MAX_DAYS = 366;

export const stats: Command = {
  usage: "stats",
  summary: "sign-ups by day, source and campaign, mail, and what the gate turned away",
  options: {
    days: { type: "string", means: "how many of the last days to show (14)" },
    "time-zone": { type: "string", means: "whose days, such as Europe/London (this machine's)" },
    json: { type: "boolean", means: "as JSON" },
  },
  async run({ db, options, print, now }) {
    const days = numberOption(options["days"], "days", 14, MAX_DAYS);
    const timeZone = String(options["time-zone"] ?? Intl.DateTimeFormat().resolvedOptions().timeZone);
    const figures = await readStats(db, { now, days, timeZone });
    if (options["json"]) print(JSON.stringify(figures, null, 2));
    else for (const line of report(figures)) print(line);
    return 0;
  },
};

function report({ entries, days, sources, campaigns, mail, blocked }: Stats): string[] {
  return [
    `${entries.active} on the list, ${entries.unsubscribed} unsubscribed, ${entries.erased} erased; ${entries.joined} joined in all`,
    ...section(
      "Days",
      ["day", "joined", "in all"],
      days.map(({ date, joined, total }) => [date, joined, total]),
    ),
    ...section(
      "Sources",
      ["source", "people"],
      sources.map(({ name, people }) => [name ?? "others", people]),
    ),
    ...section(
      "Campaigns",
      ["campaign", "people"],
      campaigns.map(({ name, people }) => [name === "" ? "none" : (name ?? "others"), people]),
    ),
    "",
    `Mail: ${mail.sent} sent, ${mail.waiting} waiting, ${mail.dead} dead`,
    ...section(
      "Why mail waits or is dead",
      ["state", "mails", "reason"],
      mail.reasons.map(({ state, mails, reason }) => [state, mails, reason ?? "not tried yet"]),
    ),
    ...section(
      "Turned away (UTC)",
      ["day", "reason", "tries"],
      blocked.map(({ day, reason, count }) => [day, reason, count]),
    ),
  ];
}

function section(title: string, head: string[], rows: (string | number | null)[][]): string[] {
  return rows.length === 0 ? [] : ["", title, ...tableLines([head, ...rows]).map((line) => `  ${line}`)];
}
