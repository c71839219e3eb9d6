import { emailKinds, formatTime } from "#app/owner/ui/labels.ts";
import { Advanced, Message, Section } from "#app/owner/ui/page.server.tsx";
import { emailReasonText, reasonSettings } from "#app/server/db/email-reasons.ts";
import { type CountedReason, recipientReasons, recipientStates } from "#app/server/db/recipient-reasons.ts";
import { type Suppression, suppressionReasons } from "#app/server/db/suppressions.server.ts";
import { isInternational } from "#app/server/email-address.ts";
import type { EpochMillis } from "#app/server/time/units.ts";
import * as switches from "#app/switches.ts";
import { confirmationOf } from "#app/waitlist/confirmation/confirmation.ts";
import type { Entry } from "#app/waitlist/entries/entries.server.ts";
import { type EntryEmail, entryEmails } from "#app/waitlist/filter/entry-emails.ts";
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
  const { email } = entry;
  const shown = entryEmails({ entry, emails, letters });
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
      {shown.length === 0 ? (
        <p className="none">No emails.</p>
      ) : (
        <ul className="bare-list group entry-emails">
          {shown.map((one) => (
            <li key={one.key}>
              <strong>
                <Name {...one} />
              </strong>
              <span>{stateText(one, timeZone, pause)}</span>
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

/** `Welcome`, `Letter: News` */
function Name({ kind, letter }: EntryEmail) {
  const subject = letter === null ? "" : fillGreetings(letter.subject, null);
  if (kind === "letter") {
    return (
      <>
        Letter: <a href={`/owner/letters/${letter?.id}`}>{subject}</a>
      </>
    );
  }
  if (kind === "follow-up") {
    return (
      <>
        Follow-up:{" "}
        {switches.letters && switches.series ? <a href={`/owner/series/${letter?.stepId}`}>{subject}</a> : subject}
      </>
    );
  }
  if (kind !== "repeated-letter") return emailKinds[kind];
  return letter === null ? emailKinds.letter : `${emailKinds.letter}: ${subject}`;
}

/** Why the person gets no letters, by their own doing; null if they get them. */
function whyNone(entry: Entry, timeZone: string): string | null {
  if (entry.status !== "active") {
    return `No email since the person unsubscribed${after(entry.unsubscribed_at, timeZone)}.`;
  }
  if (confirmationOf(entry) !== "unconfirmed") return null;
  return "No letters and no welcome email until the person has confirmed the address.";
}

/** `Sent 21 Nov 2026, 14:05; bounced permanently 21 Nov 2026, 14:06`, or `Skipped: Unsubscribed` */
function stateText(email: EntryEmail, timeZone: string, pause: string | null): string {
  const { kind, state, reason, queued_at, done_at, next_attempt_at } = email;
  const isLetter = kind === "letter" || kind === "follow-up";
  if (state === "sent") return [`Sent${after(done_at, timeZone)}`, ...effects(email, timeZone)].join("; ");
  if (state === "waiting" && isLetter) return recipientStates.pending;
  const reasonText = isLetter ? recipientReasons[reason as CountedReason] : emailReasonText(reason);
  const why = reason === null ? "" : `: ${reasonText}`;
  if (state !== "waiting") return `${recipientStates[state]}${isLetter ? "" : after(done_at, timeZone)}${why}`;
  const since = `Waiting since${after(queued_at, timeZone)}`;
  return pause === null
    ? `${since}, next attempt after${after(next_attempt_at, timeZone)}${why}`
    : `${since}: ${pause}`;
}

function effects(email: EntryEmail, timeZone: string): string[] {
  const texts: [text: string, time: EpochMillis | null][] = [
    [`bounced ${email.bounced_softly ? "temporarily" : "permanently"}`, email.bounced_at],
    ["reported as spam", email.complained_at],
    ["unsubscribed from it", email.unsubscribed_at],
  ];
  return texts.flatMap(([text, time]) => (time === null ? [] : [text + after(time, timeZone)]));
}

function after(time: EpochMillis | null, timeZone: string): string {
  return time === null ? "" : ` ${formatTime(time, timeZone)}`;
}
