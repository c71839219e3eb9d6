import { describeHold, readHold } from "#app/email/holds.server.ts";
import { listUnsent } from "#app/email/outbox.server.ts";
import { requeueDead } from "#app/email/requeue.server.ts";
import { reasonText } from "#app/server/db/email-reasons.ts";
import { type Command, numberOption, UsageError } from "#scripts/owner/command.ts";
import { formatTime, tableLines } from "#scripts/owner/table.ts";

export const outbox: Command = {
  usage: "outbox waiting|dead|retry",
  summary: "list emails that are waiting or have failed (dead), and why; retry requeues those that can be sent again",
  options: {
    limit: { type: "string", description: "maximum number of emails (default: 50)" },
    json: { type: "boolean", description: "print JSON" },
    "outcome-unknown": { type: "boolean", description: "requeue only emails that may have arrived" },
  },
  async run({ db, args, options, print, record, now }) {
    const [action] = args;
    if (action === "retry") {
      const emails = await requeueDead(db, now, options["outcome-unknown"] ? "outcome-unknown" : "failed");
      if (emails > 0) await record("retry-emails", { emails });
      print(
        emails === 0
          ? "No failed emails to requeue."
          : `Requeued ${emails} failed email${emails === 1 ? "" : "s"}. The next run of the cron job sends ${emails === 1 ? "it" : "them"}.`,
      );
      return 0;
    }
    if (action !== "waiting" && action !== "dead")
      throw new UsageError("Use outbox waiting, outbox dead or outbox retry.");
    const emails = await listUnsent(db, action, numberOption(options["limit"], "limit", 50, 10_000));
    if (options["json"]) {
      print(JSON.stringify(emails, null, 2));
      return 0;
    }
    const hold = await readHold(db, now);
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    if (hold !== null) print(`${describeHold(hold, now, timeZone)}.\n`);
    if (emails.length === 0) print(`No emails are ${action}.`);
    const rows = emails.map(({ entry_id, kind, attempts, created_at, next_attempt_at, dead_at, reason }) => [
      entry_id,
      kind,
      attempts,
      formatTime(created_at),
      formatTime(dead_at ?? next_attempt_at),
      reasonText(reason) ?? "no attempt yet",
    ]);
    const time = action === "dead" ? "failed" : "next attempt";
    const header = ["entry", "email", "attempts", "queued", time, "reason"];
    if (rows.length > 0) for (const line of tableLines([header, ...rows])) print(line);
    return 0;
  },
};
