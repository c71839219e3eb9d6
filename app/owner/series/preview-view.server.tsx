import { EmailPreview, type EmailPreviewProps } from "#app/owner/letters/email-preview.server.tsx";
import { TestForm } from "#app/owner/letters/test-form.server.tsx";
import { StepPage } from "#app/owner/series/step-frame.server.tsx";
import type { Step } from "#app/server/db/schema/series.server.ts";

interface StepPreviewProps {
  step: Step;
  preview: EmailPreviewProps;
  /** The owner's address, for the test. */
  owner: string;
  testProblem: string | undefined;
}

/** The follow-up as people get it, with a test to oneself. */
export function stepPreviewView({ step, preview, owner, testProblem }: StepPreviewProps) {
  return (
    <StepPage step={step} current="preview">
      <EmailPreview {...preview} />
      <TestForm
        name="follow-up"
        action={`/owner/series/${step.id}/preview`}
        owner={owner}
        isReady={preview.problems === null && preview.fault === null}
        problem={testProblem}
      />
    </StepPage>
  );
}
