import { letterStates, pauseReasons } from "#app/email/letters/letter-reasons.ts";
import type { Letter } from "#app/email/letters/letters.server.ts";
import { ButtonLink } from "#app/owner/ui/actions.server.tsx";
import { Table } from "#app/owner/ui/data.server.tsx";
import { formatNumber, formatTime } from "#app/owner/ui/labels.ts";
import { Paging } from "#app/owner/ui/navigation.server.tsx";
import { Outcome, Page } from "#app/owner/ui/page.server.tsx";
import { site } from "#app/site.ts";

export interface LettersProps {
  drafts: Letter[];
  /** Scheduled, being sent or paused. */
  underWay: Letter[];
  /** Sent or stopped, newest first, and where older ones are. */
  past: Letter[];
  olderHref: string | null;
  timeZone: string;
}

export function lettersView({ drafts, underWay, past, olderHref, timeZone }: LettersProps) {
  const isEmpty = [drafts, underWay, past].every((letters) => letters.length === 0);
  return (
    <Page title="Letters" section="letters" aside={<ButtonLink label="Write a letter" href="/owner/letters/new" />}>
      <Outcome />
      {isEmpty ? <Explanation /> : null}
      <LetterTable id="under-way" title="Under way" letters={underWay} timeZone={timeZone} />
      <LetterTable id="drafts" title="Drafts" letters={drafts} timeZone={timeZone} />
      <LetterTable id="past" title="Sent" letters={past} timeZone={timeZone} />
      <Paging links={{ Older: olderHref }} />
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

interface TableProps {
  id: string;
  title: string;
  letters: Letter[];
  timeZone: string;
}

function LetterTable({ id, title, letters, timeZone }: TableProps) {
  if (letters.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
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
