import type { StepStats } from "#app/email/series/series-stats.server.ts";
import type { Clock } from "#app/owner/letters/letter-status.server.ts";
import { StepPause } from "#app/owner/series/step-pause.server.tsx";
import { StepResults } from "#app/owner/series/step-results.server.tsx";
import { Actions, ButtonForm } from "#app/owner/ui/actions.server.tsx";
import type { Step } from "#app/server/db/schema/series.server.ts";

interface StepItemProps {
  step: Step;
  /** Undefined for one without recipients. */
  stats: StepStats | undefined;
  /** Whether a step can be switched on here. */
  canStart: boolean;
  clock: Clock;
}

/** A step on the page of all. */
export function StepItem({ step, stats, canStart, clock }: StepItemProps) {
  const { id, days, subject, audience } = step;
  const href = `/owner/series/${id}`;
  const heading = `step-${id}`;
  return (
    <li className={step.letter_id === null ? "series-step series-off" : "series-step"}>
      <p className="series-day">
        <span>Day</span> <strong>{days}</strong>
      </p>
      <div className="panel">
        <div className="row series-head">
          <h2 id={heading}>
            <a className="quiet-link" href={href}>
              {subject || "No subject"}
            </a>
          </h2>
          <StepState step={step} stats={stats} />
        </div>
        <p className="hint">{audience === null ? "For everyone" : `For the view “${audience.name}”`}</p>
        <StepPause id={id} pause={stats?.pause} clock={clock} back="series" />
        <StepResults stats={stats} isOn={step.letter_id !== null} />
        <Actions>
          <SwitchButton step={step} canStart={canStart} describedBy={heading} back="series" />
          <a className="quiet-link" href={href} aria-describedby={heading}>
            Edit
          </a>
        </Actions>
      </div>
    </li>
  );
}

export function StepState({ step, stats }: { step: Step; stats: StepStats | undefined }) {
  if (step.letter_id === null) return <span className="status">Off</span>;
  if (stats?.pause) return <span className="status series-status-paused">Paused</span>;
  return <span className="status series-status-on">On</span>;
}

interface SwitchButtonProps {
  step: Step;
  canStart: boolean;
  /** Of the button that switches it on. */
  kind?: "main" | "quiet";
  describedBy?: string;
  /** The page to return to. */
  back: "series" | "step";
}

/** Switches a step on or off; nothing if it cannot be switched on. */
export function SwitchButton({
  step: { id, letter_id },
  canStart,
  kind = "quiet",
  describedBy,
  back,
}: SwitchButtonProps) {
  const common = { action: `/owner/series/${id}`, describedBy, hidden: { back } };
  if (letter_id !== null) return <ButtonForm {...common} value="switch-off" label="Switch off" />;
  return canStart ? <ButtonForm {...common} value="switch-on" label="Switch on" kind={kind} /> : null;
}
