import { countJoined } from "#app/email/series/count-people.server.ts";
import { MAX_DAYS_LATE } from "#app/email/series/step-days.ts";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import type { Step } from "#app/server/db/schema/series.server.ts";

const DAY = 24 * 3_600_000;

/** Days to choose from, besides the most that there can be. */
const CHOICES = [1, 2, 3, 7, 14, 30, 60, 90, 180];

/** How many people a step would be sent to in addition, by the days before now in which they joined. */
export interface Extension {
  /** It is for people who joined since (milliseconds since 1970). */
  since: number;
  choices: { days: number; people: number }[];
}

/** How many days back a step that is on can be extended. People who joined earlier are too late for it. */
export function extensionDays({ letter_id, since, days }: Step, now: number): number[] {
  if (letter_id === null || since === null) return [];
  const most = days + MAX_DAYS_LATE;
  return [...CHOICES.filter((choice) => choice < most), most].filter((choice) => now - choice * DAY < since);
}

/** @returns null for a step that is off */
export async function readExtension(app: OwnerContext["var"]["app"], step: Step): Promise<Extension | null> {
  const { since } = step;
  if (step.letter_id === null || since === null) return null;
  const now = app.now();
  const choices = extensionDays(step, now);
  if (choices.length === 0) return { since, choices: [] };
  const deps = { db: app.db, timeZone: app.timeZone, now: () => now };
  const count = (days: number) => countJoined(deps, step, days);
  const [present = 0, ...counts] = await Promise.all([(now - since) / DAY, ...choices].map(count));
  const people = choices.map((days, index) => ({ days, people: (counts[index] ?? 0) - present }));
  return { since, choices: people.filter((choice) => choice.people > 0) };
}
