import { letterStates, pauseReasons } from "#app/email/letters/letter-reasons.ts";
import type { Letter } from "#app/email/letters/letters.server.ts";
import { ButtonLink } from "#app/owner/ui/actions.server.tsx";
import { Table } from "#app/owner/ui/data.server.tsx";
import { formatNumber, formatTime } from "#app/owner/ui/labels.ts";
import { Paging } from "#app/owner/ui/navigation.server.tsx";
import { Outcome, Page } from "#app/owner/ui/page.server.tsx";
import { site } from "#app/site.ts";

/** The lists of the page, in order, with the states of their letters. */
export const letterLists = [
  { id: "under-way", title: "Under way", states: ["scheduled", "sending", "paused"] },
  { id: "drafts", title: "Drafts", states: ["draft"] },
  { id: "past", title: "Sent", states: ["finished", "stopped"] },
] as const;

/** Letters of a list on a page. */
export const PAGE_SIZE = 20;

interface ListProps {
  id: string;
  title: string;
  /** Newest first. */
  letters: Letter[];
  hasOlder: boolean;
}

export interface LettersProps {
  /** All lists, or one from whose second page on only that is shown. */
  lists: ListProps[];
  /** Counted from 1. */
  page: number;
  timeZone: string;
}

export function lettersView({ lists, page, timeZone }: LettersProps) {
  const isEmpty = page === 1 && lists.every(({ letters }) => letters.length === 0);
  return (
    <Page title="Letters" section="letters" aside={<ButtonLink label="Write a letter" href="/owner/letters/new" />}>
      <Outcome />
      {isEmpty ? <Explanation /> : null}
      {lists.map((list) => (
        <LetterTable key={list.id} {...list} page={page} timeZone={timeZone} />
      ))}
    </Page>
  );
}

function Explanation() {
  return (
    <>
      <p className="lead">A letter is an email that you write to many people on the waitlist.</p>
      <ol>
        <li>Write it, and look at it as your readers will.</li>
        <li>Choose whom it is for: everyone, all {site.host.many}, or the first hundred who have not been invited.</li>
        <li>Send it to yourself, then to them. Each person gets it once, and can unsubscribe with one click.</li>
      </ol>
      <p>You have not written one yet. If you like, begin with one that says that {site.name} is open.</p>
      <ButtonLink label="Begin with “We’re open”" kind="quiet" href="/owner/letters/new?start=opening" />
    </>
  );
}

/** A page of a list; nothing if it is empty. */
function LetterTable({ id, title, letters, hasOlder, page, timeZone }: ListProps & Omit<LettersProps, "lists">) {
  if (letters.length === 0) return null;
  const href = (to: number) => (to === 1 ? "/owner/letters" : `/owner/letters?list=${id}&page=${to}`);
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{page === 1 ? title : `${title}, page ${page}`}</h2>
      <Table
        className="cards"
        labelledBy={id}
        columns={[
          {
            name: "Subject",
            kind: "words",
            cell: (letter) => <a href={`/owner/letters/${letter.id}`}>{letter.subject || "No subject"}</a>,
          },
          { name: "State", cell: (letter) => <State letter={letter} /> },
          { name: "When", cell: (letter) => formatTime(timeOf(letter), timeZone) },
          {
            name: "People",
            kind: "number",
            cell: ({ state, expected }) => (state === "draft" ? "–" : formatNumber(expected)),
          },
        ]}
        rows={letters}
        rowKey={(letter) => letter.id}
      />
      <Paging
        label={`Pages: ${title}`}
        links={{ Newer: page > 1 && href(page - 1), Older: hasOlder && href(page + 1) }}
      />
    </section>
  );
}

function State({ letter }: { letter: Letter }) {
  return (
    <>
      {letterStates[letter.state]}
      {letter.state === "paused" && letter.pause_reason !== null ? (
        <small>{pauseReasons[letter.pause_reason]}</small>
      ) : null}
    </>
  );
}

/** When it was changed, starts, started or ended. */
function timeOf({ state, updated_at, scheduled_for, started_at, finished_at }: Letter): number {
  if (state === "draft") return updated_at;
  return (state === "scheduled" ? scheduled_for : (finished_at ?? started_at)) ?? updated_at;
}
