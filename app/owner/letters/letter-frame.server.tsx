import type { ReactNode } from "react";
import { describeState } from "#app/email/letters/letter-reasons.ts";
import type { Letter } from "#app/email/letters/letters.server.ts";
import { letterMessage } from "#app/owner/letters/letter-messages.ts";
import type { OwnerView } from "#app/owner/ui/document.server.tsx";

/** The pages of a draft, in the order of work. */
const steps = [
  { step: "write", name: "Write", path: "" },
  { step: "preview", name: "Preview", path: "/preview" },
  { step: "audience", name: "Audience", path: "/audience" },
  { step: "send", name: "Send", path: "/send" },
] as const;

type LetterStep = (typeof steps)[number]["step"];

interface LetterFrameProps {
  /** Null for one that is not saved yet. */
  letter: Pick<Letter, "id" | "state" | "pause_reason" | "subject"> | null;
  /** Null for a letter that is no draft, which has a page of its own. */
  step: LetterStep | null;
  /** The outcome of the change just made. */
  done?: string | undefined;
  children: ReactNode;
}

/** A page about one letter. */
export function letterView({ letter, step, done, children }: LetterFrameProps): OwnerView {
  const title = letter === null ? "New letter" : letter.subject || "Letter without a subject";
  const message = letterMessage(done);
  return {
    title,
    section: "letters",
    body: (
      <main id="main" className="page owner letter-page">
        <p className="owner-back">
          <a className="quiet-link" href="/owner/letters">
            All letters
          </a>
        </p>
        <h1>{title}</h1>
        {letter === null || letter.state === "draft" ? null : (
          <p>
            <span className={`status letter-${letter.state}`}>{describeState(letter)}</span>
          </p>
        )}
        {letter === null || step === null ? null : <Steps id={letter.id} current={step} />}
        {message === null ? null : (
          <p className="owner-answer" role="status">
            {message}
          </p>
        )}
        {children}
      </main>
    ),
  };
}

function Steps({ id, current }: { id: number; current: LetterStep }) {
  return (
    <nav className="letter-steps" aria-label="This letter">
      <ol>
        {steps.map(({ step, name, path }) => (
          <li key={step}>
            <a href={`/owner/letters/${id}${path}`} aria-current={step === current ? "page" : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}
