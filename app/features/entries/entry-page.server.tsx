import type { ReactNode } from "react";
import { describePause } from "#app/email/pauses.server.ts";
import { findBulkAction } from "#app/features/entries/bulk/bulk-actions.server.ts";
import { changeEntryAsOwner, type OwnerChange, ownerIntents } from "#app/features/entries/change-entry.server.ts";
import { EntryEmails } from "#app/features/entries/entry-emails.server.tsx";
import { firstPage, type ListState, readListState, withListState } from "#app/features/entries/list-state.ts";
import { Button, ButtonForm, Confirm } from "#app/owner/ui/actions.server.tsx";
import { Facts } from "#app/owner/ui/data.server.tsx";
import { badRequest } from "#app/owner/ui/error-pages.server.tsx";
import { Field } from "#app/owner/ui/field.server.tsx";
import { formatTime } from "#app/owner/ui/labels.ts";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { Outcome, Page, Section } from "#app/owner/ui/page.server.tsx";
import { clearSearch } from "#app/owner/ui/search-cookie.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import type { Suppression } from "#app/server/db/suppressions.server.ts";
import { confirmationOf } from "#app/waitlist/confirmation/confirmation.ts";
import { type Entry, noteOnEntry } from "#app/waitlist/entries/entries.server.ts";
import type { ListedEntry } from "#app/waitlist/entries/entries-page.server.ts";
import { MAX_NOTE_LENGTH, parseNote } from "#app/waitlist/entries/note.ts";
import {
  type EntryLetter,
  entryWithEmails,
  findSuppression,
  type OutboxEmail,
} from "#app/waitlist/filter/list-entries.server.ts";
import { columnText, entryColumns } from "#app/waitlist/sign-up/entry-fields.server.ts";

export async function showEntry(c: OwnerContext, rejected?: RejectedNote) {
  const { db, timeZone, now } = c.var.app;
  const [found, pause] = await Promise.all([entryWithEmails(db, entryId(c)), describePause(db, now(), timeZone)]);
  if (found === null) return c.notFound();
  const [suppression, ...parts] = await Promise.all([
    findSuppression(c.var.app, found.entry.email),
    ...c.var.sections.map(({ entryPart }) => entryPart?.(c, found.entry.id)),
  ]);
  const entry = await withKnownAction(db, found.entry);
  const listHref = withListState("/owner/entries", listState(c));
  if (rejected !== undefined) c.status(422);
  return c.render(entryView({ ...found, entry, suppression, parts, timeZone, pause, listHref, rejected }));
}

/** An entry without the number of a bulk action that is so old that it was deleted. */
async function withKnownAction(db: Db, entry: Entry): Promise<Entry> {
  const { bulk_action_id: id } = entry;
  return id === null || (await findBulkAction(db, id)) !== null ? entry : { ...entry, bulk_action_id: null };
}

/** Redirects afterwards, so that reloading does not repeat the change. */
export async function changeEntry(c: OwnerContext) {
  const value = c.var.form.get("intent");
  if (value === "note") return saveNote(c);
  const intent = ownerIntents.find((known) => known === value);
  if (intent === undefined) return badRequest(c);
  const change = await changeEntryAsOwner(c.var.app, entryId(c), intent, c.var.record);
  if (intent !== "erase") return redirectWith(c, `/owner/entries/${entryId(c)}`, listState(c), change);
  // The search cookie may hold the erased address.
  clearSearch(c);
  return redirectWith(c, "/owner/entries", { ...firstPage(listState(c)), searchKey: undefined }, change);
}

async function saveNote(c: OwnerContext) {
  const { note, problem } = parseNote(c.var.form.get("note"));
  if (problem !== undefined) return showEntry(c, { text: note ?? "", problem });
  const isChanged = await noteOnEntry(c.var.app.db, entryId(c), note);
  if (isChanged) await c.var.record("note", { entryId: entryId(c) });
  return redirectWith(c, `/owner/entries/${entryId(c)}`, listState(c), isChanged ? "noted" : "unchanged");
}

function redirectWith(c: OwnerContext, path: string, state: ListState, done: OwnerChange | "noted") {
  const href = withListState(path, state);
  return c.redirect(`${href}${href.includes("?") ? "&" : "?"}done=${done}`, 303);
}

function listState(c: OwnerContext): ListState {
  return readListState(new URL(c.req.url).searchParams).state;
}

function entryId(c: OwnerContext): number {
  return Number(c.req.param("id"));
}

interface RejectedNote {
  text: string;
  problem: string;
}

interface EntryProps {
  entry: Entry;
  emails: OutboxEmail[];
  letters: EntryLetter[];
  suppression: Suppression | null;
  /** What features show of it. */
  parts: readonly ReactNode[];
  timeZone: string;
  pause: string | null;
  listHref: string;
  rejected?: RejectedNote | undefined;
}

export function entryView({ entry, parts, listHref, rejected, ...props }: EntryProps) {
  return (
    <Page
      title={`Entry ${entry.id}`}
      section="entries"
      heading={<span className="entry-address">{entry.email}</span>}
      back={{ href: listHref, name: "Back to the list" }}
    >
      <Outcome />
      <div className="columns entry-columns">
        <div>
          <Facts facts={detailsOf({ ...entry, isSuppressed: props.suppression !== null }, props.timeZone)} />
          <EntryEmails {...props} entry={entry} />
          {parts}
          <EntryNote note={entry.owner_note} rejected={rejected} />
        </div>
        <EntryActions entry={entry} />
      </div>
    </Page>
  );
}

/** Every column with a value, except the address, which is the page's heading, and the note, which has a form. */
function detailsOf(entry: ListedEntry, timeZone: string): [string, string | null][] {
  return entryColumns
    .filter(({ name }) => name !== "email" && name !== "owner_note")
    .map((column) => [column.label, columnText(column, entry, (time) => formatTime(time, timeZone))]);
}

/** The owner's note on an entry. It is personal data, so its person can read it. */
function EntryNote({ note, rejected }: { note: string | null; rejected: RejectedNote | undefined }) {
  return (
    <Section id="note-heading" title="Note">
      <form className="form form-wide" method="post">
        <Field
          name="note"
          label="Your note on this person"
          hint={`Up to ${MAX_NOTE_LENGTH.toLocaleString("en-GB")} characters. It is part of this person’s data: they can read it on their data page and in their download.`}
          rows={3}
          maxLength={MAX_NOTE_LENGTH}
          value={rejected?.text ?? note ?? ""}
          problem={rejected?.problem}
        />
        <Button label="Save note" kind="quiet" value="note" />
      </form>
    </Section>
  );
}

function Unsubscribed({ bulkActionId }: { bulkActionId: number | null }) {
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

/** The forms post to the URL of the page, which holds the list's filters. */
function EntryActions({ entry }: Pick<EntryProps, "entry">) {
  return (
    <Section id="actions" title="Actions" className="entry-actions panel">
      {entry.status !== "active" ? (
        <Unsubscribed bulkActionId={entry.bulk_action_id} />
      ) : (
        <>
          {confirmationOf(entry) === "unconfirmed" ? (
            <p>This address is not confirmed yet, so it gets no welcome email.</p>
          ) : (
            <ButtonForm label="Resend the welcome email" value="resend" />
          )}
          <Confirm
            label="Unsubscribe this person"
            question="Unsubscribe"
            kind="quiet"
            value="unsubscribe"
            text="This stops all email to this person. Only they can rejoin, so you cannot undo it."
          />
        </>
      )}
      <Confirm
        label="Erase permanently"
        question="Erase"
        value="erase"
        text="This permanently removes the entry and its emails. All that remains is an anonymous total, and the entry’s number in the log. The database keeps its own history for 30 days."
      />
    </Section>
  );
}
