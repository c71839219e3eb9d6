import { checkDraft, checkLetter, toContent } from "#app/email/letters/check-letter.server.ts";
import { readSeriesStats } from "#app/email/series/series-stats.server.ts";
import { listViews } from "#app/owner/entries/views/saved-views.server.ts";
import { EMPTY } from "#app/owner/letters/read-content.ts";
import { KEPT } from "#app/owner/series/audience-choice.ts";
import { readExtension } from "#app/owner/series/extension.server.ts";
import type { GivenStep, StepProblems } from "#app/owner/series/read-step.ts";
import { readObstacle } from "#app/owner/series/step-request.server.ts";
import { stepView } from "#app/owner/series/step-view.server.tsx";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import type { Step } from "#app/server/db/schema/series.server.ts";

/** A form that was refused. */
export interface RefusedStep {
  status: 409 | 413 | 422;
  /** What was typed; absent if it could not be read, or is what is stored. */
  given?: GivenStep;
  problems?: StepProblems;
  /** A sentence above the form. */
  error?: string;
  /** Whether a missing subject or text is in the way. */
  mustBeComplete?: boolean;
}

/** The page of a step, or of a new one. @param refused what to show again */
export async function respondWithStep(c: OwnerContext, step: Step | null, refused?: RefusedStep) {
  const { app } = c.var;
  const given = refused?.given ?? (step === null ? NEW : toGiven(step));
  const [views, stats, extension] = await Promise.all([
    listViews(app.db),
    step === null ? null : readSeriesStats(app.db, step.id),
    step === null ? null : readExtension(app, step),
  ]);
  if (refused !== undefined) c.status(refused.status);
  return c.render(
    stepView({
      ...{ step, given, views, extension },
      stats: stats?.get(step?.id ?? 0),
      problems: refused?.problems ?? {},
      letterProblems: refused?.mustBeComplete ? checkLetter(given.content) : checkDraft(given.content),
      error: refused?.error,
      obstacle: readObstacle(c),
      contactEmail: app.emailContext.replyTo,
      clock: { timeZone: app.timeZone, now: app.now() },
    }),
  );
}

const NEW: GivenStep = { content: EMPTY, days: "", audience: "" };

function toGiven(step: Step): GivenStep {
  return { content: toContent(step), days: `${step.days}`, audience: step.audience === null ? "" : KEPT };
}
