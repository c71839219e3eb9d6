import type { Extension } from "#app/owner/series/extension.server.ts";
import { Button } from "#app/owner/ui/actions.server.tsx";
import { Field } from "#app/owner/ui/field.server.tsx";
import { counted, formatTime } from "#app/owner/ui/labels.ts";
import { Section } from "#app/owner/ui/page.server.tsx";

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
