import { toStep } from "#app/features/letters/series/step-page.server.tsx";
import { StepPage } from "#app/features/letters/series/step-view.server.tsx";
import {
  EmailPreview,
  framingCsp,
  type Previewed,
  readPreview,
  respondWithEmail,
} from "#app/features/letters/write/preview-page.server.tsx";
import { type FailedTest, sendTestEmail, TestForm } from "#app/features/letters/write/test-email.server.tsx";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import type { Step } from "#app/server/db/schema/series.server.ts";

export async function showStepPreview(c: OwnerContext, step: Step, failed?: FailedTest) {
  const preview = await readPreview(c, previewOf(step));
  if (failed !== undefined) c.status(failed.status);
  return c.render(
    <StepPage step={step} current="Preview">
      <EmailPreview preview={preview} />
      <TestForm
        name="follow-up"
        content={step}
        action={`/owner/series/${step.id}/preview`}
        owner={c.var.owner.email}
        isReady={preview.problems === null && preview.fault === null}
        failed={failed}
      />
    </StepPage>,
    { policy: framingCsp },
  );
}

export function showStepEmail(c: OwnerContext, step: Step) {
  return respondWithEmail(c, previewOf(step));
}

export async function sendStepTest(c: OwnerContext, step: Step) {
  const logged = { action: "test-step", about: { stepId: step.id } } as const;
  const failed = await sendTestEmail(c, previewOf(step), logged);
  if (failed !== null) return showStepPreview(c, step, failed);
  return toStep(c, step.id, "/preview?done=step-tested");
}

function previewOf(step: Step): Previewed {
  return { name: "follow-up", path: `/owner/series/${step.id}`, content: step, isDraft: true, web: null };
}
