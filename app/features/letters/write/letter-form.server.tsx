import type { ReactNode } from "react";
import type { LetterContent, LetterProblems } from "#app/features/letters/send/check-letter.server.ts";
import type { LetterProblem } from "#app/features/letters/send/letter-problems.server.ts";
import { LivePreview } from "#app/features/letters/write/live-preview.server.tsx";
import type { KeptForm } from "#app/owner/editor/writing-form.server.tsx";
import { Actions, Button } from "#app/owner/ui/actions.server.tsx";
import { Table } from "#app/owner/ui/data.server.tsx";
import { addressField, Field } from "#app/owner/ui/field.server.tsx";
import { VersionInputs } from "#app/owner/versions/version-views.server.tsx";
import type { FormVersion } from "#app/owner/versions/versions.server.ts";
import { visits } from "#app/switches.ts";
import { askedQuestions } from "#app/waitlist/questions/questions.server.ts";

/* The form of what the owner writes: a letter or a follow-up. */

/** Its id, for the buttons outside it. */
export const LETTER_FORM = "letter";

interface LetterFormProps {
  name: "letter" | "follow-up";
  action: string;
  kept: KeptForm;
  version: FormVersion;
  children?: ReactNode;
  content: LetterContent;
  problems: LetterProblems | null;
  /** Where replies go by default. */
  contactEmail: string;
  hint?: string;
}

export function LetterForm({
  name,
  action,
  kept,
  version,
  children,
  content,
  problems,
  contactEmail,
  hint = "",
}: LetterFormProps) {
  return (
    <form
      id={LETTER_FORM}
      className="form letter-form with-preview"
      method="post"
      action={action}
      {...kept}
      data-tools="bold italic heading list link button picture greeting counted"
      data-greetings={JSON.stringify(askedQuestions().map(({ key, label }) => ({ key, label })))}
    >
      <div className="letter-writing">
        <VersionInputs {...version} />
        {children}
        <Field name="subject" label="Subject" value={content.subject} problem={problems?.subject} />
        <Field
          name="preview-line"
          label="Preview line (optional)"
          hint="Inboxes show it after the subject."
          value={content.preview_line}
          problem={problems?.preview_line}
        />
        <Field
          name="reply-to"
          label="Replies go to (optional)"
          hint={`An email address. Without one, replies go to ${contactEmail}.`}
          {...addressField}
          value={content.reply_to ?? ""}
          problem={problems?.reply_to}
        />
        <Field
          name="body"
          label={name === "letter" ? "Letter" : "Text"}
          rows={20}
          spellCheck
          value={content.body}
          problem={problems?.body.length ? <BodyProblems problems={problems.body} body={content.body} /> : null}
        />
        <MarkdownHelp />
        <p className="hint">
          {`Every ${name} ends with why people get it, a link to unsubscribe, and your postal address.${hint}`}
        </p>
        <Actions>
          <Button label="Save" value="save" />
          <Button label="Save and preview" kind="quiet" value="preview" />
        </Actions>
      </div>
      <LivePreview name={name} />
    </form>
  );
}

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

/** How letters are written; see `parse-letter.server.ts`. */
function MarkdownHelp() {
  return (
    <details className="data letter-help">
      <summary>How to write headings, links, buttons and greetings</summary>
      <Table
        caption="Leave an empty line between paragraphs. A line break is kept."
        columns={[
          { name: "For", cell: ([name]) => name },
          { name: "Write", kind: "words", cell: ([, text]) => <pre>{text}</pre> },
        ]}
        rows={[...forms, ...greetings()]}
        rowKey={([name]) => name}
      />
      <p>
        Links and images begin with <code>https://</code>, or are among your <a href="/owner/pictures">pictures</a>. Do
        not write HTML, tables or code. A backslash in front of a sign, such as <code>\*</code>, shows the sign itself.
      </p>
      <p>
        The results say how many {visits ? "visits and " : ""}sign-ups counted links brought. Their label is the same
        for everyone, so it does not tell who followed them. Links to other sites cannot be counted: they would have to
        lead through this site first, which could tell who follows them.
      </p>
      {askedQuestions().length === 0 ? null : (
        <p>
          Answers work in the subject and the preview line, too. The words after the <code>|</code> sign are for people
          without an answer, and for the letter’s page on the web.
        </p>
      )}
    </details>
  );
}

const forms: [name: string, text: string][] = [
  ["A heading", "# Large\n## Medium\n### Small"],
  ["Bold, italics", "**bold** and *italics*"],
  ["A list", "- apples\n- pears"],
  ["A numbered list", "1. First\n2. Then"],
  ["A link", "[the map](https://example.com/map)"],
  ["A button: a bold link in a paragraph of its own", "**[Open the map](https://example.com/map)**"],
  [
    "An image in a paragraph of its own, with words for those who do not see it",
    "![A stall](https://example.com/stall.jpg)",
  ],
  ["One of your pictures", "Copy its text from the page Pictures."],
  ["A quotation", "> It was a good day."],
  ["A line across", "---"],
  ["A new line", "One\nTwo"],
  ["A link to your site, which the site fills in", "[our site]({{site}}/)"],
  ["A counted link to a page of your site", "[our site]({{counted}}/)"],
  ["One more link to unsubscribe", "[Unsubscribe]({{unsubscribe}})"],
];

function greetings(): [name: string, text: string][] {
  return askedQuestions().map(({ key, label }) => [`The reader’s answer to “${label}”`, `{{${key}|there}}`]);
}
