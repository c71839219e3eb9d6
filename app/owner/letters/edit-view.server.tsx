import type { LetterContent, LetterProblems } from "#app/email/letters/check-letter.server.ts";
import type { LetterProblem } from "#app/email/letters/letter-problems.server.ts";
import type { Letter } from "#app/email/letters/letters.server.ts";
import { Duplicate } from "#app/owner/letters/letter-controls.server.tsx";
import { LetterPage } from "#app/owner/letters/letter-frame.server.tsx";
import { MarkdownHelp } from "#app/owner/letters/markdown-help.server.tsx";
import { Actions, Button, Confirm } from "#app/owner/ui/actions.server.tsx";
import { Field } from "#app/owner/ui/field.server.tsx";
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
        <Field name="subject" label="Subject" value={content.subject} problem={problems?.subject} />
        <Field
          name="preview-line"
          label="Preview line (optional)"
          hint="Inboxes show it after the subject."
          value={content.previewLine}
          problem={problems?.previewLine}
        />
        <Field
          name="reply-to"
          label="Replies go to (optional)"
          hint={`An email address. Without one, replies go to ${contactEmail}.`}
          type="email"
          autoCapitalize="none"
          spellCheck={false}
          value={content.replyTo}
          problem={problems?.replyTo}
        />
        <Field
          name="body"
          label="Letter"
          rows={20}
          spellCheck
          value={content.body}
          problem={problems?.body.length ? <BodyProblems problems={problems.body} body={content.body} /> : null}
        />
        <MarkdownHelp />
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

/** What is wrong with the body, with the beginning of each line. */
function BodyProblems({ problems, body }: { problems: LetterProblem[]; body: string }) {
  const lines = body.split("\n");
  return (
    <ul>
      {problems.map(({ line, text }) => (
        <li key={`${line} ${text}`}>
          <strong>{`Line ${line}`}</strong>
          {`${quoted(lines[line - 1] ?? "")}: ${text}`}
        </li>
      ))}
    </ul>
  );
}

function quoted(line: string): string {
  const text = line.trim();
  return text === "" ? "" : ` (“${text.length > 40 ? `${text.slice(0, 39)}…` : text}”)`;
}
