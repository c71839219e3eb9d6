import type { LetterProblems } from "#app/email/letters/check-letter.server.ts";
import { greetingKeys, sampleAnswers } from "#app/email/letters/greeting-problems.server.ts";
import { NOTHING_WRITTEN } from "#app/email/letters/letter-problems.server.ts";
import type { Letter } from "#app/email/letters/letters.server.ts";
import type { EmailMessage } from "#app/email/mailer.server.ts";
import { LetterPage } from "#app/owner/letters/letter-frame.server.tsx";
import { Actions, ButtonLink } from "#app/owner/ui/actions.server.tsx";
import { Facts } from "#app/owner/ui/data.server.tsx";
import { Pills } from "#app/owner/ui/navigation.server.tsx";
import { Message } from "#app/owner/ui/page.server.tsx";
import { fillGreetings } from "#app/waitlist/questions/greetings.server.ts";

type Scheme = "light" | "dark";

interface LetterPreviewProps {
  letter: Letter;
  problems: LetterProblems | null;
  /** What is wrong with one that was started, and cannot be shown any more. */
  fault: string | null;
  scheme: Scheme;
  /** Whether greetings show a sample answer, or what people without one read. */
  isFilled: boolean;
  /** Null if the letter cannot be rendered. */
  rendered: Pick<EmailMessage, "subject" | "text"> | null;
  replyTo: string;
}

/** The letter as its recipients get it: at two widths, in a colour scheme, and as text. */
export function letterPreviewView(props: LetterPreviewProps) {
  const { letter, problems, fault, rendered } = props;
  const isDraft = letter.state === "draft";
  return (
    <LetterPage
      letter={letter}
      step={isDraft ? "preview" : undefined}
      back={isDraft ? undefined : { href: `/owner/letters/${letter.id}`, name: "Back to its results" }}
    >
      {problems === null ? null : <NotReady id={letter.id} problems={problems} />}
      {problems === null && fault !== null ? (
        <Message kind="error">{`This letter cannot be shown any more. ${fault}`}</Message>
      ) : null}
      {rendered === null ? null : <Preview {...props} rendered={rendered} />}
      {isDraft && rendered !== null ? (
        <Actions>
          <ButtonLink label="Choose the audience" href={`/owner/letters/${letter.id}/audience`} />
          <ButtonLink label="Send it to yourself" kind="quiet" href={`/owner/letters/${letter.id}/send#test`} />
        </Actions>
      ) : null}
    </LetterPage>
  );
}

/** Says what has to be mended first. */
export function NotReady({ id, problems }: { id: number; problems: LetterProblems }) {
  const { body, ...fields } = problems;
  const sentences = [
    ...Object.values(fields).filter((problem) => problem !== null),
    ...body.map(({ line, text }) => (text === NOTHING_WRITTEN ? text : `Line ${line}: ${text}`)),
  ];
  return (
    <Message kind="error">
      The letter cannot be sent as it is. <a href={`/owner/letters/${id}`}>Edit it</a>
      <ul>
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </Message>
  );
}

type PreviewProps = LetterPreviewProps & { rendered: Pick<EmailMessage, "subject" | "text"> };

function Preview({ letter, scheme, isFilled, rendered, replyTo }: PreviewProps) {
  const { subject, preview_line, body } = letter;
  const query = (changed: { scheme?: Scheme; isFilled?: boolean }) => {
    const chosen = { scheme, isFilled, ...changed };
    return `?scheme=${chosen.scheme}${chosen.isFilled ? "" : "&greeting=fallback"}`;
  };
  const answers = isFilled ? sampleAnswers() : null;
  return (
    <>
      <Facts
        facts={[
          ["Subject", rendered.subject || "None yet"],
          ["Preview line", fillGreetings(preview_line, answers) || "None: inboxes show the beginning of the letter"],
          ["Replies go to", replyTo],
        ]}
      />
      <Pills
        label="Colour scheme"
        links={[
          { text: "Light", href: query({ scheme: "light" }), isCurrent: scheme === "light" },
          { text: "Dark", href: query({ scheme: "dark" }), isCurrent: scheme === "dark" },
        ]}
      />
      {greetingKeys(subject + preview_line + body).length === 0 ? null : (
        <Pills
          label="Greetings"
          links={[
            { text: "With an answer", href: query({ isFilled: true }), isCurrent: isFilled },
            { text: "Without an answer", href: query({ isFilled: false }), isCurrent: !isFilled },
          ]}
        />
      )}
      <div className="letter-frames">
        <Frame id={letter.id} query={query({})} name="Desktop" />
        <Frame id={letter.id} query={query({})} name="Phone" />
      </div>
      <h2 id="text-version">Text version</h2>
      <p className="hint">For people whose email program shows no HTML.</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it may scroll sideways, also with the keyboard */}
      <section className="panel narrow letter-text" aria-labelledby="text-version" tabIndex={0}>
        <pre>{rendered.text}</pre>
      </section>
    </>
  );
}

/** In a sandbox, without the rights of this page. */
function Frame({ id, query, name }: { id: number; query: string; name: "Desktop" | "Phone" }) {
  return (
    <figure className={`letter-frame letter-frame-${name.toLowerCase()}`}>
      <figcaption>{name}</figcaption>
      <iframe src={`/owner/letters/${id}/email${query}`} title={`The letter on a ${name.toLowerCase()}`} sandbox="" />
    </figure>
  );
}
