import type { LetterContent, LetterProblems } from "#app/email/letters/check-letter.server.ts";
import type { LetterProblem } from "#app/email/letters/letter-problems.server.ts";
import type { Letter } from "#app/email/letters/letters.server.ts";
import { letterView } from "#app/owner/letters/letter-frame.server.tsx";
import { MarkdownHelp } from "#app/owner/letters/markdown-help.server.tsx";
import type { OwnerView } from "#app/owner/ui/document.server.tsx";
import { FieldProblem } from "#app/owner/ui/field-problem.server.tsx";
import { Problems } from "#app/owner/ui/problems.server.tsx";

interface LetterEditProps {
  /** Null for one that is not saved yet. */
  letter: Letter | null;
  content: LetterContent;
  /** What has to be mended before it can be sent. */
  problems: LetterProblems | null;
  /** Why what was typed is not saved. */
  error?: string;
  done?: string | undefined;
}

export function letterEditView({ letter, content, problems, error, done }: LetterEditProps): OwnerView {
  return letterView({
    letter,
    step: "write",
    done,
    children: (
      <>
        <Problems problems={error === undefined ? [] : [error]} />
        <form
          className="owner-form letter-form"
          method="post"
          action={letter === null ? "/owner/letters" : `/owner/letters/${letter.id}`}
        >
          <Line name="subject" label="Subject" value={content.subject} problem={problems?.subject ?? null} />
          <Line
            name="preview-line"
            label="Preview line (optional)"
            hint="Inboxes show it after the subject."
            value={content.previewLine}
            problem={problems?.previewLine ?? null}
          />
          <div>
            <label htmlFor="body">Letter</label>
            <BodyProblems problems={problems?.body ?? []} body={content.body} />
            <textarea
              id="body"
              name="body"
              rows={20}
              defaultValue={content.body}
              spellCheck
              aria-invalid={problems === null || problems.body.length === 0 ? undefined : true}
              aria-describedby={problems === null || problems.body.length === 0 ? undefined : "body-problem"}
            />
          </div>
          <MarkdownHelp />
          <p className="letter-hint">
            Every letter ends with why people get it, a link to unsubscribe, and your postal address.
          </p>
          <div className="letter-buttons">
            <button className="button" name="intent" value="save" type="submit">
              Save
            </button>
            <button className="button button-quiet" name="intent" value="preview" type="submit">
              Save and preview
            </button>
          </div>
        </form>
        {letter === null ? null : <Delete />}
      </>
    ),
  });
}

interface LineProps {
  name: string;
  label: string;
  hint?: string;
  value: string;
  problem: string | null;
}

function Line({ name, label, hint, value, problem }: LineProps) {
  const notes = [hint === undefined ? "" : `${name}-hint`, problem === null ? "" : `${name}-problem`];
  return (
    <div>
      <label htmlFor={name}>{label}</label>
      {hint === undefined ? null : (
        <p className="letter-hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      <FieldProblem id={`${name}-problem`}>{problem}</FieldProblem>
      <input
        id={name}
        name={name}
        type="text"
        defaultValue={value}
        autoComplete="off"
        aria-invalid={problem === null ? undefined : true}
        aria-describedby={notes.filter(Boolean).join(" ") || undefined}
      />
    </div>
  );
}

/** What is wrong with the body, with the beginning of each line. */
function BodyProblems({ problems, body }: { problems: LetterProblem[]; body: string }) {
  if (problems.length === 0) return null;
  const lines = body.split("\n");
  return (
    <div className="letter-problems" id="body-problem" role="alert">
      <ul>
        {problems.map(({ line, text }) => (
          <li key={`${line} ${text}`}>
            <strong>{`Line ${line}`}</strong>
            {`${quoted(lines[line - 1] ?? "")}: ${text}`}
          </li>
        ))}
      </ul>
    </div>
  );
}

function quoted(line: string): string {
  const text = line.trim();
  return text === "" ? "" : ` (“${text.length > 40 ? `${text.slice(0, 39)}…` : text}”)`;
}

function Delete() {
  return (
    <details className="entry-confirm entry-erase letter-delete">
      <summary className="button button-quiet">Delete the draft</summary>
      <form method="post">
        <p>It cannot be brought back.</p>
        <button className="button button-danger" name="intent" value="delete" type="submit">
          Delete it
        </button>
      </form>
    </details>
  );
}
