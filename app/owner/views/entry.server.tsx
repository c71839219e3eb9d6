import type { OutboxMail } from "#app/owner/entries.server.ts";
import type { OwnerView } from "#app/owner/page.server.tsx";
import { answerTo } from "#app/owner/views/answers.ts";
import { EntryActions } from "#app/owner/views/entry-actions.server.tsx";
import { mailKinds, moment } from "#app/owner/words.ts";
import type { Entry } from "#app/waitlist/entries.server.ts";

interface EntryProps {
  entry: Entry;
  mails: OutboxMail[];
  timeZone: string;
  /** What has just been done. */
  done: string | undefined;
}

export function entryView({ entry, mails, timeZone, done }: EntryProps): OwnerView {
  const answer = answerTo(done);
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
        {answer === null ? null : (
          <p className="owner-answer" role="status">
            {answer}
          </p>
        )}
        <div className="entry-columns">
          <div>
            <dl className="entry-facts">
              {factsOf(entry, timeZone).map(([name, value]) => (
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

/** What is known; what is not is left out. */
function factsOf(entry: Entry, timeZone: string): [string, string][] {
  const left = entry.unsubscribed_at;
  const facts: [string, string | null][] = [
    ["Status", entry.status],
    ["Joined", moment(entry.created_at, timeZone)],
    ["Unsubscribed", left === null ? null : moment(left, timeZone)],
    ["Source", entry.source],
    ["Early adopter", entry.early_adopter ? "yes" : "no"],
    ["Campaign", entry.utm_campaign],
    ["Campaign source", entry.utm_source],
    ["Campaign medium", entry.utm_medium],
    ["Campaign term", entry.utm_term],
    ["Campaign content", entry.utm_content],
    ["Linked from", entry.referrer_host],
    ["Number", String(entry.id)],
  ];
  return facts.filter((fact): fact is [string, string] => fact[1] !== null);
}

function Mails({ mails, timeZone }: { mails: OutboxMail[]; timeZone: string }) {
  return (
    <section aria-labelledby="mails">
      <h2 id="mails">Mail</h2>
      {mails.length === 0 ? (
        <p className="owner-none">None is owed.</p>
      ) : (
        <ul className="entry-mails">
          {mails.map((mail) => (
            <li key={mail.id}>
              <strong>{mailKinds[mail.kind]}</strong>
              <span>{stateOf(mail, timeZone)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function stateOf(mail: OutboxMail, timeZone: string): string {
  const reason = mail.last_error === null ? "" : `: ${mail.last_error}`;
  if (mail.sent_at !== null) return `sent ${moment(mail.sent_at, timeZone)}`;
  if (mail.dead_at !== null) return `given up ${moment(mail.dead_at, timeZone)}${reason}`;
  const next = `next try from ${moment(mail.next_attempt_at, timeZone)}`;
  return `waits since ${moment(mail.created_at, timeZone)}, ${next}${reason}`;
}
