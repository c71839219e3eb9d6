import type { ReactNode } from "react";
import { findLetter, type Letter, type ShownLetter } from "#app/features/letters/send/letters.server.ts";
import { letterRefusal } from "#app/features/letters/send/sending-limits.ts";
import type { OwnerContext, OwnerHandler } from "#app/owner/ui/owner-context.ts";
import { Outcome, Page } from "#app/owner/ui/page.server.tsx";

export function withLetter(handle: (c: OwnerContext, letter: ShownLetter) => ReturnType<OwnerHandler>): OwnerHandler {
  return async (c) => {
    const letter = await findLetter(c.var.app.db, Number(c.req.param("id")));
    if (letter === null) return c.notFound();
    // A step of the series: its own page is about all that was sent as it.
    return letter.step_id === null ? handle(c, letter) : c.redirect(`/owner/series/${letter.step_id}`, 303);
  };
}

/** Leads to a letter. @param rest a step of its draft, or the outcome of a change */
export function toLetter(c: OwnerContext, id: number, rest = "") {
  return c.redirect(`/owner/letters/${id}${rest}`, 303);
}

/** Why letters cannot be sent here, in a sentence; null if they can. */
export function obstacleOf({ var: { app } }: OwnerContext): string | null {
  return letterRefusal({ ...app, siteUrl: app.config.SITE_URL });
}

const draftPages = { Write: "", Preview: "/preview", Audience: "/audience", Send: "/send" };

interface LetterPageProps {
  /** Null for one that is not saved yet. */
  letter: Pick<Letter, "id" | "subject"> | null;
  /** The page of a draft. Absent for a letter that is no draft. */
  current?: keyof typeof draftPages | undefined;
  back?: { href: string; name: string } | undefined;
  children: ReactNode;
}

export function LetterPage({ letter, current, back = allLetters, children }: LetterPageProps) {
  return (
    <Page title={letter?.subject || "New letter"} section="letters" back={back}>
      {letter === null || current === undefined ? null : (
        <Steps label="This letter" root={`/owner/letters/${letter.id}`} pages={draftPages} current={current} />
      )}
      <Outcome />
      {children}
    </Page>
  );
}

const allLetters = { href: "/owner/letters", name: "All letters" };

interface StepsProps {
  label: string;
  /** The address of the first page. */
  root: string;
  /** Paths by name. */
  pages: Record<string, string>;
  current: string;
}

/** Links to the pages of one draft or follow-up, in the order of work. */
export function Steps({ label, root, pages, current }: StepsProps) {
  return (
    <nav className="tabs letter-steps" aria-label={label}>
      <ol className="bare-list">
        {Object.entries(pages).map(([name, path]) => (
          <li key={name}>
            <a href={root + path} aria-current={name === current ? "page" : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}
