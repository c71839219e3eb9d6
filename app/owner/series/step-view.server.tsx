import type { StepStats } from "#app/email/series/series-stats.server.ts";
import { describeAudience } from "#app/owner/letters/audience.ts";
import type { Clock } from "#app/owner/letters/letter-status.server.ts";
import type { Extension } from "#app/owner/series/extension.server.ts";
import { ExtensionForm } from "#app/owner/series/extension-form.server.tsx";
import { StepForm, type StepFormProps } from "#app/owner/series/step-form.server.tsx";
import { StepPage } from "#app/owner/series/step-frame.server.tsx";
import { StepState, SwitchButton } from "#app/owner/series/step-item.server.tsx";
import { StepPause } from "#app/owner/series/step-pause.server.tsx";
import type { Obstacle } from "#app/owner/series/step-request.server.ts";
import { StepResults } from "#app/owner/series/step-results.server.tsx";
import { Actions, Confirm } from "#app/owner/ui/actions.server.tsx";
import { Facts } from "#app/owner/ui/data.server.tsx";
import { formatTime } from "#app/owner/ui/labels.ts";
import { Message, Problems, Section } from "#app/owner/ui/page.server.tsx";
import type { Step } from "#app/server/db/schema/series.server.ts";

export interface StepViewProps extends StepFormProps {
  /** Undefined for one without recipients. */
  stats: StepStats | undefined;
  /** Null for one that is off. */
  extension: Extension | null;
  obstacle: Obstacle | null;
  /** Why what was posted is refused. */
  error: string | undefined;
  clock: Clock;
}

/** A step: its state, whom else it could go to, and what can be changed. */
export function stepView({ stats, extension, obstacle, error, clock, ...form }: StepViewProps) {
  const { step } = form;
  return (
    <StepPage step={step} current="edit">
      <Problems problems={error === undefined ? [] : [error]} />
      {step === null ? (
        <StepForm {...form} />
      ) : (
        <>
          <State step={step} stats={stats} obstacle={obstacle} clock={clock} />
          {extension === null || obstacle?.kind === "launched" ? null : (
            <ExtensionForm id={step.id} extension={extension} timeZone={clock.timeZone} />
          )}
          <Section id="email" title="The email">
            <StepForm {...form} />
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
    </StepPage>
  );
}

type StateProps = Pick<StepViewProps, "stats" | "obstacle" | "clock"> & { step: Step };

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
