import type { FailedAttempt } from "#app/email/letters/failed-attempt.server.ts";
import { pauseReasons } from "#app/email/letters/letter-reasons.ts";
import type { LetterStats } from "#app/email/letters/letter-stats.server.ts";
import type { Letter } from "#app/email/letters/letters.server.ts";
import { describeAudience } from "#app/owner/letters/audience.ts";
import { LetterControls, PublicChoice } from "#app/owner/letters/letter-controls.server.tsx";
import { LetterPage } from "#app/owner/letters/letter-frame.server.tsx";
import { LetterResults } from "#app/owner/letters/letter-stats.server.tsx";
import { Facts } from "#app/owner/ui/data.server.tsx";
import { counted, formatNumber, formatTime } from "#app/owner/ui/labels.ts";
import { Message, Section } from "#app/owner/ui/page.server.tsx";
import { reasonText } from "#app/server/db/email-reasons.ts";

interface LetterProgressProps {
  /** Scheduled or started. */
  letter: Letter;
  stats: LetterStats;
  /** Why emails of the whole site wait, or null. */
  pause: string | null;
  /** Why emails of this letter wait for another attempt. */
  failed: FailedAttempt | null;
  timeZone: string;
}

export function letterProgressView({ letter, stats, pause, failed, timeZone }: LetterProgressProps) {
  const isScheduled = letter.state === "scheduled";
  const isRunning = letter.state === "sending" || letter.state === "paused";
  return (
    <LetterPage letter={letter}>
      <State letter={letter} timeZone={timeZone} />
      <Message kind="error">{letter.state === "sending" ? (pause ?? describe(failed, timeZone)) : null}</Message>
      {isScheduled ? null : <Bar stats={stats} isRunning={isRunning} isStopped={letter.state === "stopped"} />}
      <LetterControls letter={letter} unknown={stats.unknown} />
      {isScheduled ? null : <LetterResults id={letter.id} stats={stats} />}
      <Section id="letter" title="The letter">
        <Facts facts={factsOf(letter, timeZone)} />
        <p>
          <a className="quiet-link" href={`/owner/letters/${letter.id}/preview`}>
            See the letter
          </a>
        </p>
      </Section>
      <PublicChoice letter={letter} back="progress" />
    </LetterPage>
  );
}

function State({ letter, timeZone }: { letter: Letter; timeZone: string }) {
  const { state, scheduled_for, pause_reason, resumes_at, fault } = letter;
  if (state === "scheduled" && scheduled_for !== null) {
    return <p className="lead">{`It starts on ${formatTime(scheduled_for, timeZone)} (${timeZone}).`}</p>;
  }
  if (state !== "paused" || pause_reason === null) return null;
  const why = fault === null ? "" : `: ${reasonText(fault)}`;
  const until = resumes_at === null ? "" : ` Sending resumes at ${formatTime(resumes_at, timeZone)}.`;
  const isPlanned = pause_reason === "first-recipients" || pause_reason === "owner";
  return <Message kind={isPlanned ? "info" : "error"}>{`${pauseReasons[pause_reason]}${why}.${until}`}</Message>;
}

function describe(failed: FailedAttempt | null, timeZone: string): string | null {
  if (failed === null) return null;
  return `${reasonText(failed.reason)}. The next attempt is on ${formatTime(failed.nextAt, timeZone)} (${timeZone}). Nothing is lost.`;
}

interface BarProps {
  stats: LetterStats;
  isRunning: boolean;
  isStopped: boolean;
}

function Bar({ stats: { expected, pending, sent }, isRunning, isStopped }: BarProps) {
  // Nobody waits for a letter that was stopped, but not everybody got it.
  const settled = isStopped ? sent : expected - pending;
  const percent = expected === 0 ? 100 : Math.floor((settled / expected) * 100);
  const of = `${formatNumber(settled)} of ${counted(expected, "person", "people")}`;
  return (
    <div className="form-field narrow letter-progress">
      <label htmlFor="progress">{isStopped ? `Stopped after it was sent to ${of}` : `${percent}% done: ${of}`}</label>
      <progress id="progress" value={settled} max={Math.max(1, expected)} />
      {isRunning ? <p className="hint">You can leave this page: the site sends the letter by itself.</p> : null}
    </div>
  );
}

function factsOf(letter: Letter, timeZone: string): [string, string | null][] {
  const { audience, is_invitation, expected, started_at, finished_at } = letter;
  const people = counted(expected, "person", "people");
  const words = describeAudience(audience);
  const time = (at: number | null) => (at === null ? null : `${formatTime(at, timeZone)} (${timeZone})`);
  return [
    ["To", words.length === 0 ? people : `${people} (${words.join("; ")})`],
    ["Invitation", is_invitation ? "Yes" : "No"],
    ["Started", time(started_at)],
    ["Ended", time(finished_at)],
  ];
}
