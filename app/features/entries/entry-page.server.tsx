import { sql } from "drizzle-orm";
import { describePause } from "#app/email/pauses.server.ts";
import { repeatEmail, requeueWelcome } from "#app/email/requeue.server.ts";
import { sendEmail } from "#app/email/sender.server.ts";
import { findBulkAction } from "#app/features/entries/bulk/bulk-actions.server.ts";
import { EntryEmails } from "#app/features/entries/entry-emails.server.tsx";
import {
  backToList,
  firstPage,
  type ListState,
  readListState,
  withListState,
} from "#app/features/entries/list-state.ts";
import { sendRepeated } from "#app/features/entries/send-repeated.server.ts";
import { undoableUntil, undoUnsubscribing } from "#app/features/entries/undo-unsubscribing.server.ts";
import { Button, ButtonForm, ButtonLink, Confirm } from "#app/owner/ui/actions.server.tsx";
import { Facts } from "#app/owner/ui/data.server.tsx";
import { Field } from "#app/owner/ui/field.server.tsx";
import { runIntent } from "#app/owner/ui/intent.server.ts";
import { formatTime } from "#app/owner/ui/labels.ts";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { Outcome, Page, Section } from "#app/owner/ui/page.server.tsx";
import { clearSearch } from "#app/owner/ui/search-cookie.server.ts";
import { ConflictView, VersionInputs, VersionsLink } from "#app/owner/versions/version-views.server.tsx";
import {
  type Conflict,
  type FormVersion,
  findConflict,
  keepVersions,
  shownVersion,
} from "#app/owner/versions/versions.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { emailReasonText } from "#app/server/db/email-reasons.ts";
import { recordEntryChange } from "#app/server/db/record-entry-change.server.ts";
import type { SuppressionReason } from "#app/server/db/schema/email.server.ts";
import type { SavedFields } from "#app/server/db/schema/owner.server.ts";
import { type Suppression, suppressionReasons, unsuppress } from "#app/server/db/suppressions.server.ts";
import { keyedHash } from "#app/server/hashes/address-hash.server.ts";
import { fieldText } from "#app/server/http/read-form.server.ts";
import { logInfo } from "#app/server/log.ts";
import type { EpochMillis } from "#app/server/time/units.ts";
import { confirmationOf } from "#app/waitlist/confirmation/confirmation.ts";
import { type Entry, findEntry, noteOnEntry, unsubscribeEntry } from "#app/waitlist/entries/entries.server.ts";
import type { ListedEntry } from "#app/waitlist/entries/entries-page.server.ts";
import { columnText, entryColumns } from "#app/waitlist/entries/entry-columns.server.ts";
import { eraseEntry } from "#app/waitlist/entries/erase-entries.server.ts";
import { MAX_NOTE_LENGTH, parseNote } from "#app/waitlist/entries/note.ts";
import { entryWithEmails, findSuppression } from "#app/waitlist/filter/list-entries.server.ts";
import { askedQuestions } from "#app/waitlist/questions/questions.server.ts";

export async function showEntry(c: OwnerContext, rejected?: RejectedNote) {
  const { db, timeZone, now } = c.var.app;
  const [found, pause] = await Promise.all([entryWithEmails(db, entryId(c)), describePause(db, now(), timeZone)]);
  if (found === null) return c.notFound();
  // The others are what features show of it.
  const [suppression, undoable, ...parts] = await Promise.all([
    findSuppression(c.var.app, found.entry.email),
    undoableUntil(db, found.entry, now()),
    ...c.var.sections.map(({ entryPart }) => entryPart?.(c, found.entry.id)),
  ]);
  const entry = await withKnownAction(db, found.entry);
  const noteVersion = await shownVersion(c, noteFields(entry.owner_note), rejected?.conflict);
  if (rejected !== undefined) c.status(rejected.conflict === undefined ? 422 : 409);
  return c.render(
    <Page
      title={`Entry ${entry.id}`}
      section="entries"
      heading={<span className="entry-address">{entry.email}</span>}
      back={backToList(listState(c))}
    >
      <Outcome />
      <div className="columns entry-columns">
        <div>
          <Facts facts={detailsOf({ ...entry, isSuppressed: suppression !== null }, timeZone)} />
          <EntryEmails {...found} entry={entry} suppression={suppression} timeZone={timeZone} pause={pause} />
          {parts}
          <EntryNote entry={entry} version={noteVersion} rejected={rejected} timeZone={timeZone} />
        </div>
        <EntryActions
          entry={entry}
          suppression={suppression}
          undoableUntil={undoable}
          editHref={withListState(`${entryPath(entry.id)}/edit`, listState(c))}
          timeZone={timeZone}
        />
      </div>
    </Page>,
  );
}

/** An entry without the number of a bulk action that is so old that it was deleted. */
async function withKnownAction(db: Db, entry: Entry): Promise<Entry> {
  const { bulk_action_id: id } = entry;
  return id === null || (await findBulkAction(db, id)) !== null ? entry : { ...entry, bulk_action_id: null };
}

/** Actions on an entry besides those of its note and email. Idempotent, except that each `resend` sends another email. */
export const ownerIntents = { resend, unsubscribe, erase };

export function changeEntry(c: OwnerContext) {
  return runIntent(c, { save: saveNote, "resend-confirmation": resendConfirmation, undo, allow, ...ownerIntents });
}

/** Requeues the welcome email and sends it immediately; if that fails, the cron job tries again. */
async function resend(c: OwnerContext) {
  const { app } = c.var;
  const entry = await findEntry(app.db, entryId(c));
  if (entry === null) return done(c, "resend", "unchanged");
  const requeued = await requeueWelcome(app.db, entry.id, app.now());
  if (requeued !== "queued") return done(c, "resend", requeued === "limit" ? "resend-limit" : "unchanged");
  const isSent = (await sendEmail(app, { email: entry.email })) === "done";
  return done(c, "resend", isSent ? "resent" : "resend-failed", "resend-welcome");
}

/** Asks an unconfirmed person once more to confirm their address. */
async function resendConfirmation(c: OwnerContext) {
  const { app } = c.var;
  const repeated = await repeatEmail(app.db, entryId(c), { kind: "confirm" }, app.now());
  const action = repeated.kind === "queued" ? "resend-confirmation" : undefined;
  return done(c, "resend-confirmation", await sendRepeated(app, repeated), action);
}

async function unsubscribe(c: OwnerContext) {
  const { db, now } = c.var.app;
  const isUnsubscribed = await unsubscribeEntry(db, entryId(c), now(), "owner");
  return isUnsubscribed ? done(c, "unsubscribe", "unsubscribed", "unsubscribe") : done(c, "unsubscribe", "unchanged");
}

/** Puts back a person whom an owner unsubscribed. */
async function undo(c: OwnerContext) {
  const { db, now } = c.var.app;
  const entry = await findEntry(db, entryId(c));
  const isUndone = entry !== null && (await undoUnsubscribing(db, entry, now()));
  return isUndone ? done(c, "undo", "unsubscribing-undone", "undo-unsubscribe") : done(c, "undo", "unchanged");
}

/** Lifts the suppression that the page has shown, for a reason that the log keeps. */
async function allow(c: OwnerContext) {
  const { app, form } = c.var;
  const { db, hashKey } = app;
  const entry = await findEntry(db, entryId(c));
  const shown = fieldText(form, "suppression") as SuppressionReason;
  const why = fieldText(form, "why") as LiftReason;
  const isFit = Object.hasOwn(liftReasonsOf, shown) && liftReasonsOf[shown].includes(why);
  if (entry === null || !isFit) return done(c, "allow", "allow-refused");
  const reason = await unsuppress(db, await keyedHash("address:v1", entry.email, hashKey), shown);
  if (reason === null) return done(c, "allow", "unchanged");
  await recordEntryChange(db, sql`id = ${entry.id}`);
  return done(c, "allow", "allowed", "unsuppress", { reason, why });
}

/** Why it is safe to send email to a suppressed address again. The log keeps the key. */
const liftReasons = {
  asked: "The person asked me for our emails again",
  repaired: "The mailbox works again",
  mistake: "It was a mistake, as the person told me",
};

type LiftReason = keyof typeof liftReasons;

const liftReasonsOf: Record<SuppressionReason, LiftReason[]> = {
  "hard-bounce": ["repaired", "asked"],
  "soft-bounces": ["repaired", "asked"],
  complaint: ["asked", "mistake"],
  never: ["asked"],
  blocked: ["asked", "mistake"],
};

async function erase(c: OwnerContext) {
  const { db, now } = c.var.app;
  const isErased = await eraseEntry(db, entryId(c), now());
  // The search cookie may hold the erased address.
  clearSearch(c);
  return isErased ? done(c, "erase", "erased", "erase") : done(c, "erase", "unchanged");
}

/** Redirects, so that reloading does not repeat the change. Without an action for the owners' log nothing was changed. */
async function done(
  c: OwnerContext,
  intent: keyof typeof ownerIntents | "resend-confirmation" | "undo" | "allow",
  change: string,
  action?: string,
  details: Record<string, string> = {},
) {
  const id = entryId(c);
  if (action !== undefined) await c.var.record(action, { entryId: id, ...details });
  logInfo("entry-changed-by-owner", { entryId: id, intent, change });
  if (intent !== "erase") return c.redirect(withListState(`/owner/entries/${id}`, listState(c), change), 303);
  const list = { ...firstPage(listState(c)), searchKey: undefined };
  return c.redirect(withListState("/owner/entries", list, change), 303);
}

async function saveNote(c: OwnerContext): Promise<Response> {
  const id = entryId(c);
  const { db, now } = c.var.app;
  const { note, problem } = parseNote(c.var.form.get("note"));
  if (problem !== undefined) return showEntry(c, { text: note ?? "", problem });
  const entry = await findEntry(db, id);
  const present = entry?.owner_note ?? null;
  const text = { path: entryPath(id), present: noteFields(present), typed: noteFields(note) };
  const conflict = await findConflict(c, text);
  if (conflict !== null) return showEntry(c, { text: note ?? "", conflict });
  const isUnchanged = sql`EXISTS (SELECT 1 FROM waitlist_emails WHERE id = ${id} AND owner_note IS ${present} AND ${present} IS NOT ${note})`;
  const before = keepVersions(c, { ...text, isUnchanged, entryId: id });
  const isChanged = await noteOnEntry(db, id, note, now(), { present, before });
  // Another form was saved at the same moment.
  if (!isChanged && entry !== null && note !== present) return saveNote(c);
  if (isChanged) await c.var.record("note", { entryId: id });
  const outcome = isChanged ? "noted" : "unchanged";
  return c.redirect(withListState(entryPath(id), listState(c), outcome), 303);
}

function entryPath(id: number): string {
  return `/owner/entries/${id}`;
}

/** What the note's form replaces. */
function noteFields(note: string | null): SavedFields {
  return [["note", note ?? ""]];
}

function listState(c: OwnerContext): ListState {
  return readListState(new URL(c.req.url).searchParams).state;
}

function entryId(c: OwnerContext): number {
  return Number(c.req.param("id"));
}

interface RejectedNote {
  text: string;
  problem?: string;
  conflict?: Conflict;
}

/** Every column with a value, except the address, which is the page's heading, and the note, which has a form. */
function detailsOf(entry: ListedEntry, timeZone: string): [string, string | null][] {
  const { address_changed_at: changedAt } = entry;
  return [
    ...entryColumns()
      .filter(({ name }) => name !== "email" && name !== "owner_note")
      .map((column): [string, string | null] => [
        column.label,
        columnText(column, entry, (time) => formatTime(time, timeZone)),
      ]),
    ["Address changed", changedAt === null ? null : formatTime(changedAt, timeZone)],
  ];
}

interface NoteProps {
  entry: Entry;
  version: FormVersion;
  rejected: RejectedNote | undefined;
  timeZone: string;
}

/** The owner's note on an entry. It is personal data, so its person can read it. */
function EntryNote({ entry, version, rejected, timeZone }: NoteProps) {
  return (
    <Section id="note-heading" title="Note">
      {rejected?.conflict === undefined ? null : <ConflictView {...rejected.conflict} timeZone={timeZone} />}
      <form className="form form-wide" method="post">
        <VersionInputs {...version} />
        <Field
          name="note"
          label="Your note on this person"
          hint={`Up to ${MAX_NOTE_LENGTH.toLocaleString("en-GB")} characters. It is part of this person’s data: they can read it on their data page and in their download.`}
          rows={3}
          maxLength={MAX_NOTE_LENGTH}
          value={rejected?.text ?? entry.owner_note ?? ""}
          problem={rejected?.problem}
        />
        <Button label="Save note" kind="quiet" value="save" />
      </form>
      <VersionsLink path={entryPath(entry.id)} />
    </Section>
  );
}

interface ActionsProps {
  entry: Entry;
  suppression: Suppression | null;
  undoableUntil: EpochMillis | null;
  editHref: string;
  timeZone: string;
}

/** The forms post to the URL of the page, which holds the list's filters. */
function EntryActions({ entry, suppression, undoableUntil, editHref, timeZone }: ActionsProps) {
  return (
    <Section id="actions" title="Actions" className="entry-actions panel">
      {entry.status === "active" ? (
        <SendAgain entry={entry} isSuppressed={suppression !== null} />
      ) : (
        <Unsubscribed entry={entry} until={undoableUntil} timeZone={timeZone} />
      )}
      {suppression === null ? null : <AllowEmail {...suppression} status={entry.status} />}
      {entry.status === "active" || askedQuestions().length > 0 ? (
        <ButtonLink label="Change the details" kind="quiet" href={editHref} />
      ) : null}
      {entry.status === "active" ? (
        <Confirm
          label="Unsubscribe this person"
          question="Unsubscribe"
          kind="quiet"
          value="unsubscribe"
          text="This stops all email to this person. You can undo it for 30 days, unless they unsubscribe too."
        />
      ) : null}
      <Confirm
        label="Erase permanently"
        question="Erase"
        value="erase"
        text="This permanently removes the entry and its emails. All that remains is an anonymous total, and the entry’s number in the log and, for 30 days, for programs with a copy of the list. The database keeps its own history as long."
      />
    </Section>
  );
}

function SendAgain({ entry, isSuppressed }: { entry: Entry; isSuppressed: boolean }) {
  if (confirmationOf(entry) !== "unconfirmed") return <ButtonForm label="Resend the welcome email" value="resend" />;
  return (
    <>
      <p>This address is not confirmed yet, so it gets no welcome email.</p>
      {isSuppressed ? null : (
        <Confirm
          label="Send the confirmation email again"
          question="Ask again to confirm"
          kind="quiet"
          value="resend-confirmation"
          text="Sends the email with the link that confirms the address once more. Do so only if the person asked you: anyone can have entered the address."
        />
      )}
    </>
  );
}

function Unsubscribed({ entry, until, timeZone }: { entry: Entry; until: EpochMillis | null; timeZone: string }) {
  const { bulk_action_id: bulkActionId } = entry;
  if (until !== null) {
    return (
      <ButtonForm
        label="Undo unsubscribing"
        value="undo"
        text={`An owner unsubscribed this person, which can be undone until ${formatTime(until, timeZone)}. Undo it only if it was a mistake: if the person asked for it, let them rejoin through the link in an email.`}
      />
    );
  }
  if (bulkActionId === null) {
    return <p>This person has unsubscribed. Only they can rejoin, through the link in an email.</p>;
  }
  return (
    <p>
      An owner unsubscribed this person <a href={`/owner/bulk/${bulkActionId}`}>together with others</a>, which can be
      undone for 30 days. The person can rejoin at any time, through the link in an email.
    </p>
  );
}

function AllowEmail({ reason, status }: Suppression & Pick<Entry, "status">) {
  const reasons = liftReasonsOf[reason].map((why): [string, string] => [why, liftReasons[why]]);
  return (
    <details className="confirm confirm-quiet">
      <summary className="button button-quiet">Allow email again</summary>
      <form className="form" method="post">
        <input type="hidden" name="suppression" value={reason} />
        <p>{`${emailReasonText(suppressionReasons[reason])}. ${effects[reason]}`}</p>
        {status === "active" ? null : <p>The person stays unsubscribed.</p>}
        <Field
          name="why"
          label="Why is it safe?"
          hint="The log keeps your answer."
          options={[["", "Choose a reason"], ...reasons]}
        />
        <Button label="Allow email again" kind="quiet" value="allow" />
      </form>
    </details>
  );
}

/** What comes of emailing such an address in spite of its suppression. */
const effects: Record<SuppressionReason, string> = {
  "hard-bounce": "If it bounces again, it gets no email for another week.",
  "soft-bounces": "If it bounces again, it gets no email for another week.",
  complaint:
    "More reports of spam can make your provider stop all your email. It may block the address too: remove it there.",
  never: "Email them only if they have changed their mind.",
  blocked: "Your provider may block the address too: remove it there.",
};
