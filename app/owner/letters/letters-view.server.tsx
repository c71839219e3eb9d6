import { describeState, pauseReasons } from "#app/email/letters/letter-reasons.ts";
import type { Letter } from "#app/email/letters/letters.server.ts";
import { letterMessage } from "#app/owner/letters/letter-messages.ts";
import type { OwnerView } from "#app/owner/ui/document.server.tsx";
import { formatNumber, formatTime } from "#app/owner/ui/labels.ts";

export interface LettersProps {
  drafts: Letter[];
  /** Scheduled, being sent or paused. */
  underWay: Letter[];
  /** Sent or stopped, newest first, and where older ones are. */
  past: Letter[];
  olderHref: string | null;
  timeZone: string;
  done: string | undefined;
}

export function lettersView({ drafts, underWay, past, olderHref, timeZone, done }: LettersProps): OwnerView {
  const message = letterMessage(done);
  const isEmpty = [drafts, underWay, past].every((letters) => letters.length === 0);
  return {
    title: "Letters",
    section: "letters",
    body: (
      <main id="main" className="page owner">
        <div className="owner-head">
          <h1>Letters</h1>
          <a className="button" href="/owner/letters/new">
            Write a letter
          </a>
        </div>
        {message === null ? null : (
          <p className="owner-answer" role="status">
            {message}
          </p>
        )}
        {isEmpty ? <Explanation /> : null}
        <LetterTable id="under-way" title="Under way" letters={underWay} timeZone={timeZone} />
        <LetterTable id="drafts" title="Drafts" letters={drafts} timeZone={timeZone} />
        <LetterTable id="past" title="Sent" letters={past} timeZone={timeZone} />
        {olderHref === null ? null : (
          <nav className="owner-paging" aria-label="Pages">
            <a href={olderHref}>Older</a>
          </nav>
        )}
      </main>
    ),
  };
}

function Explanation() {
  return (
    <>
      <p className="lead">A letter is an email that you write to many people on the waitlist.</p>
      <ol className="letter-explanation">
        <li>Write it, and look at it as your readers will.</li>
        <li>Choose whom it is for: everyone, all hosts, or the first hundred who have not been invited.</li>
        <li>Send it to yourself, then to them. Each person gets it once, and can unsubscribe with one click.</li>
      </ol>
      <p>You have not written one yet.</p>
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
      <table className="owner-table entry-table letter-table" aria-labelledby={id}>
        <thead>
          <tr>
            <th scope="col">Subject</th>
            <th scope="col">State</th>
            <th scope="col">When</th>
            <th scope="col" className="number">
              People
            </th>
          </tr>
        </thead>
        <tbody>
          {letters.map((letter) => (
            <tr key={letter.id}>
              <th scope="row" className="words">
                <a href={`/owner/letters/${letter.id}`}>{letter.subject || "No subject"}</a>
              </th>
              <td data-label="State">
                {describeState(letter)}
                {letter.state === "paused" && letter.pause_reason !== null ? (
                  <small>{pauseReasons[letter.pause_reason]}</small>
                ) : null}
              </td>
              <td data-label="When">{formatTime(timeOf(letter), timeZone)}</td>
              <td className="number" data-label="People">
                {letter.state === "draft" ? "–" : formatNumber(letter.expected)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** When it was changed, starts, started or ended. */
function timeOf({ state, updated_at, scheduled_for, started_at, finished_at }: Letter): number {
  if (state === "draft") return updated_at;
  return (state === "scheduled" ? scheduled_for : (finished_at ?? started_at)) ?? updated_at;
}
