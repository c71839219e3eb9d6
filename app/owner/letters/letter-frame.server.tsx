import type { ReactNode } from "react";
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
  letter: Pick<Letter, "id" | "subject"> | null;
  /** Absent for a letter that is no draft, which has a page of its own. */
  step?: LetterStep | undefined;
  /** The page that this one belongs to. Default: all letters. */
  back?: { href: string; name: string } | undefined;
  children: ReactNode;
}

/** A page about one letter. */
export function LetterPage({ letter, step, back = allLetters, children }: LetterPageProps) {
  return (
    <Page title={letter === null ? "New letter" : letter.subject || "New letter"} section="letters" back={back}>
      {letter === null || step === undefined ? null : <Steps id={letter.id} current={step} />}
      <Outcome />
      {children}
    </Page>
  );
}

const allLetters = { href: "/owner/letters", name: "All letters" };

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
