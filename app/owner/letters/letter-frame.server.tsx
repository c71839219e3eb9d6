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
      {letter === null || step === undefined ? null : (
        <Steps
          label="This letter"
          steps={steps.map(({ name, path, ...its }) => ({
            name,
            href: `/owner/letters/${letter.id}${path}`,
            isCurrent: its.step === step,
          }))}
        />
      )}
      <Outcome />
      {children}
    </Page>
  );
}

const allLetters = { href: "/owner/letters", name: "All letters" };

interface StepsProps {
  label: string;
  steps: { name: string; href: string; isCurrent: boolean }[];
}

/** Links to the pages of one draft, in the order of work. */
export function Steps({ label, steps }: StepsProps) {
  return (
    <nav className="letter-steps" aria-label={label}>
      <ol className="bare-list">
        {steps.map(({ name, href, isCurrent }) => (
          <li key={name}>
            <a href={href} aria-current={isCurrent ? "page" : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}
