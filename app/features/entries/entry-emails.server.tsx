import { emailKinds, formatTime } from "#app/owner/ui/labels.ts";
import { Advanced, Message, Section } from "#app/owner/ui/page.server.tsx";
import { emailReasonText, reasonSettings } from "#app/server/db/email-reasons.ts";
import { recipientReasons, recipientStates } from "#app/server/db/recipient-reasons.ts";
import { type Suppression, suppressionReasons } from "#app/server/db/suppressions.server.ts";
import { isInternational } from "#app/server/email-address.ts";
import type { EpochMillis } from "#app/server/time/units.ts";
import * as switches from "#app/switches.ts";
import { confirmationOf } from "#app/waitlist/confirmation/confirmation.ts";
import type { Entry } from "#app/waitlist/entries/entries.server.ts";
import { emailStates } from "#app/waitlist/filter/email-filter.ts";
import type { EntryLetter, OutboxEmail } from "#app/waitlist/filter/list-entries.server.ts";
import { fillGreetings } from "#app/waitlist/questions/greetings.server.ts";

interface EntryEmailsProps {
  entry: Entry;
  emails: OutboxEmail[];
  letters: EntryLetter[];
  suppression: Suppression | null;
  timeZone: string;
  /** Why all email waits, in words. */
  pause: string | null;
}

export function EntryEmails({ entry, emails, letters, suppression, timeZone, pause }: EntryEmailsProps) {
  const { email, welcomed_at: welcomedAt } = entry;
  return (
    <Section id="emails" title="Emails">
      <Message>{whyNone(entry, timeZone)}</Message>
      {isInternational(email) ? (
        <Message kind="error">{`${emailReasonText("international-address")}. We send no email to it.`}</Message>
      ) : null}
      {suppression === null ? null : (
        <Message kind="error">
          <strong>{`${emailReasonText(suppressionReasons[suppression.reason])}.`}</strong>{" "}
          {suppression.until === null
            ? "We send no email to it."
            : `We send no email to it until ${formatTime(suppression.until, timeZone)}.`}
        </Message>
      )}
      {emails.length + letters.length === 0 && welcomedAt === null ? (
        <p className="none">No emails.</p>
      ) : (
        <ul className="bare-list group entry-emails">
          {welcomedAt === null ? null : (
            <li>
              <strong>{emailKinds.welcome}</strong>
              <span>{`Sent ${formatTime(welcomedAt, timeZone)}`}</span>
            </li>
          )}
          {emails.map((queued) => (
            <li key={queued.id}>
              <strong>{nameOf(queued, letters)}</strong>
              <span>{emailState(queued, timeZone, pause)}</span>
            </li>
          ))}
          {letters.map((letter) => (
            <li key={`letter ${letter.id}`}>
              <strong>
                {letter.stepId === null ? (
                  <>
                    Letter: <a href={`/owner/letters/${letter.id}`}>{fillGreetings(letter.subject, null)}</a>
                  </>
                ) : (
                  <>
                    Follow-up:{" "}
                    {switches.letters && switches.series ? (
                      <a href={`/owner/series/${letter.stepId}`}>{fillGreetings(letter.subject, null)}</a>
                    ) : (
                      fillGreetings(letter.subject, null)
                    )}
                  </>
                )}
              </strong>
              <span>{letterState(letter, timeZone)}</span>
            </li>
          ))}
        </ul>
      )}
      <Advanced>
        {reasonSettings(emails.filter(({ done_at }) => done_at === null).map(({ reason }) => reason))}
      </Advanced>
    </Section>
  );
}

/** `Welcome`; for a letter that was sent again, also which one. */
function nameOf({ kind, data }: OutboxEmail, letters: EntryLetter[]): string {
  if (kind !== "letter") return emailKinds[kind];
  const { letter: id } = (data ?? {}) as { letter?: number };
  const letter = letters.find((known) => known.id === id);
  return letter === undefined ? emailKinds.letter : `${emailKinds.letter}: ${fillGreetings(letter.subject, null)}`;
}

/** Why the person gets no letters, by their own doing; null if they get them. */
function whyNone(entry: Entry, timeZone: string): string | null {
  if (entry.status !== "active") {
    return `No email since the person unsubscribed${after(entry.unsubscribed_at, timeZone)}.`;
  }
  if (confirmationOf(entry) !== "unconfirmed") return null;
  return "No letters and no welcome email until the person has confirmed the address.";
}

function emailState(email: OutboxEmail, timeZone: string, pause: string | null): string {
  const reason = email.reason === null ? "" : `: ${emailReasonText(email.reason)}`;
  if (email.done_at !== null) return `Sent ${formatTime(email.done_at, timeZone)}${bounced(email, timeZone)}`;
  const failed = email.reason === "outcome-unknown" ? emailStates.unknown : emailStates.dead;
  if (email.dead_at !== null) return `${failed} ${formatTime(email.dead_at, timeZone)}${reason}`;
  if (pause !== null) return `Waiting since ${formatTime(email.created_at, timeZone)}: ${pause}`;
  const next = `next attempt after ${formatTime(email.next_attempt_at, timeZone)}`;
  return `Waiting since ${formatTime(email.created_at, timeZone)}, ${next}${reason}`;
}

function bounced({ soft_bounced_at }: OutboxEmail, timeZone: string): string {
  return soft_bounced_at === null ? "" : `; bounced temporarily ${formatTime(soft_bounced_at, timeZone)}`;
}

/** `Sent 21 Nov 2026, 14:05; bounced permanently 21 Nov 2026, 14:06`, or `Skipped: Unsubscribed` */
function letterState(letter: EntryLetter, timeZone: string): string {
  const { state, reason, done_at, letterState } = letter;
  if (state === "sent") return [`Sent${after(done_at, timeZone)}`, ...effects(letter, timeZone)].join("; ");
  if (state === "pending") return letterState === "stopped" ? `Skipped: ${recipientReasons.stopped}` : "Waiting";
  return `${recipientStates[state]}${reason === null ? "" : `: ${recipientReasons[reason]}`}`;
}

function effects(letter: EntryLetter, timeZone: string): string[] {
  const texts: [text: string, time: EpochMillis | null][] = [
    [`bounced ${letter.bounced_softly ? "temporarily" : "permanently"}`, letter.bounced_at],
    ["reported as spam", letter.complained_at],
    ["unsubscribed from it", letter.unsubscribed_at],
  ];
  return texts.flatMap(([text, time]) => (time === null ? [] : [text + after(time, timeZone)]));
}

function after(time: EpochMillis | null, timeZone: string): string {
  return time === null ? "" : ` ${formatTime(time, timeZone)}`;
}
