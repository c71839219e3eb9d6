import type { SavedView } from "#app/features/entries/views/saved-view.ts";
import { type LetterContent, type LetterProblems, toContent } from "#app/features/letters/send/check-letter.server.ts";
import { countStepCandidates } from "#app/features/letters/series/series-stats.server.ts";
import { MAX_DAYS, MAX_DAYS_LATE } from "#app/features/letters/series/step-days.ts";
import type { StepDraft } from "#app/features/letters/series/steps.server.ts";
import { leftOut } from "#app/features/letters/write/audience.ts";
import { EMPTY, LetterForm, readContent, toWords } from "#app/features/letters/write/letter-form.server.tsx";
import { Button } from "#app/owner/ui/actions.server.tsx";
import { Field } from "#app/owner/ui/field.server.tsx";
import { counted, formatTime } from "#app/owner/ui/labels.ts";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { Section } from "#app/owner/ui/page.server.tsx";
import type { Step } from "#app/server/db/schema/series.server.ts";
import { fieldText } from "#app/server/http/read-form.server.ts";
import { parseEntryFilter, writeEntryFilter } from "#app/waitlist/filter/entry-filter.ts";

/* The forms of a step: what is written, and the extension to people who joined before. */

/** The form of a step, as it was typed. */
interface GivenStep {
  content: LetterContent;
  days: string;
  /** Empty for everyone, {@link KEPT}, or the id of a view. */
  audience: string;
}

/** The choice that keeps a step's audience: a copy of a view, which may have changed or be gone. */
const KEPT = "kept";

export function toGiven(step: Step | null): GivenStep {
  if (step === null) return { content: EMPTY, days: "", audience: "" };
  return { content: toContent(step), days: `${step.days}`, audience: step.audience === null ? "" : KEPT };
}

interface StepProblems {
  days?: string;
  audience?: string;
}

/** What a form says; without a draft if it has problems. @param kept the present audience of the step */
export function readStep(form: FormData, views: SavedView[], kept: Step["audience"]) {
  const content = readContent(form);
  const given: GivenStep = { content, days: fieldText(form, "days"), audience: fieldText(form, "audience") };
  const days = /^\d{1,3}$/.test(given.days) ? Number(given.days) : 0;
  const audience = readAudience(given.audience, views, kept);
  const problems: StepProblems = {};
  if (days < 1 || days > MAX_DAYS) problems.days = `Type a whole number from 1 to ${MAX_DAYS}.`;
  if (audience === undefined) problems.audience = "This view no longer exists. Choose again.";
  const isFine = audience !== undefined && problems.days === undefined;
  const draft: StepDraft | null = isFine ? { ...toWords(content), days, audience } : null;
  return { given, problems, draft };
}

/** What a choice means; undefined if there is no such view. */
function readAudience(chosen: string, views: SavedView[], kept: Step["audience"]): Step["audience"] | undefined {
  if (chosen === "") return null;
  if (chosen === KEPT) return kept ?? undefined;
  const view = usableViews(views).find(({ id }) => `${id}` === chosen);
  if (view === undefined) return undefined;
  const search = writeEntryFilter(view.filter);
  // People who may get email are always meant.
  search.delete("status");
  return { name: view.name, filter: parseEntryFilter(search).filter };
}

function usableViews(views: SavedView[]): SavedView[] {
  return views.filter(({ filter }) => leftOut(filter).length === 0);
}

interface StepFormProps {
  /** Null for one that is not saved yet. */
  step: Step | null;
  given: GivenStep;
  problems: StepProblems;
  letterProblems: LetterProblems | null;
  views: SavedView[];
  contactEmail: string;
}

export function StepForm({ step, given, problems, letterProblems, views, contactEmail }: StepFormProps) {
  const isOn = step !== null && step.letter_id !== null;
  return (
    <LetterForm
      name="follow-up"
      action={step === null ? "/owner/series" : `/owner/series/${step.id}`}
      content={given.content}
      problems={letterProblems}
      contactEmail={contactEmail}
      hint={isOn ? " This one is on: people who have not been sent it yet get the new text." : ""}
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
    </LetterForm>
  );
}

function audienceHint(views: SavedView[]): string {
  if (views.length === 0) return "To send it to some people only, save a view of the list of entries first.";
  const others = usableViews(views).length < views.length ? " Views that do not work for emails are left out." : "";
  return `It uses the view as it is now, even if you change or delete the view later.${others}`;
}

/** Pairs, because an object would sort the numbers. */
function audienceOptions(views: SavedView[], kept: Step["audience"]): [value: string, text: string][] {
  return [
    ["", "Everyone"],
    ...(kept === null ? [] : [[KEPT, `View “${kept.name}”, as it was when you chose it`] as [string, string]]),
    ...usableViews(views).map(({ id, name }): [string, string] => [`${id}`, `View “${name}”`]),
  ];
}

const DAY = 24 * 3_600_000;

/** Days to choose from, besides the most that there can be. */
const CHOICES = [1, 2, 3, 7, 14, 30, 60, 90, 180];

/** How many days back a step that is on can be extended. People who joined earlier are too late for it. */
export function extensionDays({ letter_id, since, days }: Step, now: number): number[] {
  if (letter_id === null || since === null) return [];
  const most = days + MAX_DAYS_LATE;
  return [...CHOICES.filter((choice) => choice < most), most].filter((choice) => now - choice * DAY < since);
}

/**
 * How many people a step would be sent to in addition, by the days before now in which they joined; null for a step that
 * is off.
 */
export async function readExtension(app: OwnerContext["var"]["app"], step: Step) {
  const { since } = step;
  if (step.letter_id === null || since === null) return null;
  const now = app.now();
  const choices = extensionDays(step, now);
  if (choices.length === 0) return { since, choices: [] };
  const deps = { db: app.db, timeZone: app.timeZone, now: () => now };
  const count = (days: number) => countStepCandidates(deps, step, days);
  const [present = 0, ...counts] = await Promise.all([(now - since) / DAY, ...choices].map(count));
  const people = choices.map((days, index) => ({ days, people: (counts[index] ?? 0) - present }));
  return { since, choices: people.filter((choice) => choice.people > 0) };
}

type Extension = NonNullable<Awaited<ReturnType<typeof readExtension>>>;

export function ExtensionForm({ id, extension, timeZone }: { id: number; extension: Extension; timeZone: string }) {
  const { since, choices } = extension;
  const now = `It is for people who have joined since ${formatTime(since, timeZone)}.`;
  return (
    <Section id="extension" title="People who joined before" className="narrow">
      {choices.length === 0 ? (
        <p>{`${now} No one who joined shortly before that can still get it.`}</p>
      ) : (
        <>
          <p>
            {now} It can also go to people who joined in the days before and agreed to follow-ups. Anyone whose day has
            passed gets it as soon as possible; the others get it on their day.
          </p>
          <form className="form" method="post" action={`/owner/series/${id}`}>
            <Field
              name="days-back"
              label="Also to those who joined in the last"
              options={choices.map(({ days, people }): [string, string] => [
                `${days}`,
                `${counted(days, "day", "days")}: ${counted(people, "more person", "more people")}`,
              ])}
            />
            <Button label="Send it to them, too" kind="quiet" value="extend" />
          </form>
        </>
      )}
    </Section>
  );
}
