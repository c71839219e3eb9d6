import type { ReactNode } from "react";
import { findLetter, type Letter, letterPath, type ShownLetter } from "#app/features/letters/send/letters.server.ts";
import { letterRefusal } from "#app/features/letters/send/sending-limits.ts";
import { EditorHead } from "#app/owner/editor/writing-form.server.tsx";
import { ButtonForm } from "#app/owner/ui/actions.server.tsx";
import type { OwnerContext, OwnerHandler } from "#app/owner/ui/owner-context.ts";
import { Outcome, Page, Section } from "#app/owner/ui/page.server.tsx";
import { fillGreetings } from "#app/waitlist/questions/greetings.server.ts";

/** @param ifGone responds where there is no such letter any more */
export function withLetter(
  handle: (c: OwnerContext, letter: ShownLetter) => ReturnType<OwnerHandler>,
  ifGone: OwnerHandler = (c) => c.notFound(),
): OwnerHandler {
  return async (c) => {
    const letter = await findLetter(c.var.app.db, Number(c.req.param("id")));
    if (letter === null) return ifGone(c);
    // A step of the series: its own page is about all that was sent as it.
    return letter.step_id === null ? handle(c, letter) : c.redirect(`/owner/series/${letter.step_id}`, 303);
  };
}

/** Leads to a letter. @param rest a page of its draft, or the outcome of a change */
export function toLetter(c: OwnerContext, id: number, rest = "") {
  return c.redirect(letterPath(id) + rest, 303);
}

/** Why letters cannot be sent here, in a sentence; null if they can. */
export function obstacleOf({ var: { app } }: OwnerContext): string | null {
  return letterRefusal({ ...app, siteUrl: app.config.SITE_URL });
}

const draftPages = { Write: "", Preview: "/preview", Audience: "/audience", Send: "/send" };

/** The page of a draft that a button of a form leads to once the form is saved; undefined for the same page. */
export function nextPage(c: OwnerContext): string | undefined {
  const intent = `${c.var.form.get("intent")}`;
  if (intent === "write") return "";
  return Object.values(draftPages).find((path) => path === `/${intent}`);
}

interface LetterPageProps {
  /** Null for one that is not saved yet. */
  letter: Pick<Letter, "id" | "subject"> | null;
  /** The page of a draft. Absent for a letter that is no draft. */
  current?: keyof typeof draftPages | undefined;
  /** The id of the form on this page, which the links to the others save. */
  saves?: string;
  back?: { href: string; name: string } | undefined;
  children: ReactNode;
}

export function LetterPage({ letter, current, saves, back, children }: LetterPageProps) {
  const allLetters = { href: "/owner/letters", name: "All letters" };
  return (
    <Page
      title={fillGreetings(letter?.subject ?? "", null) || "New letter"}
      section="letters"
      back={back ?? allLetters}
      head={current === "Write" ? <EditorHead /> : null}
    >
      {current === undefined ? null : (
        <PageTabs
          label="This letter"
          root={letter === null ? "" : letterPath(letter.id)}
          pages={draftPages}
          {...{ current, saves }}
        />
      )}
      <Outcome />
      {children}
    </Page>
  );
}

interface PageTabsProps {
  label: string;
  /** The address of the first page. */
  root: string;
  /** Paths by name. */
  pages: Record<string, string>;
  current: string;
  /** The id of the form that is saved on the way to another page; absent where there is none. */
  saves?: string | undefined;
}

/** Links to the pages of one draft or follow-up, in the order of work. */
export function PageTabs({ label, root, pages, current, saves }: PageTabsProps) {
  return (
    <nav className="tabs letter-steps" aria-label={label}>
      <ol className="bare-list">
        {Object.entries(pages).map(([name, path]) => (
          <li key={name}>
            {saves === undefined || name === current ? (
              <a href={root + path} aria-current={name === current ? "page" : undefined}>
                {name}
              </a>
            ) : (
              <button type="submit" form={saves} name="intent" value={path.slice(1) || "write"}>
                {name}
              </button>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}

export function Duplicate({ letter: { id, state } }: { letter: Letter }) {
  return (
    <ButtonForm
      className="letter-duplicate"
      action={`/owner/letters/${id}`}
      value="duplicate"
      label="Duplicate"
      text={
        state === "draft"
          ? "Makes a new draft with the words that were saved last, and with the same audience."
          : "Makes a new draft with the same words. Its audience is everyone on the waitlist until you choose another."
      }
    />
  );
}

export function PublicChoice({ letter, back }: { letter: Letter; back: "send" | "progress" }) {
  const { id, state, is_public, has_web_link } = letter;
  const isStarted = state !== "draft" && state !== "scheduled";
  const later = isStarted ? "." : ", and its emails link to that page.";
  return (
    <Section id="public" title="On the web">
      <ButtonForm
        action={`/owner/letters/${id}`}
        hidden={{ back }}
        text={
          <>
            {is_public ? (
              <>
                Public: anyone can read it at <a href={`/letters/${id}`}>{`/letters/${id}`}</a>
                {isStarted ? "." : ", once it is being sent. Its emails link to that page."}
              </>
            ) : (
              `Private: only recipients can read it. If you make it public, anyone can read it at /letters${later}`
            )}
            {isStarted && is_public && !has_web_link ? " Its emails do not link to that page." : ""}
            {isStarted && !is_public && has_web_link ? " The link in its emails leads nowhere." : ""}
          </>
        }
        value={is_public ? "unpublish" : "publish"}
        label={is_public ? "Make it private" : "Make it public"}
      />
    </Section>
  );
}
