import type { ReactNode } from "react";
import { findStep } from "#app/features/letters/series/steps.server.ts";
import { obstacleOf, Steps } from "#app/features/letters/write/letter-frame.server.tsx";
import type { OwnerContext, OwnerHandler } from "#app/owner/ui/owner-context.ts";
import { Outcome, Page } from "#app/owner/ui/page.server.tsx";
import type { Step } from "#app/server/db/schema/series.server.ts";

/** Handles requests with the step that their path names. Links to a deleted one remain, as on the pages of people. */
export function withStep(handle: (c: OwnerContext, step: Step) => ReturnType<OwnerHandler>): OwnerHandler {
  return async (c) => {
    const step = await findStep(c.var.app.db, Number(c.req.param("id")));
    return step === null ? toSeries(c, "step-gone") : handle(c, step);
  };
}

/** Leads to a step. @param rest a page of it, or the outcome of a change */
export function toStep(c: OwnerContext, id: number, rest: string) {
  return c.redirect(`/owner/series/${id}${rest}`, 303);
}

export function toSeries(c: OwnerContext, outcome: string) {
  return c.redirect(`/owner/series?done=${outcome}`, 303);
}

/** Why no step can be switched on. */
export interface Obstacle {
  /** `launched`: the product is open, so that the series is over. */
  kind: "launched" | "cannot-send";
  text: string;
}

export function readObstacle(c: OwnerContext): Obstacle | null {
  if (c.var.app.config.LAUNCH_URL !== undefined) {
    return { kind: "launched", text: "Your site has launched, so follow-ups have stopped." };
  }
  const text = obstacleOf(c);
  return text === null ? null : { kind: "cannot-send", text };
}

const stepPages = { Edit: "", Preview: "/preview" };

interface StepPageProps {
  /** Null for one that is not saved yet. */
  step: Step | null;
  current: keyof typeof stepPages;
  children: ReactNode;
}

export function StepPage({ step, current, children }: StepPageProps) {
  return (
    <Page
      title={step?.subject || "New follow-up"}
      section="series"
      back={{ href: "/owner/series", name: "All follow-ups" }}
    >
      {step === null ? null : (
        <Steps label="This follow-up" root={`/owner/series/${step.id}`} pages={stepPages} current={current} />
      )}
      <Outcome />
      {children}
    </Page>
  );
}
