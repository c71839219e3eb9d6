import type { LetterProblems } from "#app/email/letters/check-letter.server.ts";
import type { Letter } from "#app/email/letters/letters.server.ts";
import { describeAudience } from "#app/owner/letters/audience.ts";
import { NotReady } from "#app/owner/letters/email-preview.server.tsx";
import { PublicChoice } from "#app/owner/letters/letter-controls.server.tsx";
import { LetterPage } from "#app/owner/letters/letter-frame.server.tsx";
import type { GivenStart } from "#app/owner/letters/read-start.ts";
import type { SendingPlan } from "#app/owner/letters/sending-plan.ts";
import { TestForm } from "#app/owner/letters/test-form.server.tsx";
import { Button } from "#app/owner/ui/actions.server.tsx";
import { Facts } from "#app/owner/ui/data.server.tsx";
import { Choice, Field } from "#app/owner/ui/field.server.tsx";
import { counted, formatNumber, formatTime } from "#app/owner/ui/labels.ts";
import { Message, Section } from "#app/owner/ui/page.server.tsx";

export interface LetterSendProps {
  letter: Letter;
  problems: LetterProblems | null;
  /** How many people it would be sent to now. */
  count: number;
  plan: SendingPlan;
  /** Why letters cannot be sent here; null if they can. */
  obstacle: string | null;
  /** Whether follow-up emails are being sent, too. */
  hasSeries: boolean;
  timeZone: string;
  /** The owner's address, for the test. */
  owner: string;
  /** Why the test was not sent. */
  testProblem?: string | undefined;
  /** A form that was refused. */
  given?: GivenStart;
}

/** The last page before a letter is sent. */
export function letterSendView(props: LetterSendProps) {
  const { letter, problems, obstacle, count, timeZone } = props;
  const missed = letter.scheduled_for;
  return (
    <LetterPage letter={letter} step="send">
      {problems === null ? null : <NotReady name="letter" path={`/owner/letters/${letter.id}`} problems={problems} />}
      {missed === null ? null : (
        <Message kind="error">
          {`The letter was to start on ${formatTime(missed, timeZone)}, but the site could not start it within an hour. It has not been sent. Send it now, or choose another time.`}
        </Message>
      )}
      <Section id="summary" title="Summary">
        <Plan {...props} />
      </Section>
      <TestForm
        name="letter"
        action={`/owner/letters/${letter.id}/send`}
        owner={props.owner}
        isReady={problems === null}
        problem={props.testProblem}
      />
      <PublicChoice letter={letter} back="send" />
      <Section id="send" title="Send the letter">
        <Message kind="error">{obstacle}</Message>
        {props.hasSeries ? (
          <p>
            Follow-up emails are on. If this letter announces the launch, send it at least a day after you{" "}
            <a href="/owner/series">switch them off</a>.
          </p>
        ) : null}
        {problems === null && obstacle === null && count > 0 ? <StartForm {...props} /> : null}
      </Section>
    </LetterPage>
  );
}

function Plan({ letter, count, plan, timeZone }: LetterSendProps) {
  const audience = describeAudience(letter.audience);
  const recipients = (
    <>
      <strong>{counted(count, "person", "people")}</strong>
      {audience.length === 0 ? "" : ` (${audience.join("; ")})`}.{" "}
      {count === 0 ? "A letter without recipients cannot be sent. " : ""}
      <a href={`/owner/letters/${letter.id}/audience`}>Change the audience</a>
    </>
  );
  return (
    <Facts
      facts={[
        ["To", recipients],
        ["Invitation", letter.is_invitation ? "Yes: they count as invited once it has been sent to them." : "No"],
        ["Through", plan.provider],
        ["Takes", plan.duration],
        ["Ends", `About ${formatTime(plan.endsAt, timeZone)}, if it starts now. Times are in ${timeZone}.`],
      ]}
    />
  );
}

function StartForm({ letter, given, timeZone, count }: LetterSendProps) {
  return (
    <form className="form letter-start" method="post" action={`/owner/letters/${letter.id}/send`}>
      <Choice
        name="when"
        legend="When"
        options={{ now: "Now", later: "At the time below" }}
        value={given?.values.when ?? "now"}
      />
      {/* Shown with the second choice, where the browser knows :has(). */}
      <div className="letter-time">
        <Field
          name="time"
          label={`Day and time in ${timeZone}`}
          type="datetime-local"
          value={given?.values.time}
          problem={given?.problems.time}
        />
        {given?.twice ? (
          <Choice
            name="which"
            legend="Which one"
            options={bothTimes(given.twice, timeZone)}
            value={given.values.which}
          />
        ) : null}
      </div>
      <Field
        name="count"
        label={`To confirm, type the number of people (${formatNumber(count)})`}
        inputMode="numeric"
        value={given?.values.count}
        problem={given?.problems.count}
      />
      <p className="hint">
        Once it has been started, its text and its audience cannot be changed. You can pause and stop it.
      </p>
      <Button label="Send the letter" value="start" />
    </form>
  );
}

/** A time that comes twice when clocks go back, with the names of its time zones. */
function bothTimes({ first, second }: { first: number; second: number }, timeZone: string): Record<string, string> {
  const clock = { hour: "2-digit", minute: "2-digit", timeZoneName: "short" } as const;
  const { format } = new Intl.DateTimeFormat("en-GB", { ...clock, timeZone });
  return { first: `The first (${format(first)})`, second: `The second (${format(second)})` };
}
