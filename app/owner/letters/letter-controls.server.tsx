import type { ReactNode } from "react";
import type { Letter } from "#app/email/letters/letters.server.ts";
import { formatNumber } from "#app/owner/ui/labels.ts";

/** What an owner can do with a letter that was scheduled or started. @param unknown recipients to decide about */
export function LetterControls({ letter, unknown }: { letter: Letter; unknown: number }) {
  const { id, state, pause_reason } = letter;
  const isRunning = state === "sending" || state === "paused";
  return (
    <>
      {unknown > 0 ? <Unknown id={id} unknown={unknown} canSend={isRunning} /> : null}
      <div className="letter-controls">
        {state === "scheduled" ? (
          <Button id={id} intent="unschedule">
            Do not send it: make it a draft again
          </Button>
        ) : null}
        {isRunning ? (
          <a className="button" href={`/owner/letters/${id}`}>
            Refresh
          </a>
        ) : null}
        {state === "paused" ? (
          <Button id={id} intent="resume">
            {pause_reason === "first-recipients" ? "Skip the break" : "Resume"}
          </Button>
        ) : null}
        {canPause(letter) ? (
          <Button id={id} intent="pause">
            Pause
          </Button>
        ) : null}
      </div>
      {isRunning ? <Stop id={id} /> : null}
    </>
  );
}

/** A pause that ends by itself can become one that does not. */
function canPause({ state, resumes_at }: Letter): boolean {
  return state === "sending" || (state === "paused" && resumes_at !== null);
}

function Button({ id, intent, children }: { id: number; intent: string; children: ReactNode }) {
  return (
    <form method="post" action={`/owner/letters/${id}`}>
      <button className="button button-quiet" name="intent" value={intent} type="submit">
        {children}
      </button>
    </form>
  );
}

function Stop({ id }: { id: number }) {
  return (
    <details className="entry-confirm entry-erase">
      <summary className="button button-quiet">Stop for good</summary>
      <form method="post" action={`/owner/letters/${id}`}>
        <p>No one else is sent this letter, and it cannot be resumed.</p>
        <button className="button button-danger" name="intent" value="stop" type="submit">
          Stop the letter
        </button>
      </form>
    </details>
  );
}

function Unknown({ id, unknown, canSend }: { id: number; unknown: number; canSend: boolean }) {
  const people = `${formatNumber(unknown)} ${unknown === 1 ? "person" : "people"}`;
  return (
    <section className="letter-unknown" aria-labelledby="unknown">
      <h2 id="unknown">{`${people}: sent or not?`}</h2>
      <p>
        The email provider never confirmed these emails, so they may have arrived. Look for them in the provider’s own
        log, then decide.{canSend ? " Sending again may give some people the letter twice." : ""}
      </p>
      <div className="letter-controls">
        <Button id={id} intent="count-as-sent">
          Count them as sent
        </Button>
        {canSend ? (
          <Button id={id} intent="send-again">
            Send them again
          </Button>
        ) : null}
      </div>
    </section>
  );
}
