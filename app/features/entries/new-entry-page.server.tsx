import { sendEmail } from "#app/email/sender.server.ts";
import { AnswerFields, readAnswers } from "#app/features/entries/answer-fields.server.tsx";
import { Button } from "#app/owner/ui/actions.server.tsx";
import { ConsentFields } from "#app/owner/ui/consent-fields.server.tsx";
import { addressField, ChoiceField, Field, FieldGroup } from "#app/owner/ui/field.server.tsx";
import { formatTime } from "#app/owner/ui/labels.ts";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { Advanced, Message, Page } from "#app/owner/ui/page.server.tsx";
import { emailReasonText } from "#app/server/db/email-reasons.ts";
import { suppressionReasons } from "#app/server/db/suppressions.server.ts";
import { normaliseEmail } from "#app/server/email-address.ts";
import { fieldText } from "#app/server/http/read-form.server.ts";
import { logInfo } from "#app/server/log.ts";
import { startOfDate } from "#app/server/time/time-zone-days.ts";
import type { EpochMillis } from "#app/server/time/units.ts";
import { CONFIRM_DAYS } from "#app/waitlist/confirmation/confirmation.ts";
import { type AddedByHand, addByHand, type KnownPerson } from "#app/waitlist/entries/add-by-hand.server.ts";
import { cleanConsentNote, consentNoteProblem } from "#app/waitlist/entries/consent-note.ts";
import { OWNER_SOURCE, sourceNames, toSource } from "#app/waitlist/entries/sources.ts";
import { readNames } from "#app/waitlist/entries/used-names.server.ts";
import { answerField, withAnswers } from "#app/waitlist/questions/answers.ts";
import { askedQuestions } from "#app/waitlist/questions/questions.server.ts";

export function showNewEntry(c: OwnerContext) {
  return respond(c, { values: {}, problems: {} }, null);
}

/** Adds a person, and sends their email if the owner asked for it; if that fails, the cron job tries again. */
export async function addNewEntry(c: OwnerContext) {
  const { app, form } = c.var;
  const { person, ...typed } = readNewEntry(form, app.timeZone, app.now());
  if (person === null) {
    c.status(422);
    return respond(c, typed, null);
  }
  const added = await addByHand(app, person);
  if (added.kind !== "added") {
    c.status(409);
    return respond(c, typed, added);
  }
  const { id } = added;
  await c.var.record("add-entry", { entryId: id });
  logInfo("entry-added-by-owner", { entryId: id });
  const sent = person.sendsEmail ? await sendEmail(app, { email: person.email }) : null;
  const done = sent === null ? "added-quietly" : sent === "done" ? "added" : "added-unsent";
  return c.redirect(`/owner/entries/${id}?done=${done}`, 303);
}

type Refused = Exclude<AddedByHand, { kind: "added" }>;

async function respond(c: OwnerContext, { values, problems }: TypedEntry, refusal: Refused | null) {
  const { db, mustConfirm, mailer, timeZone } = c.var.app;
  const { source } = await readNames(db, ["source"]);
  const typed = (name: string) => ({ name, value: values[name] ?? "", problem: problems[name] });
  return c.render(
    <Page title="Add a person" section="entries" back={{ href: "/owner/entries", name: "Back to the list" }}>
      <p className="lead">For someone who asked you outside the site, such as at a fair or on the phone.</p>
      {refusal === null ? null : (
        <Message kind="error" role="alert">
          <Refusal refusal={refusal} timeZone={timeZone} />
        </Message>
      )}
      <form className="form form-wide" method="post" action="/owner/entries/new">
        <FieldGroup legend="The person">
          <Field {...typed("email")} label="Email address" {...addressField} required />
          <AnswerFields values={values} problems={problems} />
          <Field
            {...typed("source")}
            label="Source (optional)"
            hint="How they found you, such as autumn_fair. The overview and the filters use it."
            suggestions={source.filter((name) => !Object.hasOwn(sourceNames, name))}
            maxLength={64}
            autoCapitalize="none"
            spellCheck={false}
          />
        </FieldGroup>
        <FieldGroup
          legend="Their consent"
          hint="You must be able to prove that this person agreed. The record is stored with the entry, and the person can see it."
        >
          <ConsentFields
            date={values["consent-date"] ?? ""}
            note={values["note"] ?? ""}
            problems={{ date: problems["consent-date"], note: problems["note"] }}
          />
        </FieldGroup>
        <FieldGroup
          legend={mustConfirm ? "Confirmation email" : "Welcome email"}
          hint={
            mustConfirm
              ? `Without it, the person is not asked to confirm their address, because you record how they agreed. With it, they get no other email until they have confirmed, and the entry is erased after ${CONFIRM_DAYS} days if they do not.`
              : "It says that they gave you their address outside the site, and how to unsubscribe."
          }
        >
          <ChoiceField
            name="send"
            options={{ yes: "Send it now", no: "Don’t send it" }}
            value={values["send"] || "yes"}
          />
          {mailer === null ? (
            <>
              <p className="hint">This site has no sender yet: the email waits until it has one.</p>
              <Advanced>set MAIL_FROM (docs/email.md).</Advanced>
            </>
          ) : null}
        </FieldGroup>
        <Button label="Add this person" />
      </form>
    </Page>,
  );
}

/** The form of a new entry, as it was typed. Problems are sentences by field. */
interface TypedEntry {
  values: Record<string, string>;
  problems: Record<string, string>;
}

type ReadEntry = TypedEntry & { person: KnownPerson | null };

function readNewEntry(form: FormData, timeZone: string, now: EpochMillis): ReadEntry {
  const names = ["email", "source", "consent-date", "note", "send", ...askedQuestions().map(answerField)];
  const values = Object.fromEntries(names.map((name) => [name, fieldText(form, name)]));
  const text = (name: string) => values[name] ?? "";
  const { answers: given, problems } = readAnswers(values);
  const answers = withAnswers({}, given);
  const email = normaliseEmail(text("email"));
  if (email === null) problems["email"] = "Enter an email address, such as name@example.com.";
  const at = startOfDate(text("consent-date"), timeZone);
  if (at === null) problems["consent-date"] = "Say on which day this person agreed.";
  else if (at > now) problems["consent-date"] = "The date of consent is in the future.";
  const note = cleanConsentNote(text("note"));
  const noteProblem = consentNoteProblem(note, "this person");
  if (noteProblem !== null) problems["note"] = noteProblem;
  if (email === null || at === null || Object.keys(problems).length > 0) return { values, problems, person: null };
  const person = {
    email,
    source: toSource(text("source")) ?? OWNER_SOURCE,
    answers: Object.keys(answers).length === 0 ? null : answers,
    consent: { at, note },
    sendsEmail: text("send") === "yes",
  };
  return { values, problems, person };
}

function Refusal({ refusal, timeZone }: { refusal: Refused; timeZone: string }) {
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
        <p>{`This address gets no email${end}: ${emailReasonText(suppressionReasons[reason])}. The person was not added.`}</p>
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
