import type { OwnerView } from "#app/owner/document.server.tsx";
import type { OutboxEmail } from "#app/owner/entries.server.ts";
import { emailKinds, moment } from "#app/owner/labels.ts";
import { EntryActions } from "#app/owner/views/entry-actions.server.tsx";
import { flashMessage } from "#app/owner/views/flash-messages.ts";
import type { Entry } from "#app/waitlist/entries.server.ts";
import { columnText, entryColumns } from "#app/waitlist/entry-fields.server.ts";

interface EntryProps {
  entry: Entry;
  mails: OutboxEmail[];
  timeZone: string;
  /** What has just been done. */
  done: string | undefined;
}

export function entryView({ entry, mails, timeZone, done }: EntryProps): OwnerView {
  const message = flashMessage(done);
  return {
    title: `Entry ${entry.id}`,
    place: "elsewhere",
    body: (
      <main id="main" className="page owner">
        <p className="owner-back">
          <a className="quiet-link" href="/owner/entries">
            All entries
          </a>
        </p>
        <h1 className="entry-address">{entry.email}</h1>
        {message === null ? null : (
          <p className="owner-answer" role="status">
            {message}
          </p>
        )}
        <div className="entry-columns">
          <div>
            <dl className="entry-facts">
              {detailsOf(entry, timeZone).map(([name, value]) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
            <Mails mails={mails} timeZone={timeZone} />
          </div>
          <EntryActions entry={entry} />
        </div>
      </main>
    ),
  };
}

/** Every column that has a value; the address is the page's heading. */
function detailsOf(entry: Entry, timeZone: string): [string, string][] {
  return entryColumns.flatMap((column): [string, string][] => {
    const text = columnText(column, entry, (time) => moment(time, timeZone));
    return text === null || column.name === "email" ? [] : [[column.label, text]];
  });
}

function Mails({ mails, timeZone }: { mails: OutboxEmail[]; timeZone: string }) {
  return (
    <section aria-labelledby="mails">
      <h2 id="mails">Mail</h2>
      {mails.length === 0 ? (
        <p className="owner-none">None is owed.</p>
      ) : (
        <ul className="entry-mails">
          {mails.map((mail) => (
            <li key={mail.id}>
              <strong>{emailKinds[mail.kind]}</strong>
              <span>{stateOf(mail, timeZone)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function stateOf(mail: OutboxEmail, timeZone: string): string {
  const reason = mail.last_error === null ? "" : `: ${mail.last_error}`;
  if (mail.sent_at !== null) return `sent ${moment(mail.sent_at, timeZone)}`;
  if (mail.dead_at !== null) return `given up ${moment(mail.dead_at, timeZone)}${reason}`;
  const next = `next try from ${moment(mail.next_attempt_at, timeZone)}`;
  return `waits since ${moment(mail.created_at, timeZone)}, ${next}${reason}`;
}
