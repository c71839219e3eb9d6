import type { ReactNode } from "react";
import { type Question, questions, site } from "#app/site.ts";
import { SiteName } from "#app/ui/site-name.tsx";
import { MAX_ANSWER_LENGTH } from "#app/waitlist/questions/answers.ts";
import type { Wording } from "#app/waitlist/sign-up/consent-wording.ts";
import { NO_EMAIL_NOTE } from "#app/waitlist/sign-up/messages.ts";

/* The views of the form. `browser/views.ts` shows one of them; the script fills in the event. */

/** Until the tablet has scanned a code. */
export function SetUp() {
  return (
    <View id="set-up" title="Set up this tablet">
      <p className="lead">
        On another device, open the owner’s page “At the fair” and make a code. Then scan it with this tablet’s camera.
      </p>
      <p id="set-up-waiting" role="status" hidden>
        This tablet has the code. It needs a connection to finish setting up, and keeps trying.
      </p>
      <p id="set-up-problem" className="fair-problem" role="alert" hidden />
    </View>
  );
}

/** @param wording what people agree to; the tablet stores its version with each sign-up */
export function Entry({ wording }: { wording: Wording }) {
  return (
    <View id="entry" title={`Join the ${site.name} waitlist`} className="fair-entry">
      <div className="fair-invitation">
        <p className="fair-event">
          <span data-event="" />
        </p>
        <h1 id="entry-heading" tabIndex={-1}>
          Join the <SiteName /> waitlist
        </h1>
        <p className="lead">{site.description}</p>
      </div>
      <form id="form" className="fair-form card" noValidate autoComplete="off" data-consent={wording.version}>
        <div className="fair-field">
          <label htmlFor="email">Your email address</label>
          <input
            id="email"
            className="field"
            type="text"
            inputMode="email"
            enterKeyHint="send"
            autoComplete="off"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            aria-describedby="problem promise"
            aria-required="true"
          />
        </div>
        <p id="problem" className="fair-problem" role="alert" hidden />
        <section id="suggestion" className="fair-suggestion" aria-labelledby="question" hidden>
          <p id="question">
            Did you mean <strong id="suggested" />?
          </p>
          <button id="use-suggestion" className="button" type="button">
            Yes, use that
          </button>
          <button id="keep-typed" className="button button-quiet" type="button">
            <span>
              No, <span id="typed" /> is right
            </span>
          </button>
        </section>
        {questions.map((question) => (
          <QuestionField key={question.key} question={question} />
        ))}
        <p id="promise" className="fair-promise">
          {wording.text}
        </p>
        <div className="fair-buttons">
          <button className="button" type="submit">
            Join Waitlist
          </button>
          <button id="open-privacy" className="button button-quiet" type="button">
            Your data
          </button>
        </div>
      </form>
    </View>
  );
}

function QuestionField({ question: { key, wording, answers } }: { question: Question }) {
  if (answers === undefined) {
    return (
      <div className="fair-field">
        <label htmlFor={`answer-${key}`}>
          {wording} <Optional />
        </label>
        <input
          type="text"
          id={`answer-${key}`}
          className="field"
          name={key}
          maxLength={MAX_ANSWER_LENGTH}
          autoComplete="off"
        />
      </div>
    );
  }
  return (
    <fieldset className="fair-question">
      <legend>
        {wording} <Optional />
      </legend>
      <div className="fair-choices">
        {Object.entries(answers).map(([answer, words]) => (
          <label key={answer}>
            <input type="radio" name={key} value={answer} />
            {words}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function Optional() {
  return <span className="fair-optional">(optional)</span>;
}

export function Thanks() {
  return (
    <View id="thanks" title="Thank you">
      <p id="thanks-email" className="lead">
        Please look out for our email. We’ll send it once this tablet is online.
      </p>
      <p id="thanks-no-email" className="lead" hidden>
        {NO_EMAIL_NOTE}
      </p>
      <div className="fair-countdown" aria-hidden="true" />
      <button className="button" type="button">
        Done
      </button>
    </View>
  );
}

/** @param host where the site is: people can join there, or use the product once it has launched */
export function Ended({ host }: { host: string }) {
  return (
    <View id="ended" title="Sign-up here has closed">
      <p className="lead">
        Thank you for stopping by. You’ll find us at <strong>{host}</strong>
      </p>
    </View>
  );
}

interface ViewProps {
  id: string;
  title: string;
  /** Default: a text in the middle of the screen, below its title. */
  className?: string;
  children: ReactNode;
}

function View({ id, title, className, children }: ViewProps) {
  return (
    <section id={id} className={className ?? "fair-message"} aria-labelledby={`${id}-heading`} hidden>
      {className === undefined ? (
        <h1 id={`${id}-heading`} tabIndex={-1}>
          {title}
        </h1>
      ) : null}
      {children}
    </section>
  );
}
