import { readLetterNumbers } from "#app/email/letters/letter-numbers.server.ts";
import { describeState, pauseReasons, recipientReasons, recipientStates } from "#app/email/letters/letter-reasons.ts";
import { pauseLetter, resumeLetter, stopLetter } from "#app/email/letters/letter-states.server.ts";
import { findLetter, type Letter, listLetters } from "#app/email/letters/letters.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { reasonText } from "#app/server/db/email-reasons.ts";
import type { OwnerAction } from "#app/server/db/schema/owner.server.ts";
import { StepError } from "#scripts/lib/step-error.ts";
import { type Command, type CommandContext, numberOption, UsageError } from "#scripts/owner/command.ts";
import { formatTime, printable, tableLines } from "#scripts/owner/table.ts";
import { confirm } from "#scripts/owner/terminal.ts";

interface Change {
  action: OwnerAction;
  apply(db: Db, id: number, now: number): Promise<boolean>;
  done: string;
  /** Why nothing changed. */
  refused: string;
}

const changes: Record<string, Change> = {
  pause: {
    action: "pause-letter",
    apply: pauseLetter,
    done: "Paused. Emails that are being sent at this moment still go out.",
    refused: "It is not being sent.",
  },
  resume: {
    action: "resume-letter",
    apply: (db, id) => resumeLetter(db, id),
    done: "Resumed. The next run of the cron job goes on.",
    refused: "It is not paused.",
  },
  stop: {
    action: "stop-letter",
    apply: stopLetter,
    done: "Stopped. No further emails are sent.",
    refused: "It is neither being sent nor paused.",
  },
};

export const letters: Command = {
  usage: "letters list|show|pause|resume|stop [ID]",
  summary: "list letters, show a letter's numbers, or pause, resume or stop it",
  options: {
    limit: { type: "string", description: "maximum number of letters in a list (default: 20)" },
    json: { type: "boolean", description: "print JSON" },
    yes: { type: "boolean", description: "stop without asking" },
  },
  async run(context) {
    const [action = "", argument] = context.args;
    if (action === "list") return list(context);
    const change = Object.hasOwn(changes, action) ? changes[action] : undefined;
    if (action !== "show" && change === undefined)
      throw new UsageError("Use letters list, show, pause, resume or stop.");
    const letter = await readLetter(context.db, argument);
    if (change === undefined) return show(context, letter);
    if (action === "stop") {
      await confirm(`People who have not been sent letter ${letter.id} will not get it. Stop it for good?`, {
        yes: context.options["yes"] === true,
      });
    }
    if (!(await change.apply(context.db, letter.id, context.now))) {
      throw new StepError(`Letter ${letter.id} was not changed.`, change.refused);
    }
    await context.record(change.action, { letterId: letter.id });
    context.print(change.done);
    return 0;
  },
};

async function readLetter(db: Db, argument: string | undefined): Promise<Letter> {
  const id = /^[1-9]\d{0,14}$/.test(argument ?? "") ? Number(argument) : null;
  if (id === null) throw new UsageError("Give the number of a letter. npm run owner -- letters list shows them.");
  const letter = await findLetter(db, id);
  if (letter === null) throw new StepError(`There is no letter ${id}.`, "npm run owner -- letters list shows them.");
  return letter;
}

async function list({ db, options, print }: CommandContext): Promise<number> {
  const found = await listLetters(db, { limit: numberOption(options["limit"], "limit", 20, 1_000) });
  if (options["json"]) {
    print(JSON.stringify(found.map(toJson), null, 2));
    return 0;
  }
  if (found.length === 0) {
    print("No letters.");
    return 0;
  }
  const rows = found.map((letter) => [
    letter.id,
    describeState(letter),
    letter.expected,
    formatTime(letter.started_at ?? letter.scheduled_for),
    letter.subject,
  ]);
  for (const line of tableLines([["letter", "state", "people", "started", "subject"], ...rows])) print(line);
  return 0;
}

async function show({ db, options, print }: CommandContext, letter: Letter): Promise<number> {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const numbers = await readLetterNumbers(db, letter, timeZone);
  if (options["json"]) {
    print(JSON.stringify({ ...toJson(letter), numbers }, null, 2));
    return 0;
  }
  const why = letter.pause_reason === null ? "" : `: ${pauseReasons[letter.pause_reason]}`;
  const fault = letter.fault === null ? "" : ` (${reasonText(letter.fault)})`;
  print(`${printable(letter.subject)}\n${describeState(letter)}${why}${fault}\n`);
  const { pending, sent, skipped, failed, unknown, bounced, complained, unsubscribed } = numbers;
  const counts: [string, number][] = [
    ["People", numbers.expected],
    ...Object.entries({ sent, pending, skipped, failed, unknown }).map(([state, people]): [string, number] => [
      recipientStates[state as keyof typeof recipientStates],
      people,
    ]),
    ["Bounced", bounced],
    ["Reported as spam", complained],
    ["Unsubscribed", unsubscribed],
  ];
  for (const line of tableLines([["", "people"], ...counts])) print(line);
  for (const { state, reason, people } of numbers.reasons) {
    print(`  ${recipientStates[state]}: ${recipientReasons[reason]} (${people})`);
  }
  return 0;
}

/** Without what is only for the provider and the sender. */
function toJson({ key: _, cursor: __, newest_entry_id: ___, ...letter }: Letter) {
  return letter;
}
