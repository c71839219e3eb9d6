import { EntryActions } from "#app/owner/entries/entry-actions.server.tsx";
import { EntryNote, type RejectedNote } from "#app/owner/entries/entry-note.server.tsx";
import { BackLink } from "#app/owner/ui/back-link.server.tsx";
import type { OwnerView } from "#app/owner/ui/document.server.tsx";
import { flashMessage } from "#app/owner/ui/flash-messages.ts";
import { emailKinds, formatTime } from "#app/owner/ui/labels.ts";
import { reasonText } from "#app/server/db/email-reasons.ts";
import { suppressionReasons } from "#app/server/db/suppressions.server.ts";
import type { Entry } from "#app/waitlist/entries.server.ts";
import { columnText, entryColumns } from "#app/waitlist/entry-fields.server.ts";
import type { OutboxEmail, Suppression } from "#app/waitlist/list-entries.server.ts";

interface EntryProps {
  entry: Entry;
  emails: OutboxEmail[];
  suppression: Suppression | null;
  timeZone: string;
  /** Why all email waits, in words. */
  pause: string | null;
  /** The outcome of the change just made. */
  done: string | undefined;
  /** The list that this page was opened from. */
  listHref: string;
  /** A note that was not saved, and why. */
  rejected?: RejectedNote | undefined;
}

export function entryView({
  entry,
  emails,
  suppression,
  timeZone,
  pause,
  done,
  listHref,
  rejected,
}: EntryProps): OwnerView {
  const message = flashMessage(done);
  return {
    title: `Entry ${entry.id}`,
    section: "entries",
    body: (
      <main id="main" className="page owner">
        <BackLink href={listHref}>Back to the list</BackLink>
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
            <EntryNote note={entry.owner_note} rejected={rejected} />
            <Emails emails={emails} suppression={suppression} timeZone={timeZone} pause={pause} />
          </div>
          <EntryActions entry={entry} />
        </div>
      </main>
    ),
  };
}

/** Every column with a value, except the address, which is the page's heading, and the note, which has a form. */
function detailsOf(entry: Entry, timeZone: string): [string, string][] {
  return entryColumns.flatMap((column): [string, string][] => {
    const text = columnText(column, entry, (time) => formatTime(time, timeZone));
    return text === null || column.name === "email" || column.name === "owner_note" ? [] : [[column.label, text]];
  });
}

function Emails({
  emails,
  suppression,
  timeZone,
  pause,
}: Pick<EntryProps, "emails" | "suppression" | "timeZone" | "pause">) {
  return (
    <section aria-labelledby="emails">
      <h2 id="emails">Emails</h2>
      {suppression === null ? null : (
        <p className="entry-suppression">
          <strong>{`${reasonText(suppressionReasons[suppression.reason])}.`}</strong>{" "}
          {suppression.until === null
            ? "We send no email to it."
            : `We send no email to it until ${formatTime(suppression.until, timeZone)}.`}
        </p>
      )}
      {emails.length === 0 ? (
        <p className="owner-none">No emails.</p>
      ) : (
        <ul className="entry-mails">
          {emails.map((email) => (
            <li key={email.id}>
              <strong>{emailKinds[email.kind]}</strong>
              <span>{emailState(email, timeZone, pause)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function emailState(email: OutboxEmail, timeZone: string, pause: string | null): string {
  const reason = email.reason === null ? "" : `: ${reasonText(email.reason)}`;
  if (email.sent_at !== null) return `Sent ${formatTime(email.sent_at, timeZone)}${bounced(email, timeZone)}`;
  if (email.dead_at !== null) return `Failed ${formatTime(email.dead_at, timeZone)}${reason}`;
  if (pause !== null) return `Waiting since ${formatTime(email.created_at, timeZone)}: ${pause}`;
  const next = `next attempt after ${formatTime(email.next_attempt_at, timeZone)}`;
  return `Waiting since ${formatTime(email.created_at, timeZone)}, ${next}${reason}`;
}

function bounced({ soft_bounced_at }: OutboxEmail, timeZone: string): string {
  return soft_bounced_at === null ? "" : `; bounced temporarily ${formatTime(soft_bounced_at, timeZone)}`;
}
