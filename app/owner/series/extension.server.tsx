import { countJoined } from "#app/email/series/count-people.server.ts";
import { MAX_DAYS_LATE } from "#app/email/series/step-days.ts";
import { Button } from "#app/owner/ui/actions.server.tsx";
import { Field } from "#app/owner/ui/field.server.tsx";
import { counted, formatTime } from "#app/owner/ui/labels.ts";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { Section } from "#app/owner/ui/page.server.tsx";
import type { Step } from "#app/server/db/schema/series.server.ts";

const DAY = 24 * 3_600_000;

/** Days to choose from, besides the most that there can be. */
const CHOICES = [1, 2, 3, 7, 14, 30, 60, 90, 180];

/** How many days back a step that is on can be extended. People who joined earlier are too late for it. */
export function extensionDays({ letter_id, since, days }: Step, now: number): number[] {
  if (letter_id === null || since === null) return [];
  const most = days + MAX_DAYS_LATE;
  return [...CHOICES.filter((choice) => choice < most), most].filter((choice) => now - choice * DAY < since);
}

/**
 * How many people a step would be sent to in addition, by the days before now in which they joined; null for a step that
 * is off.
 */
export async function readExtension(app: OwnerContext["var"]["app"], step: Step) {
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

type Extension = NonNullable<Awaited<ReturnType<typeof readExtension>>>;

/** Offers to send a step also to people who joined before it was switched on. */
export function ExtensionForm({ id, extension, timeZone }: { id: number; extension: Extension; timeZone: string }) {
  const { since, choices } = extension;
  const now = `It is for people who have joined since ${formatTime(since, timeZone)}.`;
  return (
    <Section id="extension" title="People who joined before" className="narrow">
      {choices.length === 0 ? (
        <p>{`${now} No one who joined shortly before that can still get it.`}</p>
      ) : (
        <>
          <p>
            {now} It can also go to people who joined in the days before and agreed to follow-ups. Anyone whose day has
            passed gets it as soon as possible; the others get it on their day.
          </p>
          <form className="form" method="post" action={`/owner/series/${id}`}>
            <Field
              name="days-back"
              label="Also to those who joined in the last"
              options={choices.map(({ days, people }): [string, string] => [
                `${days}`,
                `${counted(days, "day", "days")}: ${counted(people, "more person", "more people")}`,
              ])}
            />
            <Button label="Send it to them, too" kind="quiet" value="extend" />
          </form>
        </>
      )}
    </Section>
  );
}
