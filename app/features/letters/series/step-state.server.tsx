import type { Pause } from "#app/email/pauses.server.ts";
import type { StepStats } from "#app/features/letters/series/series-stats.server.ts";
import { Reasons } from "#app/features/letters/write/letter-results.server.tsx";
import { type Clock, describePause } from "#app/features/letters/write/letter-status.server.ts";
import { ButtonForm } from "#app/owner/ui/actions.server.tsx";
import { formatNumber } from "#app/owner/ui/labels.ts";
import { Advanced, Message } from "#app/owner/ui/page.server.tsx";
import type { Step } from "#app/server/db/schema/series.server.ts";

/* The state of a step, and what became of it: on its own page and on that of all. */

export function StepState({ step, stats }: { step: Step; stats: StepStats | undefined }) {
  if (step.letter_id === null) return <span className="status">Off</span>;
  if (stats?.pause) return <span className="status error">Paused</span>;
  return <span className="status success">On</span>;
}

interface SwitchButtonProps {
  step: Step;
  canStart: boolean;
  /** Of the button that switches it on. */
  kind?: "main" | "quiet";
  describedBy?: string;
  back: "series" | "step";
}

export function SwitchButton({ step, canStart, kind = "quiet", describedBy, back }: SwitchButtonProps) {
  const common = { action: `/owner/series/${step.id}`, describedBy, hidden: { back } };
  if (step.letter_id !== null) return <ButtonForm {...common} value="switch-off" label="Switch off" />;
  return canStart ? <ButtonForm {...common} value="switch-on" label="Switch on" kind={kind} /> : null;
}

interface StepPauseProps {
  id: number;
  pause: Pause | null | undefined;
  clock: Clock;
  back: "series" | "step";
}

export function StepPause({ id, pause, clock, back }: StepPauseProps) {
  if (pause === null || pause === undefined) return null;
  const { current, next, isProblem, advanced } = describePause(pause, clock);
  return (
    <Message kind={isProblem ? "error" : "info"}>
      <p>
        <strong>{current}</strong>
      </p>
      <p>
        {next}
        {pause.until === null ? " Until then, the other follow-ups wait as well." : ""}
      </p>
      <Advanced>{advanced}</Advanced>
      <ButtonForm
        className="series-resume"
        action={`/owner/series/${id}`}
        hidden={{ back }}
        value="resume"
        label="Resume"
        describedBy={back === "series" ? `step-${id}` : undefined}
      />
    </Message>
  );
}

export function StepResults({ stats, isOn }: { stats: StepStats | undefined; isOn: boolean }) {
  if (stats === undefined) return isOn ? <p className="none series-stats">No one is due yet.</p> : null;
  const always: [name: string, people: number][] = [
    ["Sent", stats.sent],
    ["Unsubscribed", stats.unsubscribed],
    ["Permanent bounces", stats.bounced],
    ["Waiting", stats.pending],
  ];
  const sometimes: [name: string, people: number][] = [
    ["Temporary bounces", stats.bouncedSoftly],
    ["Reported as spam", stats.complained],
    ["Skipped", stats.skipped],
    ["Failed", stats.failed],
    ["Unknown", stats.unknown],
  ];
  return (
    <>
      <dl className="series-stats">
        {[...always, ...sometimes.filter(([, people]) => people > 0)].map(([name, people]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{formatNumber(people)}</dd>
          </div>
        ))}
      </dl>
      {stats.reasons.length === 0 ? null : (
        <details className="data">
          <summary>Show reasons</summary>
          <Reasons reasons={stats.reasons} />
        </details>
      )}
    </>
  );
}
