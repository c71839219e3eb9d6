import { sendEmail } from "#app/email/sender.server.ts";
import { AnswerFields, readAnswers } from "#app/features/entries/answer-fields.server.tsx";
import { type ListState, readListState, withListState } from "#app/features/entries/list-state.ts";
import { Button } from "#app/owner/ui/actions.server.tsx";
import { addressField, Field, FieldGroup } from "#app/owner/ui/field.server.tsx";
import { formatTime } from "#app/owner/ui/labels.ts";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { Advanced, Message, Page } from "#app/owner/ui/page.server.tsx";
import { ConflictView, VersionInputs } from "#app/owner/versions/version-views.server.tsx";
import { type Conflict, findConflict, shownVersion } from "#app/owner/versions/versions.server.ts";
import { emailReasonText } from "#app/server/db/email-reasons.ts";
import type { SavedFields } from "#app/server/db/schema/owner.server.ts";
import { suppressionReasons } from "#app/server/db/suppressions.server.ts";
import { normaliseEmail } from "#app/server/email-address.ts";
import { fieldText } from "#app/server/http/read-form.server.ts";
import { logInfo } from "#app/server/log.ts";
import { CONFIRM_DAYS } from "#app/waitlist/confirmation/confirmation.ts";
import { type AddressRefusal, asksToConfirm, correctEntry } from "#app/waitlist/entries/correct-entry.server.ts";
import { type Entry, findEntry } from "#app/waitlist/entries/entries.server.ts";
import { answerField } from "#app/waitlist/questions/answers.ts";
import { askedQuestions, presentAnswers } from "#app/waitlist/questions/questions.server.ts";

export async function showEdit(c: OwnerContext) {
  const entry = await findEntry(c.var.app.db, entryId(c));
  return entry === null ? c.notFound() : respond(c, entry, { values: Object.fromEntries(fieldsOf(entry)) });
}

/** Corrects an address and answers. Where the new address has to be confirmed, its email is sent at once, or by the cron job. */
export async function editEntry(c: OwnerContext): Promise<Response> {
  const { app, form } = c.var;
  const id = entryId(c);
  const entry = await findEntry(app.db, id);
  if (entry === null) return c.notFound();
  const stored = fieldsOf(entry);
  // An unsubscribed entry's form has no field for the address.
  const values = Object.fromEntries(
    stored.map(([name, value]) => [name, form.has(name) ? fieldText(form, name) : value]),
  );
  const { answers, problems } = readAnswers(values);
  const email = normaliseEmail(values["email"]);
  if (email === null) problems["email"] = "Enter an email address, such as name@example.com.";
  if (email === null || Object.keys(problems).length > 0) return respond(c, entry, { values, problems }, 422);
  const typed: SavedFields = Object.entries({ ...values, email });
  const conflict = await findConflict(c, { path: editPath(id), present: stored, typed });
  if (conflict !== null) return respond(c, entry, { values, conflict }, 409);
  const present = presentAnswers(entry.answers);
  const changed = Object.entries(answers).filter(([key, answer]) => answer !== (present[key] ?? null));
  const corrected = await correctEntry(app, entry, { email, answers: Object.fromEntries(changed) });
  switch (corrected.kind) {
    case "outdated":
      return editEntry(c);
    case "unchanged":
      return back(c, "unchanged");
    case "changed":
      break;
    default:
      return respond(c, entry, { values, refusal: corrected }, 409);
  }
  const { hasNewAddress, hasNewAnswers, confirmId } = corrected;
  if (hasNewAddress) await c.var.record("change-address", { entryId: id });
  if (hasNewAnswers) await c.var.record("change-entry", { entryId: id });
  logInfo("entry-corrected-by-owner", { entryId: id, address: hasNewAddress, answers: hasNewAnswers });
  if (!hasNewAddress) return back(c, "answers-changed");
  if (confirmId === null) return back(c, "address-changed");
  const isSent = (await sendEmail(app, { id: confirmId })) === "done";
  return back(c, isSent ? "address-to-confirm" : "address-to-confirm-unsent");
}

export const editOutcomes = {
  "answers-changed": "The answers are saved.",
  "address-changed":
    "The address is changed. No email was sent because of that; letters and other emails go to the new address from now on.",
  "address-to-confirm":
    "The address is changed. The email that asks to confirm it is sent now, or as soon as the send limit allows.",
  "address-to-confirm-unsent":
    "The address is changed. The email that asks to confirm it has not been sent yet: the reason is below. It will be retried, unless it has failed for good.",
};

interface Shown {
  /** By field. */
  values: Record<string, string>;
  problems?: Record<string, string>;
  refusal?: AddressRefusal;
  conflict?: Conflict;
}

async function respond(c: OwnerContext, entry: Entry, shown: Shown, status?: 409 | 422) {
  const { values, problems = {}, refusal, conflict } = shown;
  const { mailer, mustConfirm, timeZone } = c.var.app;
  const version = await shownVersion(c, fieldsOf(entry), conflict);
  if (status !== undefined) c.status(status);
  return c.render(
    <Page
      title={`Change entry ${entry.id}`}
      section="entries"
      heading="Change the details"
      back={{ href: withListState(`/owner/entries/${entry.id}`, listState(c)), name: "Back to the entry" }}
    >
      {refusal === undefined ? null : (
        <Message kind="error" role="alert">
          <Refusal refusal={refusal} timeZone={timeZone} />
        </Message>
      )}
      {conflict === undefined ? null : <ConflictView {...conflict} timeZone={timeZone} hasVersions={false} />}
      <form className="form form-wide" method="post">
        <VersionInputs {...version} />
        <FieldGroup legend="Address">
          {entry.status === "active" ? (
            <>
              <Field
                name="email"
                label="Email address"
                hint={addressHint(entry, mustConfirm)}
                value={values["email"]}
                problem={problems["email"]}
                {...addressField}
                required
              />
              {mailer === null && asksToConfirm(entry, mustConfirm) ? (
                <Advanced>
                  this site has no sender yet, so the email waits until MAIL_FROM is set (docs/email.md).
                </Advanced>
              ) : null}
            </>
          ) : (
            <p>{`${entry.email} has unsubscribed, so the address stays as it is. If the person wants to rejoin with another one, they can enter it on the site.`}</p>
          )}
        </FieldGroup>
        {askedQuestions().length === 0 ? null : (
          <FieldGroup legend="Answers">
            <AnswerFields values={values} problems={problems} />
          </FieldGroup>
        )}
        <Button label="Save" />
      </form>
    </Page>,
  );
}

/** What comes with a new address, before the owner decides. */
function addressHint(entry: Entry, mustConfirm: boolean): string {
  const stays =
    "Consent, note, friends and letters stay. The old address gets no more email, and the links it was sent can only unsubscribe.";
  if (!asksToConfirm(entry, mustConfirm)) return `${stays} The change sends no email.`;
  return `${stays} An email asks to confirm the new address. Until then the entry is unconfirmed, and it is erased after ${CONFIRM_DAYS} days if no one confirms.`;
}

function Refusal({ refusal, timeZone }: { refusal: AddressRefusal; timeZone: string }) {
  switch (refusal.kind) {
    case "taken":
      return (
        <p>
          {refusal.status === "active"
            ? "Another entry has this address, so the person is on the waitlist with it already."
            : "Another entry has this address, and its person has unsubscribed; only they can rejoin."}{" "}
          Nothing was changed. <a href={`/owner/entries/${refusal.id}`}>See that entry</a>
        </p>
      );
    case "suppressed": {
      const { reason, until } = refusal.suppression;
      const end = until === null ? "" : ` until ${formatTime(until, timeZone)}`;
      return (
        <p>{`The new address gets no email${end}: ${emailReasonText(suppressionReasons[reason])}. Nothing was changed.`}</p>
      );
    }
    case "erased":
      return (
        <p>
          The person with the new address had left the waitlist or erased their entry themselves, so only they can join
          with it again, by entering it on the site. Nothing was changed.
        </p>
      );
    case "unsubscribed":
      return <p>This person has unsubscribed, so the address stays as it is. Nothing was changed.</p>;
    case "wants-none":
      return (
        <p>
          This person reported an email as spam or asked for no email ever again. That is about them, not about the
          address, so it stays. Nothing was changed.
        </p>
      );
  }
}

/** What the form replaces. */
function fieldsOf({ email, answers }: Entry): SavedFields {
  const present = presentAnswers(answers);
  return [
    ["email", email],
    ...askedQuestions().map((one): SavedFields[number] => [answerField(one), present[one.key] ?? ""]),
  ];
}

function back(c: OwnerContext, done: string) {
  return c.redirect(withListState(`/owner/entries/${entryId(c)}`, listState(c), done), 303);
}

function editPath(id: number): string {
  return `/owner/entries/${id}/edit`;
}

function listState(c: OwnerContext): ListState {
  return readListState(new URL(c.req.url).searchParams).state;
}

function entryId(c: OwnerContext): number {
  return Number(c.req.param("id"));
}
