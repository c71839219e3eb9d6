import type { LetterContent, LetterProblems } from "#app/email/letters/check-letter.server.ts";
import type { LetterProblem } from "#app/email/letters/letter-problems.server.ts";
import { MarkdownHelp } from "#app/owner/letters/markdown-help.server.tsx";
import { addressField, Field } from "#app/owner/ui/field.server.tsx";

interface LetterFieldsProps {
  content: LetterContent;
  problems: LetterProblems | null;
  /** Where replies go by default. */
  contactEmail: string;
  /** Of the text. */
  label: string;
}

/** What the owner writes: the fields of a letter, and of a follow-up. */
export function LetterFields({ content, problems, contactEmail, label }: LetterFieldsProps) {
  return (
    <>
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
        {...addressField}
        value={content.replyTo}
        problem={problems?.replyTo}
      />
      <Field
        name="body"
        label={label}
        rows={20}
        spellCheck
        value={content.body}
        problem={problems?.body.length ? <BodyProblems problems={problems.body} body={content.body} /> : null}
      />
      <MarkdownHelp />
    </>
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
