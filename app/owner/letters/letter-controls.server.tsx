import type { Letter } from "#app/email/letters/letters.server.ts";
import { Actions, ButtonForm, Confirm } from "#app/owner/ui/actions.server.tsx";
import { counted } from "#app/owner/ui/labels.ts";
import { Section } from "#app/owner/ui/page.server.tsx";

/** What an owner can do with a letter that was scheduled or started. @param unknown recipients to decide about */
export function LetterControls({ letter, unknown }: { letter: Letter; unknown: number }) {
  const { id, state, pause_reason } = letter;
  const action = `/owner/letters/${id}`;
  const isRunning = state === "sending" || state === "paused";
  return (
    <>
      {unknown > 0 ? <Unknown action={action} unknown={unknown} canSend={isRunning} /> : null}
      <Actions>
        {state === "scheduled" ? (
          <ButtonForm label="Cancel and return to draft" action={action} value="unschedule" />
        ) : null}
        {state === "paused" ? (
          <ButtonForm
            label={pause_reason === "first-recipients" ? "Resume now" : "Resume"}
            action={action}
            value="resume"
          />
        ) : null}
        {canPause(letter) ? (
          <ButtonForm label={state === "paused" ? "Keep it paused" : "Pause"} action={action} value="pause" />
        ) : null}
      </Actions>
      {isRunning ? (
        <Confirm
          label="Stop the letter"
          question="Stop for good"
          action={action}
          value="stop"
          text="No one else is sent this letter, and it cannot be resumed."
        />
      ) : null}
    </>
  );
}

/** A pause that ends by itself can become one that does not. */
function canPause({ state, resumes_at }: Letter): boolean {
  return state === "sending" || (state === "paused" && resumes_at !== null);
}

function Unknown({ action, unknown, canSend }: { action: string; unknown: number; canSend: boolean }) {
  return (
    <Section id="unknown" title={`${counted(unknown, "person", "people")}: sent or not?`}>
      <p>
        The email provider never confirmed these emails, so they may have arrived. Look for them in the provider’s own
        log, then decide.{canSend ? " Sending again may give some people the letter twice." : ""}
      </p>
      <Actions>
        <ButtonForm label="Count them as sent" action={action} value="count-as-sent" />
        {canSend ? <ButtonForm label="Send them again" action={action} value="send-again" /> : null}
      </Actions>
    </Section>
  );
}

/** Makes a new draft of the letter. */
export function Duplicate({ letter: { id, state } }: { letter: Pick<Letter, "id" | "state"> }) {
  return (
    <ButtonForm
      className="letter-duplicate"
      action={`/owner/letters/${id}`}
      value="duplicate"
      label="Duplicate"
      text={
        state === "draft"
          ? "Makes a new draft with the words that were saved last, and with the same audience."
          : "Makes a new draft with the same words. Its audience is everyone on the waitlist until you choose another."
      }
    />
  );
}

/** Whether anyone can read the letter on the site. @param back the page to return to */
export function PublicChoice({ letter, back }: { letter: Letter; back: "send" | "progress" }) {
  const { id, state, is_public, has_web_link } = letter;
  const isStarted = state !== "draft" && state !== "scheduled";
  const later = isStarted ? "." : ", and its emails link to that page.";
  return (
    <Section id="public" title="On the web">
      <ButtonForm
        action={`/owner/letters/${id}`}
        hidden={{ back }}
        text={
          <>
            {is_public ? (
              <>
                Public: anyone can read it at <a href={`/letters/${id}`}>{`/letters/${id}`}</a>
                {isStarted ? "." : ", once it is being sent. Its emails link to that page."}
              </>
            ) : (
              `Private: only recipients can read it. If you make it public, anyone can read it at /letters${later}`
            )}
            {isStarted && is_public && !has_web_link ? " Its emails do not link to that page." : ""}
            {isStarted && !is_public && has_web_link ? " The link in its emails leads nowhere." : ""}
          </>
        }
        value={is_public ? "unpublish" : "publish"}
        label={is_public ? "Make it private" : "Make it public"}
      />
    </Section>
  );
}
