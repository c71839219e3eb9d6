import type { LetterProblems } from "#app/email/letters/check-letter.server.ts";
import type { Letter } from "#app/email/letters/letters.server.ts";
import { describeAudience } from "#app/owner/letters/describe-audience.ts";
import { letterView } from "#app/owner/letters/letter-frame.server.tsx";
import { PublicChoice } from "#app/owner/letters/letter-public.server.tsx";
import { NotReady } from "#app/owner/letters/preview-view.server.tsx";
import type { GivenStart } from "#app/owner/letters/read-start.ts";
import type { SendingPlan } from "#app/owner/letters/sending-plan.ts";
import type { OwnerView } from "#app/owner/ui/document.server.tsx";
import { FieldProblem } from "#app/owner/ui/field-problem.server.tsx";
import { invalid } from "#app/owner/ui/filter-fields.server.tsx";
import { formatNumber, formatTime } from "#app/owner/ui/labels.ts";

export interface LetterSendProps {
  letter: Letter;
  problems: LetterProblems | null;
  /** How many people it would be sent to now. */
  count: number;
  plan: SendingPlan;
  /** Why letters cannot be sent here; null if they can. */
  obstacle: string | null;
  timeZone: string;
  /** The owner's address, for the test. */
  owner: string;
  /** Why the test was not sent. */
  testProblem?: string | undefined;
  /** A form that was refused. */
  given?: GivenStart;
  done: string | undefined;
}

/** The last page before a letter is sent. */
export function letterSendView(props: LetterSendProps): OwnerView {
  const { letter, problems, done } = props;
  return letterView({
    letter,
    step: "send",
    done,
    children: (
      <>
        {problems === null ? null : <NotReady id={letter.id} />}
        <Missed letter={letter} timeZone={props.timeZone} />
        <Test {...props} />
        <PublicChoice letter={letter} back="send" />
        <section aria-labelledby="send">
          <h2 id="send">Send the letter</h2>
          <Facts {...props} />
          {props.obstacle === null ? null : <p className="owner-error">{props.obstacle}</p>}
          {problems === null && props.obstacle === null && props.count > 0 ? <StartForm {...props} /> : null}
        </section>
      </>
    ),
  });
}

function Missed({ letter: { scheduled_for }, timeZone }: { letter: Letter; timeZone: string }) {
  if (scheduled_for === null) return null;
  return (
    <p className="owner-error">
      {`The letter was to start on ${formatTime(scheduled_for, timeZone)}, but the site could not start it within an hour. It has not been sent. Send it now, or choose another time.`}
    </p>
  );
}

function Test({ letter, problems, owner, testProblem }: LetterSendProps) {
  return (
    <section aria-labelledby="test">
      <h2 id="test">Try it</h2>
      <form className="letter-test" method="post" action={`/owner/letters/${letter.id}/send`}>
        <p>
          Sends the letter as it is to <strong>{owner}</strong>. Look at it on a phone and on a computer.
        </p>
        <FieldProblem id="test-problem">{testProblem}</FieldProblem>
        <button
          className="button button-quiet"
          name="intent"
          value="test"
          type="submit"
          disabled={problems !== null}
          aria-describedby={testProblem === undefined ? undefined : "test-problem"}
        >
          Send a test to myself
        </button>
      </form>
    </section>
  );
}

function Facts({ letter, count, plan, timeZone }: LetterSendProps) {
  const audience = describeAudience(letter.audience);
  return (
    <dl className="entry-facts letter-facts">
      <div>
        <dt>To</dt>
        <dd>
          <strong>{`${formatNumber(count)} ${count === 1 ? "person" : "people"}`}</strong>
          {audience.length === 0 ? "" : ` (${audience.join("; ")})`}.{" "}
          {count === 0 ? "A letter without recipients cannot be sent. " : ""}
          <a href={`/owner/letters/${letter.id}/audience`}>Change the audience</a>
        </dd>
      </div>
      <div>
        <dt>Invitation</dt>
        <dd>{letter.is_invitation ? "Yes: they count as invited once it has been sent to them." : "No"}</dd>
      </div>
      <div>
        <dt>Through</dt>
        <dd>{plan.provider}</dd>
      </div>
      <div>
        <dt>Takes</dt>
        <dd>{plan.duration}</dd>
      </div>
      <div>
        <dt>Ends</dt>
        <dd>{`About ${formatTime(plan.endsAt, timeZone)}, if it starts now. Times are in ${timeZone}.`}</dd>
      </div>
    </dl>
  );
}

function StartForm({ letter, given, timeZone, count }: LetterSendProps) {
  const { values, problems, twice } = given ?? { values: null, problems: {}, twice: null };
  return (
    <form className="owner-form letter-start" method="post" action={`/owner/letters/${letter.id}/send`}>
      <fieldset>
        <legend>When</legend>
        <label>
          <input type="radio" name="when" value="now" defaultChecked={values?.when !== "later"} />
          Now
        </label>
        <label>
          <input type="radio" name="when" value="later" defaultChecked={values?.when === "later"} />
          At the time below
        </label>
        <div>
          <label htmlFor="time">{`Day and time in ${timeZone}`}</label>
          <input
            id="time"
            name="time"
            type="datetime-local"
            defaultValue={values?.time}
            {...invalid("time", problems.time)}
          />
          <FieldProblem id="time-problem">{problems.time}</FieldProblem>
        </div>
      </fieldset>
      {twice === null ? null : <Twice twice={twice} which={values?.which ?? ""} timeZone={timeZone} />}
      <div>
        <label htmlFor="count">{`To confirm, type the number of people (${formatNumber(count)})`}</label>
        <input
          id="count"
          name="count"
          type="text"
          inputMode="numeric"
          autoComplete="off"
          defaultValue={values?.count}
          {...invalid("count", problems.count)}
        />
        <FieldProblem id="count-problem">{problems.count}</FieldProblem>
      </div>
      <p className="letter-hint">
        Once it has been started, its text and its audience cannot be changed. You can pause and stop it.
      </p>
      <button className="button" name="intent" value="start" type="submit">
        Send the letter
      </button>
    </form>
  );
}

function Twice({
  twice,
  which,
  timeZone,
}: {
  twice: { first: number; second: number };
  which: string;
  timeZone: string;
}) {
  const format = new Intl.DateTimeFormat("en-GB", {
    hour: "2-digit",
    minute: "2-digit",
    timeZone,
    timeZoneName: "short",
  });
  return (
    <fieldset>
      <legend>Which one</legend>
      {(["first", "second"] as const).map((name) => (
        <label key={name}>
          <input type="radio" name="which" value={name} defaultChecked={which === name} />
          {`The ${name} (${format.format(twice[name])})`}
        </label>
      ))}
    </fieldset>
  );
}
