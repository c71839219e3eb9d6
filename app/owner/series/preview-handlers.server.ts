import { checkLetter, toContent } from "#app/email/letters/check-letter.server.ts";
import { framingCsp, type Previewed, readPreview, respondWithEmail } from "#app/owner/letters/read-preview.server.ts";
import { sendTest } from "#app/owner/letters/send-test.server.ts";
import { stepPreviewView } from "#app/owner/series/preview-view.server.tsx";
import { toStep } from "#app/owner/series/step-request.server.ts";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import type { Step } from "#app/server/db/schema/series.server.ts";

/** The page with the email in frames. */
export function showStepPreview(c: OwnerContext, step: Step) {
  return respond(c, step);
}

/** The email itself, as the frames show it. */
export function showStepEmail(c: OwnerContext, step: Step) {
  return respondWithEmail(c, previewOf(step));
}

/** Sends a test to the owner. */
export async function sendStepTest(c: OwnerContext, step: Step) {
  // The page says what has to be mended.
  if (checkLetter(toContent(step)) !== null) return respond(c, step, { status: 422 });
  const tested = { words: step, web: null, logged: { stepId: step.id } };
  const problem = await sendTest(c.var.app, tested, c.var.owner.email);
  if (problem !== null) return respond(c, step, { problem, status: 502 });
  await c.var.record("test-step", { stepId: step.id });
  return toStep(c, step.id, "/preview?done=step-tested");
}

interface Refusal {
  /** Why the test was not sent. */
  problem?: string;
  status?: 200 | 422 | 502;
}

async function respond(c: OwnerContext, step: Step, { problem, status = 200 }: Refusal = {}) {
  c.status(status);
  const preview = await readPreview(c, previewOf(step));
  const view = stepPreviewView({ step, preview, owner: c.var.owner.email, testProblem: problem });
  return c.render(view, { policy: framingCsp });
}

function previewOf(step: Step): Previewed {
  return { name: "follow-up", path: `/owner/series/${step.id}`, words: step, isDraft: true, web: null };
}
