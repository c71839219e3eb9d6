import { Button } from "#app/owner/ui/actions.server.tsx";
import { Field } from "#app/owner/ui/field.server.tsx";
import { Section } from "#app/owner/ui/page.server.tsx";
import { MAX_NOTE_LENGTH } from "#app/waitlist/note.ts";

/** A note that was not saved. */
export interface RejectedNote {
  text: string;
  problem: string;
}

/** The owner's note on an entry. It is personal data, so its person can read it. */
export function EntryNote({ note, rejected }: { note: string | null; rejected: RejectedNote | undefined }) {
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
