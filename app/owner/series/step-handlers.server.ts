import { checkLetter } from "#app/email/letters/check-letter.server.ts";
import { MAX_STEPS } from "#app/email/series/step-days.ts";
import {
  changeStep,
  createStep,
  deleteStep,
  findStep,
  isSameDays,
  listSteps,
  type StepDraft,
} from "#app/email/series/steps.server.ts";
import { listViews } from "#app/owner/entries/views/saved-views.server.ts";
import { TOO_LARGE } from "#app/owner/letters/read-content.ts";
import { readStep } from "#app/owner/series/read-step.ts";
import { type RefusedStep, respondWithStep } from "#app/owner/series/respond-with-step.server.ts";
import { toSeries, toStep } from "#app/owner/series/step-request.server.ts";
import { extendStep, resume, switchStepOff, switchStepOn } from "#app/owner/series/switch-handlers.server.ts";
import { badRequest } from "#app/owner/ui/error-pages.server.tsx";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import type { Step } from "#app/server/db/schema/series.server.ts";

export async function newStep(c: OwnerContext) {
  return (await isFull(c)) ? toSeries(c, "unchanged") : respondWithStep(c, null);
}

/** Saves a new step, finished or not. It is off. */
export async function addStep(c: OwnerContext) {
  const { db, now } = c.var.app;
  const { given, draft, problems } = readStep(c.var.form, await listViews(db), null);
  const refuseMore = () => {
    const error = `There are ${MAX_STEPS} follow-ups, which is the most. Delete one first: what you typed is not saved.`;
    return respondWithStep(c, null, { status: 409, given, error });
  };
  if (await isFull(c)) return refuseMore();
  if (draft === null) return respondWithStep(c, null, { status: 422, given, problems });
  const id = await unlessTaken(c, null, draft, () => createStep(db, draft, now()));
  if (id === "taken") return respondWithStep(c, null, { status: 409, given, problems: daysTaken(draft) });
  // Another owner has added one meanwhile.
  if (id === null) return refuseMore();
  await c.var.record("create-step", { stepId: id });
  return afterSaving(c, id, "step-created");
}

export function showStep(c: OwnerContext, step: Step) {
  return respondWithStep(c, step);
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
  const refuse = (refused: Omit<RefusedStep, "given">) => respondWithStep(c, step, { ...refused, given });
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
    return present === null
      ? toSeries(c, "step-gone")
      : respondWithStep(c, present, { status: 409, problems, error, given });
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
  return respondWithStep(c, step, { status: 413, error: TOO_LARGE });
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
