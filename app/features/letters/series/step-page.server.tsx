import { retryNow } from "#app/email/pauses.server.ts";
import { listViews } from "#app/features/entries/views/saved-views.server.ts";
import { checkDraft, checkLetter, toContent } from "#app/features/letters/send/check-letter.server.ts";
import { readSeriesStats, type StepStats } from "#app/features/letters/series/series-stats.server.ts";
import { MAX_STEPS } from "#app/features/letters/series/step-days.ts";
import {
  ExtensionForm,
  extensionDays,
  readExtension,
  readStep,
  StepForm,
  toGiven,
} from "#app/features/letters/series/step-forms.server.tsx";
import {
  type Obstacle,
  readObstacle,
  StepPage,
  toSeries,
  toStep,
} from "#app/features/letters/series/step-frame.server.tsx";
import { StepPause, StepResults, StepState, SwitchButton } from "#app/features/letters/series/step-state.server.tsx";
import {
  changeStep,
  createStep,
  deleteStep,
  extendBack,
  findStep,
  isSameDays,
  listSteps,
  resumeStep,
  type StepDraft,
  switchOff,
  switchOn,
} from "#app/features/letters/series/steps.server.ts";
import { describeAudience } from "#app/features/letters/write/audience.ts";
import { TOO_LARGE } from "#app/features/letters/write/letter-form.server.tsx";
import type { Clock } from "#app/features/letters/write/letter-status.server.ts";
import { Actions, Confirm } from "#app/owner/ui/actions.server.tsx";
import { Facts } from "#app/owner/ui/data.server.tsx";
import { badRequest } from "#app/owner/ui/error-pages.server.tsx";
import { formatTime } from "#app/owner/ui/labels.ts";
import { type OwnerContext, parseId } from "#app/owner/ui/owner-context.ts";
import { Message, Problems, Section } from "#app/owner/ui/page.server.tsx";
import type { Step } from "#app/server/db/schema/series.server.ts";
import { fieldText } from "#app/server/http/read-form.server.ts";

export async function newStep(c: OwnerContext) {
  return (await isFull(c)) ? toSeries(c, "unchanged") : showStep(c, null);
}

/** Saves a new step, finished or not. It is off. */
export async function addStep(c: OwnerContext) {
  const { db, now } = c.var.app;
  const { given, draft, problems } = readStep(c.var.form, await listViews(db), null);
  const refuseMore = () => {
    const error = `There are ${MAX_STEPS} follow-ups, which is the most. Delete one first: what you typed is not saved.`;
    return showStep(c, null, { status: 409, given, error });
  };
  if (await isFull(c)) return refuseMore();
  if (draft === null) return showStep(c, null, { status: 422, given, problems });
  const id = await unlessTaken(c, null, draft, () => createStep(db, draft, now()));
  if (id === "taken") return showStep(c, null, { status: 409, given, problems: daysTaken(draft) });
  // Another owner has added one meanwhile.
  if (id === null) return refuseMore();
  await c.var.record("create-step", { stepId: id });
  return afterSaving(c, id, "step-created");
}

export function changeStepPage(c: OwnerContext, step: Step) {
  switch (c.var.form.get("intent")) {
    case "save":
    case "preview":
      return save(c, step);
    case "switch-on":
      return switchStepOn(c, step);
    case "switch-off":
      return switchStepOff(c, step);
    case "extend":
      return extendStep(c, step);
    case "resume":
      return resume(c, step);
    case "delete":
      return remove(c, step);
    default:
      return badRequest(c);
  }
}

/** A step that is off is stored as it was typed, with its problems; one that is on is sent, so it must have none. */
async function save(c: OwnerContext, step: Step) {
  const { app, form } = c.var;
  const { given, draft, problems } = readStep(form, await listViews(app.db), step.audience);
  const isOn = step.letter_id !== null;
  const refuse = (refused: Omit<RefusedStep, "given">) => showStep(c, step, { ...refused, given });
  if (isOn && checkLetter(given.content) !== null) {
    const error =
      "A follow-up that is on must have no problems. Your changes are not saved yet: see below for what to fix.";
    return refuse({ status: 422, error, problems, mustBeComplete: true });
  }
  if (draft === null) return refuse({ status: 422, problems });
  const isSaved = await unlessTaken(c, step, draft, () => changeStep(app, step, draft));
  if (isSaved === "taken") return refuse({ status: 409, problems: daysTaken(draft) });
  if (!isSaved) {
    const error = "The follow-up was changed or switched on or off in the meantime, so what you typed is not saved.";
    // Shown as it is now. Deleted meanwhile, it leads to the list.
    const present = await findStep(app.db, step.id);
    return present === null ? toSeries(c, "step-gone") : showStep(c, present, { status: 409, problems, error, given });
  }
  await c.var.record("change-step", { stepId: step.id });
  return afterSaving(c, step.id, isOn ? "step-changed" : "step-saved");
}

async function remove(c: OwnerContext, step: Step) {
  await deleteStep(c.var.app, step);
  await c.var.record("delete-step", { stepId: step.id });
  return toSeries(c, "step-deleted");
}

function afterSaving(c: OwnerContext, id: number, outcome: string) {
  return toStep(c, id, `${c.var.form.get("intent") === "preview" ? "/preview" : ""}?done=${outcome}`);
}

/** The response to a form that is too large to read: the step as it was saved last. */
export async function refuseLargeStep(c: OwnerContext) {
  const id = c.req.param("id");
  const step = id === undefined ? null : await findStep(c.var.app.db, Number(id));
  return showStep(c, step, { status: 413, error: TOO_LARGE });
}

async function isFull(c: OwnerContext): Promise<boolean> {
  return (await listSteps(c.var.app.db)).length >= MAX_STEPS;
}

/** Saves a draft; `taken` if another step has its days, also if that one is saved at the same moment. */
async function unlessTaken<Saved>(c: OwnerContext, step: Step | null, { days }: StepDraft, run: () => Promise<Saved>) {
  const others = (await listSteps(c.var.app.db)).filter(({ id }) => id !== step?.id);
  if (others.some((other) => other.days === days)) return "taken";
  try {
    return await run();
  } catch (error) {
    if (isSameDays(error)) return "taken";
    throw error;
  }
}

function daysTaken({ days }: StepDraft) {
  return { days: `Another follow-up is sent on day ${days}. Choose another day, or change that one.` };
}

/** Leads to the step's page, which offers to send it also to people who joined before. */
async function switchStepOn(c: OwnerContext, step: Step) {
  if (step.letter_id !== null) return back(c, step, "unchanged");
  // The page says why.
  if (readObstacle(c) !== null) return showStep(c, step, { status: 409 });
  if (checkLetter(toContent(step)) !== null) {
    const error = "This follow-up cannot be switched on as it is. See below for what to change, then save it.";
    return showStep(c, step, { status: 422, error, mustBeComplete: true });
  }
  await switchOn(c.var.app, step);
  await c.var.record("switch-step-on", { stepId: step.id });
  return toStep(c, step.id, `?done=${step.since === null ? "step-on" : "step-on-again"}`);
}

async function switchStepOff(c: OwnerContext, step: Step) {
  if (step.letter_id === null) return back(c, step, "unchanged");
  await switchOff(c.var.app, step);
  await c.var.record("switch-step-off", { stepId: step.id });
  return back(c, step, "step-off");
}

async function extendStep(c: OwnerContext, step: Step) {
  const { app, form } = c.var;
  const days = parseId(fieldText(form, "days-back"));
  if (days === undefined) return badRequest(c);
  // Not for a step that is off, further back than anyone can be sent it, or a second time.
  if (!extensionDays(step, app.now()).includes(days)) return back(c, step, "unchanged");
  const extension = await readExtension(app, step);
  const people = extension?.choices.find((choice) => choice.days === days)?.people ?? 0;
  await extendBack(app, step, days);
  await c.var.record("extend-step", { stepId: step.id, people, days });
  return toStep(c, step.id, "?done=step-extended");
}

/** Resumes the step, and lets the next run of the cron job try the provider again if all email is paused. */
async function resume(c: OwnerContext, step: Step) {
  const { db, now } = c.var.app;
  if ((await resumeStep(db, step.id)) === 0) return back(c, step, "unchanged");
  await retryNow(db, now());
  await c.var.record("resume-step", { stepId: step.id });
  return back(c, step, "step-resumed");
}

function back(c: OwnerContext, { id }: Step, outcome: string) {
  return c.var.form.get("back") === "series" ? toSeries(c, outcome) : toStep(c, id, `?done=${outcome}`);
}

/** A form that was refused, with what was typed unless it could not be read, or is what is stored. */
interface RefusedStep extends Partial<Pick<ReturnType<typeof readStep>, "given" | "problems">> {
  status: 409 | 413 | 422;
  error?: string;
  /** Whether a missing subject or text is in the way. */
  mustBeComplete?: boolean;
}

export async function showStep(c: OwnerContext, step: Step | null, refused?: RefusedStep) {
  const { app } = c.var;
  const { given = toGiven(step), problems = {}, error, mustBeComplete = false } = refused ?? {};
  const [views, stats, extension] = await Promise.all([
    listViews(app.db),
    step === null ? null : readSeriesStats(app.db, step.id),
    step === null ? null : readExtension(app, step),
  ]);
  const obstacle = readObstacle(c);
  const clock = { timeZone: app.timeZone, now: app.now() };
  const form = (
    <StepForm
      {...{ step, given, problems, views }}
      letterProblems={mustBeComplete ? checkLetter(given.content) : checkDraft(given.content)}
      contactEmail={app.emailContext.replyTo}
    />
  );
  if (refused !== undefined) c.status(refused.status);
  return c.render(
    <StepPage step={step} current="Edit">
      <Problems problems={error === undefined ? [] : [error]} />
      {step === null ? (
        form
      ) : (
        <>
          <State step={step} stats={stats?.get(step.id)} obstacle={obstacle} clock={clock} />
          {extension === null || obstacle?.kind === "launched" ? null : (
            <ExtensionForm id={step.id} extension={extension} timeZone={clock.timeZone} />
          )}
          <Section id="email" title="The email">
            {form}
          </Section>
          <Confirm
            label="Delete it"
            question="Delete the follow-up"
            value="delete"
            action={`/owner/series/${step.id}`}
            text="No one else will get it. Its text and its results cannot be restored."
          />
        </>
      )}
    </StepPage>,
  );
}

interface StateProps {
  step: Step;
  /** Undefined for one without recipients. */
  stats: StepStats | undefined;
  obstacle: Obstacle | null;
  clock: Clock;
}

function State({ step, stats, obstacle, clock }: StateProps) {
  const { id, days, hour, since, audience } = step;
  const filter = audience === null ? [] : describeAudience(audience);
  const people = audience === null ? "Everyone" : `The view “${audience.name}”`;
  const day = days === 1 ? "1 day after joining" : `${days} days after joining`;
  return (
    <>
      <StepPause id={id} pause={stats?.pause} clock={clock} back="step" />
      <Facts
        facts={[
          ["State", <StepState key="state" step={step} stats={stats} />],
          ["When", `${day}, from ${String(hour).padStart(2, "0")}:00 (${clock.timeZone})`],
          ["To", `${people}${filter.length === 0 ? "" : ` (${filter.join("; ")})`}`],
          ["For people who joined since", since === null ? null : formatTime(since, clock.timeZone)],
        ]}
      />
      <StepResults stats={stats} isOn={step.letter_id !== null} />
      <Message kind={obstacle?.kind === "cannot-send" ? "error" : "info"}>{obstacle?.text}</Message>
      <Actions>
        <SwitchButton step={step} canStart={obstacle === null} kind="main" back="step" />
      </Actions>
      {step.letter_id === null && since === null && obstacle === null ? (
        <p className="hint">
          Once it is on, it goes to people who join from then on. You can then extend it to people who joined recently.
        </p>
      ) : null}
    </>
  );
}
