import { checkLetter, toContent } from "#app/email/letters/check-letter.server.ts";
import { retryNow } from "#app/email/pauses.server.ts";
import { extendBack, resumeStep, switchOff, switchOn } from "#app/email/series/steps.server.ts";
import { extensionDays, readExtension } from "#app/owner/series/extension.server.ts";
import { respondWithStep } from "#app/owner/series/respond-with-step.server.ts";
import { readObstacle, toSeries, toStep } from "#app/owner/series/step-request.server.ts";
import { badRequest } from "#app/owner/ui/error-pages.server.tsx";
import { type OwnerContext, parseId } from "#app/owner/ui/owner-context.ts";
import type { Step } from "#app/server/db/schema/series.server.ts";
import { fieldText } from "#app/server/read-form.server.ts";

/** Leads to the step's page, which offers to send it also to people who joined before. */
export async function switchStepOn(c: OwnerContext, step: Step) {
  if (step.letter_id !== null) return back(c, step, "unchanged");
  // The page says why.
  if (readObstacle(c) !== null) return respondWithStep(c, step, { status: 409 });
  if (checkLetter(toContent(step)) !== null) {
    const error = "This follow-up cannot be switched on as it is. See below for what to change, then save it.";
    return respondWithStep(c, step, { status: 422, error, mustBeComplete: true });
  }
  await switchOn(c.var.app, step);
  await c.var.record("switch-step-on", { stepId: step.id });
  return toStep(c, step.id, `?done=${step.since === null ? "step-on" : "step-on-again"}`);
}

export async function switchStepOff(c: OwnerContext, step: Step) {
  if (step.letter_id === null) return back(c, step, "unchanged");
  await switchOff(c.var.app, step);
  await c.var.record("switch-step-off", { stepId: step.id });
  return back(c, step, "step-off");
}

/** Sends a step also to people who joined in the last days. */
export async function extendStep(c: OwnerContext, step: Step) {
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

/** Resumes the step, and lets the next sweep try the provider again if all email is paused. */
export async function resume(c: OwnerContext, step: Step) {
  const { db, now } = c.var.app;
  if ((await resumeStep(db, step.id)) === 0) return back(c, step, "unchanged");
  await retryNow(db, now());
  await c.var.record("resume-step", { stepId: step.id });
  return back(c, step, "step-resumed");
}

/** Leads to the page on which the button was. */
function back(c: OwnerContext, { id }: Step, outcome: string) {
  return c.var.form.get("back") === "series" ? toSeries(c, outcome) : toStep(c, id, `?done=${outcome}`);
}
