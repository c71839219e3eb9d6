import type { ReactNode } from "react";
import { describeState } from "#app/email/letters/letter-reasons.ts";
import type { Letter } from "#app/email/letters/letters.server.ts";
import { Outcome, Page } from "#app/owner/ui/page.server.tsx";

/** The pages of a draft, in the order of work. */
const steps = [
  { step: "write", name: "Write", path: "" },
  { step: "preview", name: "Preview", path: "/preview" },
  { step: "audience", name: "Audience", path: "/audience" },
  { step: "send", name: "Send", path: "/send" },
] as const;

type LetterStep = (typeof steps)[number]["step"];

interface LetterPageProps {
  /** Null for one that is not saved yet. */
  letter: Pick<Letter, "id" | "state" | "pause_reason" | "subject"> | null;
  /** Absent for a letter that is no draft, which has a page of its own. */
  step?: LetterStep | undefined;
  children: ReactNode;
}

/** A page about one letter. */
export function LetterPage({ letter, step, children }: LetterPageProps) {
  return (
    <Page
      title={letter === null ? "New letter" : letter.subject || "New letter"}
      section="letters"
      back={{ href: "/owner/letters", name: "All letters" }}
    >
      {letter === null || letter.state === "draft" ? null : (
        <p>
          <span className={`status letter-${letter.state}`}>{describeState(letter)}</span>
        </p>
      )}
      {letter === null || step === undefined ? null : <Steps id={letter.id} current={step} />}
      <Outcome />
      {children}
    </Page>
  );
}

function Steps({ id, current }: { id: number; current: LetterStep }) {
  return (
    <nav className="letter-steps" aria-label="This letter">
      <ol className="bare-list">
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
