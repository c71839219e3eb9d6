import { formatNumber } from "#app/owner/ui/labels.ts";
import { isTypedCount } from "#app/owner/ui/typed-count.ts";
import { parseLocalTime } from "#app/server/local-time.ts";
import { fieldText } from "#app/server/read-form.server.ts";

/** What the form that starts a letter says. */
export interface GivenStart {
  /** The count that was typed, and whether to send now or at a time, as they were typed. */
  values: { count: string; when: "now" | "later"; time: string; which: "" | "first" | "second" };
  /** When to start (milliseconds since 1970); null: now. */
  at: number | null;
  /** Sentences by field. */
  problems: { count?: string; time?: string };
  /** Both moments of a time that comes twice, for the owner to choose. */
  twice: { first: number; second: number } | null;
}

interface StartContext {
  /** How many people the letter would be sent to. */
  count: number;
  timeZone: string;
  now: number;
}

const CLOCK = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;

/** Further ahead is a slip of the hand (milliseconds). */
const MAX_AHEAD = 366 * 24 * 3_600_000;

export function readStart(form: FormData, { count, timeZone, now }: StartContext): GivenStart {
  const typed = (name: string) => fieldText(form, name);
  const which = (["first", "second"] as const).find((known) => known === typed("which")) ?? "";
  const when = typed("when") === "later" ? "later" : "now";
  const values = { count: typed("count"), when, time: typed("time"), which } as const;
  const given: GivenStart = { values, at: null, problems: {}, twice: null };
  const problem = countProblem(values.count, count);
  if (problem !== null) given.problems.count = problem;
  if (when === "later") readTime(given, timeZone, now);
  return given;
}

function countProblem(typed: string, count: number): string | null {
  if (typed === "") return "Type the number of people.";
  if (isTypedCount(typed, count)) return null;
  return `The letter would go to ${formatNumber(count)} ${count === 1 ? "person" : "people"}. Type that number if this is what you want.`;
}

function readTime(given: GivenStart, timeZone: string, now: number): void {
  const local = parseLocalTime(given.values.time, timeZone);
  const clock = (time: number) => new Intl.DateTimeFormat("en-GB", { ...CLOCK, timeZone }).format(time);
  switch (local.kind) {
    case "malformed":
      given.problems.time = "Choose a day and a time.";
      return;
    case "skipped":
      given.problems.time = `The clocks go forward that night, so this time does not exist in ${timeZone}. Choose ${clock(local.before)} or ${clock(local.after)}, or another time.`;
      return;
    case "doubled":
      given.twice = { first: local.first, second: local.second };
      if (given.values.which === "") {
        given.problems.time = `The clocks go back that night, so this time comes twice in ${timeZone}. Choose which one you mean.`;
        return;
      }
      given.at = given.values.which === "first" ? local.first : local.second;
      break;
    case "exact":
      given.at = local.at;
  }
  if (given.at !== null && given.at <= now)
    given.problems.time = "This time has passed. Choose a later one, or send it now.";
  else if (given.at !== null && given.at > now + MAX_AHEAD) given.problems.time = "Choose a time within a year.";
}
