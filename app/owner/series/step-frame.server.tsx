import type { ReactNode } from "react";
import { Steps } from "#app/owner/letters/letter-frame.server.tsx";
import { Outcome, Page } from "#app/owner/ui/page.server.tsx";
import type { Step } from "#app/server/db/schema/series.server.ts";

interface StepPageProps {
  /** Null for one that is not saved yet. */
  step: Pick<Step, "id" | "subject"> | null;
  current: "edit" | "preview";
  children: ReactNode;
}

/** A page about one step. */
export function StepPage({ step, current, children }: StepPageProps) {
  const path = `/owner/series/${step?.id}`;
  return (
    <Page
      title={step?.subject || "New follow-up"}
      section="series"
      back={{ href: "/owner/series", name: "All follow-ups" }}
    >
      {step === null ? null : (
        <Steps
          label="This follow-up"
          steps={[
            { name: "Edit", href: path, isCurrent: current === "edit" },
            { name: "Preview", href: `${path}/preview`, isCurrent: current === "preview" },
          ]}
        />
      )}
      <Outcome />
      {children}
    </Page>
  );
}
