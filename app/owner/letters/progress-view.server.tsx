import type { LetterStats } from "#app/email/letters/letter-stats.server.ts";
import type { Letter } from "#app/email/letters/letters.server.ts";
import { describeAudience } from "#app/owner/letters/audience.ts";
import { Duplicate, LetterControls, PublicChoice } from "#app/owner/letters/letter-controls.server.tsx";
import { LetterPage } from "#app/owner/letters/letter-frame.server.tsx";
import { LetterResults } from "#app/owner/letters/letter-stats.server.tsx";
import { describeStatus, type StatusContext } from "#app/owner/letters/letter-status.server.ts";
import { Facts } from "#app/owner/ui/data.server.tsx";
import { counted, formatNumber, formatTime } from "#app/owner/ui/labels.ts";
import { Advanced, Section } from "#app/owner/ui/page.server.tsx";

interface LetterProgressProps extends StatusContext {
  stats: LetterStats;
  /** Whether the owner has refreshed the page, which keeps the focus where it was. */
  isRefreshed: boolean;
}

export function letterProgressView(props: LetterProgressProps) {
  const { letter, stats, timeZone } = props;
  const isScheduled = letter.state === "scheduled";
  return (
    <LetterPage letter={letter}>
      <Status {...props} />
      <LetterControls letter={letter} unknown={stats.unknown} />
      {isScheduled ? null : <LetterResults id={letter.id} stats={stats} />}
      <Section id="letter" title="The letter">
        <Facts facts={factsOf(letter, timeZone)} />
        <p>
          <a className="quiet-link" href={`/owner/letters/${letter.id}/preview`}>
            See the letter
          </a>
        </p>
        <Duplicate letter={letter} />
      </Section>
      <PublicChoice letter={letter} back="progress" />
    </LetterPage>
  );
}

/** The one place that says how far the letter is. */
function Status({ isRefreshed, ...context }: LetterProgressProps) {
  const { letter, stats } = context;
  const { current, next, isProblem, advanced } = describeStatus(context);
  const isRunning = letter.state === "sending" || letter.state === "paused";
  return (
    <>
      <div
        id="status"
        className={`message letter-status letter-${letter.state} message-${isProblem ? "error" : "info"}`}
      >
        <p>
          <strong>{current}</strong>
        </p>
        <p>{next}</p>
        <Advanced>{advanced}</Advanced>
      </div>
      {isRunning ? (
        <>
          <Bar stats={stats} />
          <Refresh {...context} isRefreshed={isRefreshed} />
        </>
      ) : null}
    </>
  );
}

function Bar({ stats: { expected, pending } }: { stats: LetterStats }) {
  const settled = expected - pending;
  return (
    <div className="form-field narrow letter-progress">
      <label htmlFor="progress">{`Done: ${formatNumber(settled)} of ${counted(expected, "person", "people")}`}</label>
      <progress id="progress" value={settled} max={Math.max(1, expected)} />
    </div>
  );
}

/** A link to the same page: nothing moves by itself, and the focus is on the link again, which reads out the status. */
function Refresh({ letter, timeZone, now, isRefreshed }: Omit<LetterProgressProps, "stats">) {
  const clock = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium", timeZone });
  return (
    <p className="hint letter-refresh">
      {`As of ${clock.format(now)}.`}{" "}
      <a
        className="quiet-link"
        href={`/owner/letters/${letter.id}?refreshed`}
        aria-describedby="status"
        // biome-ignore lint/a11y/noAutofocus: only after it was pressed
        autoFocus={isRefreshed}
      >
        Refresh
      </a>
    </p>
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
