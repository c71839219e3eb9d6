import type { Group } from "#app/owner/overview/group-stats.server.ts";
import { computeStats, type Stats } from "#app/owner/overview/stats.server.ts";
import { reasonText } from "#app/server/db/email-reasons.ts";
import { type Command, numberOption } from "#scripts/owner/command.ts";
import { tableLines } from "#scripts/owner/table.ts";

const MAX_DAYS = 366;

export const stats: Command = {
  usage: "stats",
  summary: "show visits and sign-ups by day, source, role and campaign, emails, and blocked attempts",
  options: {
    days: { type: "string", description: "number of days, ending today (default: 14)" },
    "time-zone": { type: "string", description: "IANA time zone, such as Europe/London (default: this machine's)" },
    json: { type: "boolean", description: "print JSON" },
  },
  async run({ db, options, print, now }) {
    const days = numberOption(options["days"], "days", 14, MAX_DAYS);
    const timeZone = String(options["time-zone"] ?? Intl.DateTimeFormat().resolvedOptions().timeZone);
    const result = await computeStats(db, { now, days, timeZone });
    if (options["json"]) print(JSON.stringify(result, null, 2));
    else for (const line of report(result)) print(line);
    return 0;
  },
};

function report({ entries, days, groups, emails, blocked }: Stats): string[] {
  return [
    `${entries.active} on the waitlist${entries.unconfirmed > 0 ? ` (${entries.unconfirmed} not confirmed yet)` : ""}, ${entries.unsubscribed} unsubscribed, ${entries.erased} erased; ${entries.joined} joined in total`,
    ...section(
      "Days",
      ["day", "visits", "joined", "total"],
      days.map(({ date, visits, joined, total }) => [date, visits, joined, total]),
    ),
    ...groupSection("Sources", "source", groups.source),
    ...groupSection("Roles", "role", groups.role),
    ...groupSection("Campaign sources", "utm_source", groups.utm_source),
    ...groupSection("Campaigns", "utm_campaign", groups.utm_campaign),
    ...groupSection("Referring sites", "site", groups.referrer_host),
    ...groupSection("Pages", "page", groups.page),
    "",
    `Emails: ${emails.sent} sent, ${emails.waiting} waiting, ${emails.dead} failed`,
    ...section(
      "Why emails are waiting or failed",
      ["state", "emails", "reason"],
      emails.reasons.map(({ state, emails, reason }) => [state, emails, reasonText(reason) ?? "no attempt yet"]),
    ),
    ...section(
      "Blocked attempts (UTC)",
      ["day", "reason", "attempts"],
      blocked.map(({ day, reason, count }) => [day, reason, count]),
    ),
  ];
}

function section(title: string, header: string[], rows: (string | number | null)[][]): string[] {
  return rows.length === 0 ? [] : ["", title, ...tableLines([header, ...rows]).map((line) => `  ${line}`)];
}

/** Columns without any number are left out: visits are not counted by source, nor people by page. */
function groupSection(title: string, header: string, groups: Group[]): string[] {
  const columns = (["visits", "people", "confirmed"] as const).filter((column) =>
    groups.some((group) => group[column] > 0),
  );
  const rows = groups.map((group) => [
    group.name === "" ? "none" : (group.name ?? "others"),
    ...columns.map((column) => group[column]),
  ]);
  return section(title, [header, ...columns], rows);
}
