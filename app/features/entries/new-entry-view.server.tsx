import type { TypedEntry } from "#app/features/entries/read-new-entry.server.ts";
import { Button } from "#app/owner/ui/actions.server.tsx";
import { ConsentFields } from "#app/owner/ui/consent-fields.server.tsx";
import { addressField, Choice, Field, Group } from "#app/owner/ui/field.server.tsx";
import { formatTime } from "#app/owner/ui/labels.ts";
import { Advanced, Message, Page } from "#app/owner/ui/page.server.tsx";
import { reasonText } from "#app/server/db/email-reasons.ts";
import { suppressionReasons } from "#app/server/db/suppressions.server.ts";
import { type Question, questions } from "#app/site.ts";
import { CONFIRM_DAYS } from "#app/waitlist/confirmation/confirmation.ts";
import type { AddedByHand } from "#app/waitlist/entries/add-by-hand.server.ts";
import { answerField, MAX_ANSWER_LENGTH } from "#app/waitlist/questions/answers.ts";

interface NewEntryProps extends TypedEntry {
  /** Why the person was not added. */
  refusal: Exclude<AddedByHand, { kind: "added" }> | null;
  /** Sources to choose from. */
  sources: string[];
  mustConfirm: boolean;
  hasSender: boolean;
  timeZone: string;
}

/** Adds one person by hand. */
export function newEntryView({ values, problems, refusal, sources, mustConfirm, hasSender, timeZone }: NewEntryProps) {
  const typed = (name: string) => ({ name, value: values[name] ?? "", problem: problems[name] });
  return (
    <Page title="Add a person" section="entries" back={{ href: "/owner/entries", name: "Back to the list" }}>
      <p className="lead">For someone who asked you outside the site, such as at a fair or on the phone.</p>
      {refusal === null ? null : (
        <Message kind="error" role="alert">
          <Refusal refusal={refusal} timeZone={timeZone} />
        </Message>
      )}
      <form className="form form-wide" method="post" action="/owner/entries/new">
        <Group legend="The person">
          <Field {...typed("email")} label="Email address" {...addressField} required />
          {questions.map((question) => (
            <Answer key={question.key} question={question} typed={typed(answerField(question))} />
          ))}
          <Field
            {...typed("source")}
            label="Source (optional)"
            hint="How they found you, such as autumn_fair. The overview and the filters use it."
            suggestions={sources}
            maxLength={64}
            autoCapitalize="none"
            spellCheck={false}
          />
        </Group>
        <Group
          legend="Their consent"
          hint="You must be able to prove that this person agreed. The record is stored with the entry, and the person can see it."
        >
          <ConsentFields
            date={values["consent-date"] ?? ""}
            note={values["note"] ?? ""}
            problems={{ date: problems["consent-date"], note: problems["note"] }}
          />
        </Group>
        <Group
          legend={mustConfirm ? "Confirmation email" : "Welcome email"}
          hint={
            mustConfirm
              ? `Without it, the person is not asked to confirm their address, because you record how they agreed. With it, they get no other email until they have confirmed, and the entry is erased after ${CONFIRM_DAYS} days if they do not.`
              : "It says that they gave you their address outside the site, and how to unsubscribe."
          }
        >
          <Choice name="send" options={{ yes: "Send it now", no: "Don’t send it" }} value={values["send"] || "yes"} />
          {hasSender ? null : (
            <>
              <p className="hint">This site has no sender yet: the email waits until it has one.</p>
              <Advanced>set MAIL_FROM (docs/email.md).</Advanced>
            </>
          )}
        </Group>
        <Button label="Add this person" />
      </form>
    </Page>
  );
}

function Answer({
  question,
  typed,
}: {
  question: Question;
  typed: { name: string; value: string; problem: string | undefined };
}) {
  const { label, answers } = question;
  if (answers === undefined) return <Field {...typed} label={`${label} (optional)`} maxLength={MAX_ANSWER_LENGTH} />;
  return <Field {...typed} label={`${label} (optional)`} options={{ "": "No answer", ...answers }} />;
}

function Refusal({
  refusal,
  timeZone,
}: Pick<NewEntryProps, "timeZone"> & { refusal: NonNullable<NewEntryProps["refusal"]> }) {
  switch (refusal.kind) {
    case "listed":
      return <p>This person is on the waitlist already. Nothing was changed. {entryLink(refusal.id)}</p>;
    case "unsubscribed":
      return (
        <p>
          This person has unsubscribed, and only they can rejoin, with the link in one of our emails or by entering
          their address on the site. Nothing was changed. {entryLink(refusal.id)}
        </p>
      );
    case "suppressed": {
      const { reason, until } = refusal.suppression;
      const end = until === null ? "" : ` until ${formatTime(until, timeZone)}`;
      return (
        <p>{`This address gets no email${end}: ${reasonText(suppressionReasons[reason])}. The person was not added.`}</p>
      );
    }
    case "erased":
      return (
        <p>
          The person with this address had left the waitlist or erased their entry themselves, so only they can join
          again, by entering their address on the site. They were not added.
        </p>
      );
  }
}

function entryLink(id: number) {
  return <a href={`/owner/entries/${id}`}>See the entry</a>;
}
