import { listUnsent, requeueDead } from "#app/email/outbox.server.ts";
import { type Command, numberOption, UsageError } from "#scripts/owner/command.ts";
import { moment, tableLines } from "#scripts/owner/table.ts";

export const outbox: Command = {
  usage: "outbox waiting|dead|retry",
  summary: "mail that waits or was given up, and why; retry gives dead mail its tries again",
  options: {
    limit: { type: "string", means: "how many to show (50)" },
    json: { type: "boolean", means: "as JSON" },
  },
  async run({ db, args, options, print, now }) {
    const [what] = args;
    if (what === "retry") {
      const mails = await requeueDead(db, now);
      print(
        mails === 0
          ? "No mail is dead."
          : `${mails} dead mail${mails === 1 ? "" : "s"}: due now, sent by the next sweep.`,
      );
      return 0;
    }
    if (what !== "waiting" && what !== "dead")
      throw new UsageError("Which: outbox waiting, outbox dead, or outbox retry?");
    const mails = await listUnsent(db, what, numberOption(options["limit"], "limit", 50, 10_000));
    if (options["json"]) {
      print(JSON.stringify(mails, null, 2));
      return 0;
    }
    if (mails.length === 0) print(`No mail is ${what}.`);
    const rows = mails.map(({ entry_id, kind, attempts, created_at, next_attempt_at, dead_at, last_error }) => [
      entry_id,
      kind,
      attempts,
      moment(created_at),
      moment(dead_at ?? next_attempt_at),
      last_error ?? "not tried yet",
    ]);
    const head = ["entry", "mail", "tries", "owed since", what === "dead" ? "given up" : "next try", "reason"];
    if (rows.length > 0) for (const line of tableLines([head, ...rows])) print(line);
    return 0;
  },
};
