import type { LetterProblems } from "#app/email/letters/check-letter.server.ts";
import { MAX_DAYS } from "#app/email/series/step-days.ts";
import type { SavedView } from "#app/owner/entries/views/saved-view.ts";
import { LetterFields } from "#app/owner/letters/letter-fields.server.tsx";
import { audienceOptions, usableViews } from "#app/owner/series/audience-choice.ts";
import type { GivenStep, StepProblems } from "#app/owner/series/read-step.ts";
import { Actions, Button } from "#app/owner/ui/actions.server.tsx";
import { Field } from "#app/owner/ui/field.server.tsx";
import type { Step } from "#app/server/db/schema/series.server.ts";

export interface StepFormProps {
  /** Null for one that is not saved yet. */
  step: Step | null;
  given: GivenStep;
  problems: StepProblems;
  letterProblems: LetterProblems | null;
  views: SavedView[];
  /** Where replies go by default. */
  contactEmail: string;
}

/** When a step is sent, to whom, and its text. */
export function StepForm({ step, given, problems, letterProblems, views, contactEmail }: StepFormProps) {
  return (
    <form
      className="form narrow letter-form"
      method="post"
      action={step === null ? "/owner/series" : `/owner/series/${step.id}`}
    >
      <Field
        name="days"
        label="Days after joining"
        hint={`From 1 to ${MAX_DAYS}.`}
        inputMode="numeric"
        maxLength={3}
        value={given.days}
        problem={problems.days}
      />
      <Field
        name="audience"
        label="Audience"
        hint={audienceHint(views)}
        options={audienceOptions(views, step?.audience ?? null)}
        value={given.audience}
        problem={problems.audience}
      />
      <LetterFields content={given.content} problems={letterProblems} contactEmail={contactEmail} label="Text" />
      <p className="hint">
        Every follow-up ends with why people get it, a link to unsubscribe, and your postal address.
        {step === null || step.letter_id === null
          ? ""
          : " This one is on: people who have not been sent it yet get the new text."}
      </p>
      <Actions>
        <Button label="Save" value="save" />
        <Button label="Save and preview" kind="quiet" value="preview" />
      </Actions>
    </form>
  );
}

function audienceHint(views: SavedView[]): string {
  if (views.length === 0) return "To send it to some people only, save a view of the list of entries first.";
  const others = usableViews(views).length < views.length ? " Views that do not work for emails are left out." : "";
  return `It uses the view as it is now, even if you change or delete the view later.${others}`;
}
