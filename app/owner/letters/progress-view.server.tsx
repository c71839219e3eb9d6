import { pauseReasons } from "#app/email/letters/letter-reasons.ts";
import type { LetterStats } from "#app/email/letters/letter-stats.server.ts";
import type { Letter } from "#app/email/letters/letters.server.ts";
import { describeAudience } from "#app/owner/letters/describe-audience.ts";
import { LetterControls } from "#app/owner/letters/letter-controls.server.tsx";
import { letterView } from "#app/owner/letters/letter-frame.server.tsx";
import { PublicChoice } from "#app/owner/letters/letter-public.server.tsx";
import { LetterResults } from "#app/owner/letters/letter-stats.server.tsx";
import type { OwnerView } from "#app/owner/ui/document.server.tsx";
import { formatNumber, formatTime } from "#app/owner/ui/labels.ts";
import { reasonText } from "#app/server/db/email-reasons.ts";

interface LetterProgressProps {
  /** Scheduled or started. */
  letter: Letter;
  stats: LetterStats;
  /** Why emails of the whole site wait, or null. */
  pause: string | null;
  timeZone: string;
  done: string | undefined;
}

export function letterProgressView({ letter, stats, pause, timeZone, done }: LetterProgressProps): OwnerView {
  const isRunning = letter.state === "sending" || letter.state === "paused";
  return letterView({
    letter,
    step: null,
    done,
    children: (
      <>
        <State letter={letter} timeZone={timeZone} />
        {pause === null || letter.state !== "sending" ? null : <p className="owner-error">{pause}</p>}
        {letter.state === "scheduled" ? null : <Bar stats={stats} isRunning={isRunning} />}
        <LetterControls letter={letter} unknown={stats.unknown} />
        {letter.state === "scheduled" ? null : <LetterResults id={letter.id} stats={stats} />}
        <Facts letter={letter} timeZone={timeZone} />
        <PublicChoice letter={letter} back="progress" />
      </>
    ),
  });
}

function State({ letter, timeZone }: { letter: Letter; timeZone: string }) {
  const { state, scheduled_for, pause_reason, resumes_at, fault } = letter;
  if (state === "scheduled" && scheduled_for !== null) {
    return <p className="lead">{`It starts on ${formatTime(scheduled_for, timeZone)} (${timeZone}).`}</p>;
  }
  if (state !== "paused" || pause_reason === null) return null;
  const why = fault === null ? "" : `: ${reasonText(fault)}`;
  const until = resumes_at === null ? "" : ` It goes on by itself on ${formatTime(resumes_at, timeZone)}.`;
  const isPlanned = pause_reason === "first-recipients" || pause_reason === "owner";
  return <p className={isPlanned ? "owner-answer" : "owner-error"}>{`${pauseReasons[pause_reason]}${why}.${until}`}</p>;
}

function Bar({ stats: { expected, pending }, isRunning }: { stats: LetterStats; isRunning: boolean }) {
  const settled = expected - pending;
  const percent = expected === 0 ? 100 : Math.floor((settled / expected) * 100);
  return (
    <div className="letter-progress">
      <label htmlFor="progress">
        {`${percent}% done: ${formatNumber(settled)} of ${formatNumber(expected)} ${expected === 1 ? "person" : "people"}`}
      </label>
      <progress id="progress" value={settled} max={Math.max(1, expected)} />
      {isRunning ? <p className="letter-hint">You can leave this page: the site sends the letter by itself.</p> : null}
    </div>
  );
}

function Facts({ letter, timeZone }: { letter: Letter; timeZone: string }) {
  const { id, audience, is_invitation, expected, started_at, finished_at } = letter;
  const people = `${formatNumber(expected)} ${expected === 1 ? "person" : "people"}`;
  const words = describeAudience(audience);
  return (
    <section aria-labelledby="letter">
      <h2 id="letter">The letter</h2>
      <dl className="entry-facts letter-facts">
        <div>
          <dt>To</dt>
          <dd>{words.length === 0 ? people : `${people} (${words.join("; ")})`}</dd>
        </div>
        <div>
          <dt>Invitation</dt>
          <dd>{is_invitation ? "Yes" : "No"}</dd>
        </div>
        <Time name="Started" time={started_at} timeZone={timeZone} />
        <Time name="Ended" time={finished_at} timeZone={timeZone} />
      </dl>
      <p>
        <a className="quiet-link" href={`/owner/letters/${id}/preview`}>
          See the letter
        </a>
      </p>
    </section>
  );
}

function Time({ name, time, timeZone }: { name: string; time: number | null; timeZone: string }) {
  if (time === null) return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>{`${formatTime(time, timeZone)} (${timeZone})`}</dd>
    </div>
  );
}
