import type { LetterProblems } from "#app/email/letters/check-letter.server.ts";
import type { Letter } from "#app/email/letters/letters.server.ts";
import { letterView } from "#app/owner/letters/letter-frame.server.tsx";
import type { OwnerView } from "#app/owner/ui/document.server.tsx";

interface LetterPreviewProps {
  letter: Letter;
  problems: LetterProblems | null;
  scheme: "light" | "dark";
  /** The text version; null if the letter cannot be rendered. */
  text: string | null;
  done: string | undefined;
}

/** The letter as its recipients get it: at two widths, in a colour scheme, and as text. */
export function letterPreviewView({ letter, problems, scheme, text, done }: LetterPreviewProps): OwnerView {
  return letterView({
    letter,
    step: letter.state === "draft" ? "preview" : null,
    done,
    children: (
      <>
        {problems === null ? null : <NotReady id={letter.id} />}
        {text === null ? null : (
          <>
            <dl className="letter-inbox">
              <dt>Subject</dt>
              <dd>{letter.subject || "None yet"}</dd>
              <dt>Preview line</dt>
              <dd>{letter.preview_line || "None: inboxes show the beginning of the letter"}</dd>
            </dl>
            <Schemes current={scheme} />
            <div className="letter-frames">
              <Frame id={letter.id} scheme={scheme} name="Desktop" />
              <Frame id={letter.id} scheme={scheme} name="Phone" />
            </div>
            <h2 id="text-version">Text version</h2>
            <p className="letter-hint">For people whose email program shows no HTML.</p>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it may scroll sideways, also with the keyboard */}
            <section className="letter-text" aria-labelledby="text-version" tabIndex={0}>
              <pre>{text}</pre>
            </section>
            {letter.state === "draft" ? (
              <p className="letter-buttons">
                <a className="button" href={`/owner/letters/${letter.id}/audience`}>
                  Choose the audience
                </a>
                <a className="button button-quiet" href={`/owner/letters/${letter.id}/send#test`}>
                  Send it to yourself
                </a>
              </p>
            ) : null}
          </>
        )}
      </>
    ),
  });
}

/** Says that something has to be mended first. */
export function NotReady({ id }: { id: number }) {
  return (
    <p className="owner-error">
      The letter cannot be sent as it is. <a href={`/owner/letters/${id}`}>See what has to be mended</a>
    </p>
  );
}

function Schemes({ current }: { current: "light" | "dark" }) {
  return (
    <nav className="letter-schemes" aria-label="Colour scheme">
      <ul>
        {(["light", "dark"] as const).map((scheme) => (
          <li key={scheme}>
            <a href={`?scheme=${scheme}`} aria-current={scheme === current ? "true" : undefined}>
              {scheme === "light" ? "Light" : "Dark"}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** In a sandbox, without the rights of this page. */
function Frame({ id, scheme, name }: { id: number; scheme: string; name: "Desktop" | "Phone" }) {
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
