import { type Clock, describePause, type LetterPause } from "#app/owner/letters/letter-status.server.ts";
import { ButtonForm } from "#app/owner/ui/actions.server.tsx";
import { Advanced, Message } from "#app/owner/ui/page.server.tsx";

interface StepPauseProps {
  id: number;
  pause: LetterPause | null | undefined;
  clock: Clock;
  /** The page to return to. */
  back: "series" | "step";
}

/** Why a step is paused, with a button to resume it; nothing if it is not. */
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
        {pause.resumesAt === null ? " Until then, the other follow-ups wait as well." : ""}
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
