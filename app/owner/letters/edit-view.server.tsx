import type { LetterContent, LetterProblems } from "#app/email/letters/check-letter.server.ts";
import type { Letter } from "#app/email/letters/letters.server.ts";
import { Duplicate } from "#app/owner/letters/letter-controls.server.tsx";
import { LetterFields } from "#app/owner/letters/letter-fields.server.tsx";
import { LetterPage } from "#app/owner/letters/letter-frame.server.tsx";
import { Actions, Button, Confirm } from "#app/owner/ui/actions.server.tsx";
import { Message, Problems } from "#app/owner/ui/page.server.tsx";

export interface LetterEditProps {
  /** Null for one that is not saved yet. */
  letter: Letter | null;
  content: LetterContent;
  /** What has to be mended before it can be sent. */
  problems: LetterProblems | null;
  /** Why what was typed is not saved. */
  error?: string;
  /** What to know about a letter that is not blank at first. */
  note?: string;
  /** Where replies go by default. */
  contactEmail: string;
}

export function letterEditView({ letter, content, problems, error, note, contactEmail }: LetterEditProps) {
  return (
    <LetterPage letter={letter} step="write">
      <Problems problems={error === undefined ? [] : [error]} />
      {note === undefined ? null : (
        <div className="narrow">
          <Message>{note}</Message>
        </div>
      )}
      <form
        className="form narrow letter-form"
        method="post"
        action={letter === null ? "/owner/letters" : `/owner/letters/${letter.id}`}
      >
        <LetterFields content={content} problems={problems} contactEmail={contactEmail} label="Letter" />
        <p className="hint">
          Every letter ends with why people get it, a link to unsubscribe, and your postal address.
        </p>
        <Actions>
          <Button label="Save" value="save" />
          <Button label="Save and preview" kind="quiet" value="preview" />
        </Actions>
      </form>
      {letter === null ? null : (
        <>
          <Duplicate letter={letter} />
          <Confirm label="Delete it" question="Delete the draft" value="delete" text="It cannot be brought back." />
        </>
      )}
    </LetterPage>
  );
}
