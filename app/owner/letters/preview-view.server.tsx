import type { LetterProblems } from "#app/email/letters/check-letter.server.ts";
import type { Letter } from "#app/email/letters/letters.server.ts";
import { LetterPage } from "#app/owner/letters/letter-frame.server.tsx";
import { Actions, ButtonLink } from "#app/owner/ui/actions.server.tsx";
import { Facts } from "#app/owner/ui/data.server.tsx";
import { Pills } from "#app/owner/ui/navigation.server.tsx";
import { Message } from "#app/owner/ui/page.server.tsx";

type Scheme = "light" | "dark";

interface LetterPreviewProps {
  letter: Letter;
  problems: LetterProblems | null;
  scheme: Scheme;
  /** The text version; null if the letter cannot be rendered. */
  text: string | null;
}

/** The letter as its recipients get it: at two widths, in a colour scheme, and as text. */
export function letterPreviewView({ letter, problems, scheme, text }: LetterPreviewProps) {
  const isDraft = letter.state === "draft";
  return (
    <LetterPage letter={letter} step={isDraft ? "preview" : undefined}>
      {problems === null ? null : <NotReady id={letter.id} />}
      {text === null ? null : <Preview letter={letter} scheme={scheme} text={text} />}
      {isDraft && text !== null ? (
        <Actions>
          <ButtonLink label="Choose the audience" href={`/owner/letters/${letter.id}/audience`} />
          <ButtonLink label="Send it to yourself" kind="quiet" href={`/owner/letters/${letter.id}/send#test`} />
        </Actions>
      ) : null}
    </LetterPage>
  );
}

/** Says that something has to be mended first. */
export function NotReady({ id }: { id: number }) {
  return (
    <Message kind="error">
      The letter cannot be sent as it is. <a href={`/owner/letters/${id}`}>See what to fix</a>
    </Message>
  );
}

function Preview({ letter, scheme, text }: { letter: Letter; scheme: Scheme; text: string }) {
  return (
    <>
      <Facts
        facts={[
          ["Subject", letter.subject || "None yet"],
          ["Preview line", letter.preview_line || "None: inboxes show the beginning of the letter"],
        ]}
      />
      <Pills
        label="Colour scheme"
        links={[
          { text: "Light", href: "?scheme=light", isCurrent: scheme === "light" },
          { text: "Dark", href: "?scheme=dark", isCurrent: scheme === "dark" },
        ]}
      />
      <div className="letter-frames">
        <Frame id={letter.id} scheme={scheme} name="Desktop" />
        <Frame id={letter.id} scheme={scheme} name="Phone" />
      </div>
      <h2 id="text-version">Text version</h2>
      <p className="hint">For people whose email program shows no HTML.</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it may scroll sideways, also with the keyboard */}
      <section className="panel narrow letter-text" aria-labelledby="text-version" tabIndex={0}>
        <pre>{text}</pre>
      </section>
    </>
  );
}

/** In a sandbox, without the rights of this page. */
function Frame({ id, scheme, name }: { id: number; scheme: Scheme; name: "Desktop" | "Phone" }) {
  return (
    <figure className={`letter-frame letter-frame-${name.toLowerCase()}`}>
      <figcaption>{name}</figcaption>
      <iframe
        src={`/owner/letters/${id}/email?scheme=${scheme}`}
        title={`The letter on a ${name.toLowerCase()}`}
        sandbox=""
      />
    </figure>
  );
}
