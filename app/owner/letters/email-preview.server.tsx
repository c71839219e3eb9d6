import type { LetterProblems, LetterWords } from "#app/email/letters/check-letter.server.ts";
import { greetingKeys, sampleAnswers } from "#app/email/letters/greeting-problems.server.ts";
import { NOTHING_WRITTEN } from "#app/email/letters/letter-problems.server.ts";
import type { EmailMessage } from "#app/email/mailer.server.ts";
import { Facts } from "#app/owner/ui/data.server.tsx";
import { Pills } from "#app/owner/ui/navigation.server.tsx";
import { Message } from "#app/owner/ui/page.server.tsx";
import { fillGreetings } from "#app/waitlist/questions/greetings.server.ts";

type Scheme = "light" | "dark";

/** What has a preview: its name in sentences, and the path of its form. */
export interface Subject {
  name: "letter" | "follow-up";
  path: `/owner/${string}`;
}

export interface EmailPreviewProps extends Subject {
  words: LetterWords;
  problems: LetterProblems | null;
  /** What is wrong with one that was started, and cannot be shown any more. */
  fault: string | null;
  scheme: Scheme;
  /** Whether greetings show a sample answer, or what people without one read. */
  isFilled: boolean;
  /** Null if it cannot be rendered. */
  rendered: Pick<EmailMessage, "subject" | "text"> | null;
  replyTo: string;
}

/** An email as its recipients get it: at two widths, in a colour scheme, and as text. Or what has to be mended first. */
export function EmailPreview(props: EmailPreviewProps) {
  const { name, problems, fault, rendered } = props;
  return (
    <>
      {problems === null ? null : <NotReady {...props} problems={problems} />}
      {problems === null && fault !== null ? (
        <Message kind="error">{`This ${name} cannot be shown any more. ${fault}`}</Message>
      ) : null}
      {rendered === null ? null : <Preview {...props} rendered={rendered} />}
    </>
  );
}

/** Says what has to be mended first. */
export function NotReady({ name, path, problems }: Subject & { problems: LetterProblems }) {
  const { body, ...fields } = problems;
  const sentences = [
    ...Object.values(fields).filter((problem) => problem !== null),
    ...body.map(({ line, text }) => (text === NOTHING_WRITTEN ? text : `Line ${line}: ${text}`)),
  ];
  return (
    <Message kind="error">
      {`The ${name} cannot be sent as it is. `}
      <a href={path}>Edit it</a>
      <ul>
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </Message>
  );
}

type PreviewProps = EmailPreviewProps & { rendered: Pick<EmailMessage, "subject" | "text"> };

function Preview({ name, path, words, scheme, isFilled, rendered, replyTo }: PreviewProps) {
  const { subject, preview_line, body } = words;
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
          ["Preview line", fillGreetings(preview_line, answers) || "None: inboxes show the beginning of the text"],
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
        <Frame name={name} src={`${path}/email${query({})}`} device="Desktop" />
        <Frame name={name} src={`${path}/email${query({})}`} device="Phone" />
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
function Frame({ name, src, device }: Pick<Subject, "name"> & { src: string; device: "Desktop" | "Phone" }) {
  const key = device.toLowerCase();
  return (
    <figure className={`letter-frame letter-frame-${key}`}>
      <figcaption>{device}</figcaption>
      <iframe src={src} title={`The ${name} on a ${key}`} sandbox="" />
    </figure>
  );
}
