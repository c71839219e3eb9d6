import { Field } from "#app/owner/ui/field.server.tsx";
import { MAX_CONSENT_NOTE_LENGTH } from "#app/waitlist/entries/consent-note.ts";

interface ConsentFieldsProps {
  /** `YYYY-MM-DD`. */
  date: string;
  note: string;
  problems: { date?: string | undefined; note?: string | undefined };
  /** What the note is stored with. */
  noteHint?: string;
  /** Whether a summary above the form has the problems too. */
  isInSummary?: boolean;
}

/** When and how people gave consent outside the site: the owner's proof of it. */
export function ConsentFields({ date, note, problems, noteHint = "", isInSummary = false }: ConsentFieldsProps) {
  return (
    <>
      <Field
        name="consent-date"
        label="Date of consent"
        type="date"
        value={date}
        problem={problems.date}
        isInSummary={isInSummary}
      />
      <Field
        name="note"
        label="How they agreed"
        hint={`For example: Ticked the box on the paper list at the autumn fair. ${noteHint}`.trim()}
        required
        maxLength={MAX_CONSENT_NOTE_LENGTH}
        value={note}
        problem={problems.note}
        isInSummary={isInSummary}
      />
    </>
  );
}
