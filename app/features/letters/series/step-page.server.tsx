import { type SQL, sql } from "drizzle-orm";
import { retryNow } from "#app/email/pauses.server.ts";
import type { SavedView } from "#app/features/entries/views/saved-view.ts";
import { listViews } from "#app/features/entries/views/saved-views.server.ts";
import { checkDraft, checkLetter } from "#app/features/letters/send/check-letter.server.ts";
import { countStepCandidates, readSeriesStats } from "#app/features/letters/series/series-stats.server.ts";
import { MAX_DAYS_AFTER_JOINING, MAX_DAYS_LATE, MAX_STEPS } from "#app/features/letters/series/step-days.ts";
import {
  ExtensionForm,
  type GivenStep,
  KEPT,
  StepForm,
  StepPage,
  StepSummary,
  usableViews,
} from "#app/features/letters/series/step-view.server.tsx";
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
  stepPath,
  switchOff,
  switchOn,
} from "#app/features/letters/series/steps.server.ts";
import { CountedResults, readCounted } from "#app/features/letters/write/counted-links.server.tsx";
import { htmlOf, SizeWarning } from "#app/features/letters/write/email-size.server.tsx";
import { contentFields, EMPTY, readContent, TOO_LARGE } from "#app/features/letters/write/letter-content.server.ts";
import { LETTER_FORM } from "#app/features/letters/write/letter-form.server.tsx";
import { obstacleOf } from "#app/features/letters/write/letter-frame.server.tsx";
import { editorCsp, keptForm } from "#app/owner/editor/writing-form.server.tsx";
import { Confirm } from "#app/owner/ui/actions.server.tsx";
import { badRequest } from "#app/owner/ui/error-pages.server.tsx";
import { runIntent } from "#app/owner/ui/intent.server.ts";
import { type OwnerContext, type OwnerHandler, parseId } from "#app/owner/ui/owner-context.ts";
import { Problems, Section } from "#app/owner/ui/page.server.tsx";
import { ConflictView, VersionsLink } from "#app/owner/versions/version-views.server.tsx";
import { type Conflict, findConflict, keepVersions, shownVersion } from "#app/owner/versions/versions.server.ts";
import type { SavedFields } from "#app/server/db/schema/owner.server.ts";
import type { Step } from "#app/server/db/schema/series.server.ts";
import { runBatch } from "#app/server/db/sql-batch.server.ts";
import { fieldText } from "#app/server/http/read-form.server.ts";
import type { EpochMillis } from "#app/server/time/units.ts";
import { parseEntryFilter, writeEntryFilter } from "#app/waitlist/filter/entry-filter.server.ts";

/** Handles requests with the step that their path names. Links to a deleted one remain, as on the pages of people. */
export function withStep(handle: (c: OwnerContext, step: Step) => ReturnType<OwnerHandler>): OwnerHandler {
  return async (c) => {
    const step = await findStep(c.var.app.db, Number(c.req.param("id")));
    if (step !== null) return handle(c, step);
    // Another owner has deleted it: what was typed can be saved as a new one.
    return c.req.method === "POST" && c.var.form.has("body") ? keepDeleted(c) : toSeries(c, "step-gone");
  };
}

/** Leads to a step. @param rest a page of it, or the outcome of a change */
export function toStep(c: OwnerContext, id: number, rest: string) {
  return c.redirect(`/owner/series/${id}${rest}`, 303);
}

export function toSeries(c: OwnerContext, outcome: string) {
  return c.redirect(`/owner/series?done=${outcome}`, 303);
}

/** Why no step can be switched on. `launched`: the product is open, so that the series is over. */
export function readObstacle(c: OwnerContext): { kind: "launched" | "cannot-send"; text: string } | null {
  if (c.var.app.config.LAUNCH_URL !== undefined) {
    return { kind: "launched", text: "Your site has launched, so follow-ups have stopped." };
  }
  const text = obstacleOf(c);
  return text === null ? null : { kind: "cannot-send", text };
}

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
  const text = { path: stepPath(id), present: stepFields(null), typed: stepFields(draft) };
  await runBatch(db, keepVersions(c, { ...text, isUnchanged: sql`true` }));
  await c.var.record("create-step", { stepId: id });
  return afterSaving(c, id, "step-created");
}

export function changeStepPage(c: OwnerContext, step: Step) {
  return runIntent(c, handlers, step);
}

const handlers = {
  save,
  preview: save,
  "switch-on": switchStepOn,
  "switch-off": switchStepOff,
  extend: extendStep,
  resume,
  delete: remove,
};

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
  const text = { path: stepPath(step.id), present: stepFields(step), typed: stepFields(draft) };
  const conflict = await findConflict(c, text);
  if (conflict !== null) return refuse({ status: 409, problems, conflict });
  const keep = (isUnchanged: SQL) => keepVersions(c, { ...text, isUnchanged });
  const isSaved = await unlessTaken(c, step, draft, () => changeStep(app, step, draft, keep));
  if (isSaved === "taken") return refuse({ status: 409, problems: daysTaken(draft) });
  if (!isSaved) {
    const error = "The follow-up was changed or switched on or off in the meantime, so what you typed is not saved.";
    // Shown as it is now.
    const present = await findStep(app.db, step.id);
    return present === null ? keepDeleted(c) : showStep(c, present, { status: 409, problems, error, given });
  }
  await c.var.record("change-step", { stepId: step.id });
  return afterSaving(c, step.id, isOn ? "step-changed" : "step-saved");
}

async function keepDeleted(c: OwnerContext) {
  const { given, problems } = readStep(c.var.form, await listViews(c.var.app.db), null);
  const error = "This follow-up was deleted in the meantime. Save makes a new one of what you typed.";
  return showStep(c, null, { status: 409, given, problems, error });
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

/** The step's page then offers to send it also to people who joined before. */
async function switchStepOn(c: OwnerContext, step: Step) {
  if (step.letter_id !== null) return back(c, step, "unchanged");
  // The page says why.
  if (readObstacle(c) !== null) return showStep(c, step, { status: 409 });
  if (checkLetter(step) !== null) {
    const error = "This follow-up cannot be switched on as it is. See below for what to change, then save it.";
    return showStep(c, step, { status: 422, error, mustBeComplete: true });
  }
  await switchOn(c.var.app, step);
  await c.var.record("switch-step-on", { stepId: step.id });
  return back(c, step, step.since === null ? "step-on" : "step-on-again");
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

/** What the form replaces. */
function stepFields(step: StepDraft | null): SavedFields {
  const { days, audience } = step ?? { days: "", audience: null };
  return [
    ...contentFields(step ?? EMPTY),
    ["days", `${days}`],
    ["audience", audience === null ? "" : JSON.stringify(audience)],
  ];
}

function toGiven(step: Step | null): GivenStep {
  if (step === null) return { content: EMPTY, days: "", audience: "" };
  return { content: step, days: `${step.days}`, audience: step.audience === null ? "" : KEPT };
}

/** What a form says; without a draft if it has problems. @param kept the present audience of the step */
function readStep(form: FormData, views: SavedView[], kept: Step["audience"]) {
  const content = readContent(form);
  const given: GivenStep = { content, days: fieldText(form, "days"), audience: fieldText(form, "audience") };
  const days = /^\d{1,3}$/.test(given.days) ? Number(given.days) : 0;
  const audience = readAudience(given.audience, views, kept);
  const problems: { days?: string; audience?: string } = {};
  if (days < 1 || days > MAX_DAYS_AFTER_JOINING)
    problems.days = `Type a whole number from 1 to ${MAX_DAYS_AFTER_JOINING}.`;
  if (audience === undefined) problems.audience = "This view no longer exists. Choose again.";
  const isFine = audience !== undefined && problems.days === undefined;
  const draft: StepDraft | null = isFine ? { ...content, days, audience } : null;
  return { given, problems, draft };
}

/** What a choice means; undefined if there is no such view. */
function readAudience(chosen: string, views: SavedView[], kept: Step["audience"]): Step["audience"] | undefined {
  if (chosen === "") return null;
  if (chosen === KEPT) return kept ?? undefined;
  if (chosen.startsWith("{")) return readSavedAudience(chosen);
  const view = usableViews(views).find(({ id }) => `${id}` === chosen);
  if (view === undefined) return undefined;
  const search = writeEntryFilter(view.filter);
  // People who may get email are always meant.
  search.delete("status");
  return { name: view.name, filter: parseEntryFilter(search).filter };
}

/** The audience of an earlier version, which is brought back. */
function readSavedAudience(text: string): Step["audience"] | undefined {
  try {
    const { name, filter } = JSON.parse(text) as NonNullable<Step["audience"]>;
    return { name: `${name}`, filter: parseEntryFilter(writeEntryFilter(filter)).filter };
  } catch {
    return undefined;
  }
}

const DAY = 24 * 3_600_000;

/** Days to choose from, besides the most that there can be. */
const CHOICES = [1, 2, 3, 7, 14, 30, 60, 90, 180];

/** How many days back a step that is on can be extended. People who joined earlier are too late for it. */
function extensionDays({ letter_id, since, days }: Step, now: EpochMillis): number[] {
  if (letter_id === null || since === null) return [];
  const most = days + MAX_DAYS_LATE;
  return [...CHOICES.filter((choice) => choice < most), most].filter((choice) => now - choice * DAY < since);
}

/**
 * How many people a step would be sent to in addition, by the days before now in which they joined; null for a step that
 * is off.
 */
async function readExtension(app: OwnerContext["var"]["app"], step: Step) {
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

/** A form that was refused, with what was typed unless it could not be read, or is what is stored. */
interface RefusedStep extends Partial<Pick<ReturnType<typeof readStep>, "given" | "problems">> {
  status: 409 | 413 | 422;
  error?: string;
  conflict?: Conflict;
  /** Whether a missing subject or text is in the way. */
  mustBeComplete?: boolean;
}

export async function showStep(c: OwnerContext, step: Step | null, refused?: RefusedStep) {
  const { app } = c.var;
  const { given = toGiven(step), problems = {}, error, conflict, mustBeComplete = false } = refused ?? {};
  const [views, stats, extension, counted] = await Promise.all([
    listViews(app.db),
    step === null ? null : readSeriesStats(app.db, step.id),
    step === null ? null : readExtension(app, step),
    step === null ? null : readCounted(c, { ...step, step_id: step.id, since: step.since && step.created_at }),
  ]);
  const obstacle = readObstacle(c);
  const clock = { timeZone: app.timeZone, now: app.now() };
  const path = step === null ? "/owner/series/new" : `/owner/series/${step.id}`;
  const kept = await keptForm(c, path, { unsaved: refused?.given !== undefined });
  const form = (
    <StepForm
      {...{ step, kept, given, problems, views }}
      version={await shownVersion(c, stepFields(step), conflict)}
      letterProblems={mustBeComplete ? checkLetter(given.content) : checkDraft(given.content)}
      contactEmail={app.emailContext.replyTo}
    />
  );
  if (refused !== undefined) c.status(refused.status);
  return c.render(
    <StepPage step={step} current="Edit" saves={LETTER_FORM}>
      <Problems problems={error === undefined ? [] : [error]} />
      {conflict === undefined ? null : <ConflictView {...conflict} timeZone={clock.timeZone} />}
      {step === null ? null : <SizeWarning name="follow-up" html={htmlOf(step, app.emailContext)} />}
      {step === null ? (
        form
      ) : (
        <>
          <StepSummary step={step} stats={stats?.get(step.id)} clock={clock} obstacle={obstacle} />
          <CountedResults counted={counted} />
          {extension === null || obstacle?.kind === "launched" ? null : (
            <ExtensionForm id={step.id} {...extension} timeZone={clock.timeZone} />
          )}
          <Section id="email" title="The email">
            {form}
            <VersionsLink path={stepPath(step.id)} />
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
    { policy: editorCsp },
  );
}
