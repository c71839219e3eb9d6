import type { ReactNode } from "react";
import type { SavedView } from "#app/features/entries/views/saved-view.ts";
import type { LetterContent, LetterProblems } from "#app/features/letters/send/check-letter.server.ts";
import type { StepStats } from "#app/features/letters/series/series-stats.server.ts";
import { MAX_DAYS_AFTER_JOINING } from "#app/features/letters/series/step-days.ts";
import { stepPath } from "#app/features/letters/series/steps.server.ts";
import { describeAudience, leftOut } from "#app/features/letters/write/audience.ts";
import { LetterForm } from "#app/features/letters/write/letter-form.server.tsx";
import { PageTabs } from "#app/features/letters/write/letter-frame.server.tsx";
import { type Clock, describeLetterPause } from "#app/features/letters/write/letter-status.server.ts";
import { Reasons } from "#app/features/letters/write/progress-page.server.tsx";
import { EditorHead, type KeptForm } from "#app/owner/editor/writing-form.server.tsx";
import { Actions, Button, ButtonForm } from "#app/owner/ui/actions.server.tsx";
import { Facts } from "#app/owner/ui/data.server.tsx";
import { Field } from "#app/owner/ui/field.server.tsx";
import { counted, formatNumber, formatTime } from "#app/owner/ui/labels.ts";
import { Advanced, Message, Outcome, Page, Section } from "#app/owner/ui/page.server.tsx";
import type { FormVersion } from "#app/owner/versions/versions.server.ts";
import type { Step } from "#app/server/db/schema/series.server.ts";
import type { EpochMillis } from "#app/server/time/units.ts";
import { fillGreetings } from "#app/waitlist/questions/greetings.server.ts";

/* The parts of a step's pages, some of which the page of all steps has, too. */

const stepPages = { Edit: "", Preview: "/preview" };

interface StepPageProps {
  /** Null for one that is not saved yet. */
  step: Step | null;
  current: keyof typeof stepPages;
  /** The id of the form on this page, which the links to the others save. */
  saves?: string;
  children: ReactNode;
}

export function StepPage({ step, current, saves, children }: StepPageProps) {
  return (
    <Page
      title={fillGreetings(step?.subject ?? "", null) || "New follow-up"}
      section="series"
      back={{ href: "/owner/series", name: "All follow-ups" }}
      head={current === "Edit" ? <EditorHead /> : null}
    >
      {step === null ? null : (
        <PageTabs label="This follow-up" root={stepPath(step.id)} pages={stepPages} {...{ current, saves }} />
      )}
      <Outcome />
      {children}
    </Page>
  );
}

export interface ShownStep {
  step: Step;
  /** Undefined for one without recipients. */
  stats: StepStats | undefined;
  clock: Clock;
  /** The page that shows the step, to which its buttons lead back. On the page of all steps, its heading describes the buttons. */
  back: "series" | "step";
}

export function StepState({ step, stats }: Pick<ShownStep, "step" | "stats">) {
  if (step.letter_id === null) return <span className="status">Off</span>;
  if (stats?.pause) return <span className="status error">Paused</span>;
  return <span className="status success">On</span>;
}

export function SwitchButton({ step, canStart, back }: Pick<ShownStep, "step" | "back"> & { canStart: boolean }) {
  const kind = back === "step" ? "main" : "quiet";
  if (step.letter_id !== null) return <ButtonForm {...formOf(step, back)} value="switch-off" label="Switch off" />;
  return canStart ? <ButtonForm {...formOf(step, back)} value="switch-on" label="Switch on" kind={kind} /> : null;
}

function formOf({ id }: Step, back: ShownStep["back"]) {
  const describedBy = back === "series" ? `step-${id}` : undefined;
  return { action: `/owner/series/${id}`, describedBy, hidden: { back } };
}

export function StepPause({ step, stats, clock, back }: ShownStep) {
  const pause = stats?.pause ?? null;
  if (pause === null) return null;
  const { current, next, isProblem, advanced } = describeLetterPause(pause, clock);
  return (
    <Message kind={isProblem ? "error" : "info"}>
      <p>
        <strong>{current}</strong>
      </p>
      <p>
        {next}
        {pause.until === null ? " Until then, the other follow-ups wait as well." : ""}
      </p>
      <Advanced>{advanced}</Advanced>
      <ButtonForm {...formOf(step, back)} value="resume" label="Resume" />
    </Message>
  );
}

export function StepResults({ step, stats }: Pick<ShownStep, "step" | "stats">) {
  if (stats === undefined) {
    return step.letter_id === null ? null : <p className="row none series-stats">No one is due yet.</p>;
  }
  const always: [name: string, people: number][] = [
    ["Sent", stats.sent],
    ["Unsubscribed", stats.unsubscribed],
    ["Permanent bounces", stats.bounced],
    ["Waiting", stats.pending],
  ];
  const sometimes: [name: string, people: number][] = [
    ["Temporary bounces", stats.bouncedSoftly],
    ["Reported as spam", stats.complained],
    ["Skipped", stats.skipped],
    ["Failed", stats.failed],
    ["Unknown", stats.unknown],
  ];
  return (
    <>
      <dl className="row top series-stats">
        {[...always, ...sometimes.filter(([, people]) => people > 0)].map(([name, people]) => (
          <div key={name}>
            <dt className="hint">{name}</dt>
            <dd>{formatNumber(people)}</dd>
          </div>
        ))}
      </dl>
      {stats.reasons.length === 0 ? null : (
        <details className="data">
          <summary>Show reasons</summary>
          <Reasons reasons={stats.reasons} />
        </details>
      )}
    </>
  );
}

interface StepSummaryProps extends Omit<ShownStep, "back"> {
  /** Why no step can be switched on. */
  obstacle: { kind: "launched" | "cannot-send"; text: string } | null;
}

export function StepSummary({ step, stats, clock, obstacle }: StepSummaryProps) {
  const { days, hour, since, audience } = step;
  const filter = audience === null ? [] : describeAudience(audience);
  const people = audience === null ? "Everyone" : `The view “${audience.name}”`;
  const day = days === 1 ? "1 day after joining" : `${days} days after joining`;
  return (
    <>
      <StepPause step={step} stats={stats} clock={clock} back="step" />
      <Facts
        facts={[
          ["State", <StepState key="state" step={step} stats={stats} />],
          ["When", `${day}, from ${String(hour).padStart(2, "0")}:00 (${clock.timeZone})`],
          ["To", `${people}${filter.length === 0 ? "" : ` (${filter.join("; ")})`}`],
          ["For people who joined since", since === null ? null : formatTime(since, clock.timeZone)],
        ]}
      />
      <StepResults step={step} stats={stats} />
      <Message kind={obstacle?.kind === "cannot-send" ? "error" : "info"}>{obstacle?.text}</Message>
      <Actions>
        <SwitchButton step={step} canStart={obstacle === null} back="step" />
      </Actions>
      {step.letter_id === null && since === null && obstacle === null ? (
        <p className="hint">
          Once it is on, it goes to people who join from then on. You can then extend it to people who joined recently.
        </p>
      ) : null}
    </>
  );
}
/** The form of a step, as it was typed. */
export interface GivenStep {
  content: LetterContent;
  days: string;
  /** Empty for everyone, {@link KEPT}, or the id of a view. */
  audience: string;
}

/** The choice that keeps a step's audience: a copy of a view, which may have changed or be gone. */
export const KEPT = "kept";

interface StepFormProps {
  /** Null for one that is not saved yet. */
  step: Step | null;
  kept: KeptForm;
  given: GivenStep;
  version: FormVersion;
  problems: { days?: string; audience?: string };
  letterProblems: LetterProblems | null;
  views: SavedView[];
  contactEmail: string;
}

export function StepForm(props: StepFormProps) {
  const { step, kept, given, version, problems, letterProblems, views, contactEmail } = props;
  const isOn = step !== null && step.letter_id !== null;
  return (
    <LetterForm
      name="follow-up"
      action={step === null ? "/owner/series" : stepPath(step.id)}
      {...{ kept, version }}
      content={given.content}
      problems={letterProblems}
      contactEmail={contactEmail}
      hint={isOn ? " This one is on: people who have not been sent it yet get the new text." : ""}
    >
      <Field
        name="days"
        label="Days after joining"
        hint={`From 1 to ${MAX_DAYS_AFTER_JOINING}.`}
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

export function usableViews(views: SavedView[]): SavedView[] {
  return views.filter(({ filter }) => leftOut(filter).length === 0);
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

interface ExtensionProps {
  id: number;
  since: EpochMillis;
  timeZone: string;
  /** Days back, with how many more people that would be. */
  choices: { days: number; people: number }[];
}

export function ExtensionForm({ id, since, timeZone, choices }: ExtensionProps) {
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
