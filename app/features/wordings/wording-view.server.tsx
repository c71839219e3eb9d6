import { forScheme } from "#app/email/blocks/email-styles.server.ts";
import type { WordedKind, Wording } from "#app/email/templates/wording.ts";
import { MAX_WORDING_LENGTH } from "#app/features/wordings/check-wording.server.ts";
import { Actions, Button, Confirm } from "#app/owner/ui/actions.server.tsx";
import { Field } from "#app/owner/ui/field.server.tsx";
import { emailKinds, formatTime } from "#app/owner/ui/labels.ts";
import { Message, Outcome, Page, Section } from "#app/owner/ui/page.server.tsx";
import type { EmailMessage } from "#app/server/mailer.server.ts";

interface WordingProps {
  kind: WordedKind;
  /** The words in the form. */
  wording: Wording;
  problems: Partial<Record<keyof Wording, string>>;
  /** The email with these words; null if they have problems. */
  preview: Pick<EmailMessage, "subject" | "html" | "text"> | null;
  /** Whether these words are not saved. */
  isTyped: boolean;
  /** When the owners last changed the original words; null if they have not. */
  changedAt: number | null;
  mustConfirm: boolean;
  timeZone: string;
}

/** The words of one email: a form, and what it looks like. */
export function wordingView({ kind, wording, problems, preview, isTyped, changedAt, ...context }: WordingProps) {
  return (
    <Page
      title={`${emailKinds[kind]}: the words`}
      section="emails"
      back={{ href: "/owner/emails", name: "All emails" }}
    >
      <Outcome />
      <p>
        {changedAt === null
          ? "This email has its original words."
          : `An owner changed the words on ${formatTime(changedAt, context.timeZone)}.`}{" "}
        Each email uses the words as they are when it is sent.
      </p>
      {isTyped && preview !== null ? (
        <Message role="alert">
          Your words are not saved yet. <a href="#preview">See them in the preview</a>, then choose Save.
        </Message>
      ) : null}
      {kind === "welcome" || context.mustConfirm ? null : (
        <Message>
          {
            "This email is not sent now, because people are not asked to confirm their address.\nAdvanced: set CONFIRM_ADDRESSES to on to ask them."
          }
        </Message>
      )}
      {kind === "welcome" ? null : (
        <Message>
          An email that asks for confirmation must not contain promotion, because its recipient may not have asked for
          it. Its only link is the button.
        </Message>
      )}
      <form className="form narrow" method="post" action={`/owner/emails/${kind}`}>
        <Field
          name="subject"
          label="Subject"
          maxLength={150}
          spellCheck
          value={wording.subject}
          problem={problems.subject}
        />
        <Field
          name="heading"
          label="Heading"
          maxLength={150}
          spellCheck
          value={wording.heading}
          problem={problems.heading}
        />
        <Field
          name="body"
          label="Text"
          hint={hints[kind === "welcome" ? "welcome" : "confirm"]}
          rows={kind === "welcome" ? 16 : 8}
          maxLength={MAX_WORDING_LENGTH}
          spellCheck
          value={wording.body}
          problem={problems.body}
        />
        <p className="hint">{fixedParts[kind === "welcome" ? "welcome" : "confirm"]}</p>
        <Actions>
          <Button label="Preview" kind="quiet" value="preview" />
          <Button label="Save" value="save" />
        </Actions>
      </form>
      {changedAt === null ? null : (
        <Confirm
          label="Back to the original"
          question="Back to the original"
          value="restore"
          text="This restores the original words and deletes yours."
        />
      )}
      {preview === null ? null : <Preview kind={kind} preview={preview} isTyped={isTyped} />}
    </Page>
  );
}

const markdown = "Leave an empty line between paragraphs. Begin each item of a list with a hyphen.";

const hints = {
  welcome: `${markdown} **bold**, *italics*, [a link](https://example.com).`,
  confirm: `${markdown} **bold**, *italics*.`,
};

const fixedParts = {
  welcome:
    "Below your text come a button to the site, the reason people get the email, links to unsubscribe and to see or erase their entry, and who sends it.",
  confirm:
    "Below your text come the button to confirm, what happens to people who do not, and who sends the email. People whom you added yourself are told so there.",
};

function Preview({
  kind,
  preview,
  isTyped,
}: Pick<WordingProps, "kind" | "isTyped"> & { preview: NonNullable<WordingProps["preview"]> }) {
  const { subject, html, text } = preview;
  return (
    <Section id="preview" title="Preview">
      <p>{isTyped ? "With the words above, which are not saved yet." : "As it is sent now."}</p>
      <p>
        Subject: <strong>{subject}</strong>
      </p>
      <div className="email-frames">
        {(["light", "dark"] as const).map((scheme) => (
          <figure key={scheme} className="email-frame">
            <figcaption>{scheme === "light" ? "In the light scheme" : "In the dark scheme"}</figcaption>
            <iframe srcDoc={forScheme(html, scheme)} title={`${emailKinds[kind]}, ${scheme} scheme`} sandbox="" />
          </figure>
        ))}
      </div>
      <h3 id="text-version">Text version</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it may scroll sideways, also with the keyboard */}
      <section className="panel narrow email-text" aria-labelledby="text-version" tabIndex={0}>
        <pre>{text}</pre>
      </section>
    </Section>
  );
}
