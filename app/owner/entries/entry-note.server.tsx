import { MAX_NOTE_LENGTH } from "#app/waitlist/note.ts";

/** A note that was not saved. */
export interface RejectedNote {
  text: string;
  problem: string;
}

/** The owner's note on an entry. It is personal data, so its person can read it. */
export function EntryNote({ note, rejected }: { note: string | null; rejected: RejectedNote | undefined }) {
  return (
    <section aria-labelledby="note-heading">
      <h2 id="note-heading">Note</h2>
      <form className="owner-form entry-note" method="post">
        <label htmlFor="note">Your note on this person</label>
        {rejected === undefined ? null : (
          <p className="owner-problems" id="note-problem" role="alert">
            {rejected.problem}
          </p>
        )}
        <textarea
          id="note"
          name="note"
          rows={3}
          maxLength={MAX_NOTE_LENGTH}
          defaultValue={rejected?.text ?? note ?? ""}
          aria-describedby={rejected === undefined ? "note-hint" : "note-problem note-hint"}
          aria-invalid={rejected === undefined ? undefined : true}
        />
        <p id="note-hint">
          {`Up to ${MAX_NOTE_LENGTH.toLocaleString("en-GB")} characters. It is part of this person’s data: they can read it on their data page and in their download.`}
        </p>
        <button className="button button-quiet" name="intent" value="note" type="submit">
          Save note
        </button>
      </form>
    </section>
  );
}
