import { readPause, retryNow } from "#app/email/pauses.server.ts";
import {
  pauseLetter,
  resolveUnknown,
  resumeLetter,
  stopLetter,
  unscheduleLetter,
} from "#app/features/letters/send/letter-states.server.ts";
import { findFailedAttempt, readLetterStats } from "#app/features/letters/send/letter-stats.server.ts";
import { type Letter, type ShownLetter, shownState } from "#app/features/letters/send/letters.server.ts";
import { describeAudience } from "#app/features/letters/write/audience.ts";
import { Duplicate, PublicChoice } from "#app/features/letters/write/letter-actions.server.tsx";
import { LetterPage, toLetter } from "#app/features/letters/write/letter-frame.server.tsx";
import { LetterResults } from "#app/features/letters/write/letter-results.server.tsx";
import { describeStatus } from "#app/features/letters/write/letter-status.server.ts";
import { Actions, ButtonForm, Confirm } from "#app/owner/ui/actions.server.tsx";
import { Facts } from "#app/owner/ui/data.server.tsx";
import { badRequest } from "#app/owner/ui/error-pages.server.tsx";
import { counted, formatNumber, formatTime } from "#app/owner/ui/labels.ts";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { Advanced, Section } from "#app/owner/ui/page.server.tsx";

export async function showProgress(c: OwnerContext, letter: ShownLetter) {
  const { db, timeZone, now } = c.var.app;
  const at = now();
  const reads = [readLetterStats(db, letter, timeZone), readPause(db, at), findFailedAttempt(db, letter, at)] as const;
  const [stats, pause, failed] = await Promise.all(reads);
  const { id, state } = letter;
  const status = describeStatus({ letter, stats, pause, failed, timeZone, now: at });
  const isRunning = state === "sending";
  const settled = stats.expected - stats.pending;
  return c.render(
    <LetterPage letter={letter}>
      {/* The one place that says how far the letter is. */}
      <div
        id="status"
        className={`message narrow letter-${shownState(letter)} message-${status.isProblem ? "error" : "info"}`}
      >
        <p>
          <strong>{status.current}</strong>
        </p>
        <p>{status.next}</p>
        <Advanced>{status.advanced}</Advanced>
      </div>
      {isRunning ? (
        <>
          <div className="form-field narrow letter-progress">
            <label htmlFor="progress">
              {`Done: ${formatNumber(settled)} of ${counted(stats.expected, "person", "people")}`}
            </label>
            <progress id="progress" value={settled} max={Math.max(1, stats.expected)} />
          </div>
          <Refresh id={id} timeZone={timeZone} now={at} isRefreshed={c.req.query("refreshed") !== undefined} />
        </>
      ) : null}
      <LetterControls letter={letter} unknown={stats.unknown} />
      {state === "scheduled" ? null : <LetterResults id={id} stats={stats} />}
      <Section id="letter" title="The letter">
        <Facts facts={factsOf(letter, timeZone)} />
        <p>
          <a className="quiet-link" href={`/owner/letters/${id}/preview`}>
            See the letter
          </a>
        </p>
        <Duplicate letter={letter} />
      </Section>
      <PublicChoice letter={letter} back="progress" />
    </LetterPage>,
  );
}

type OwnerApp = OwnerContext["var"]["app"];

interface Change {
  action: string;
  done: string;
  /** Whether anything changed; a number of recipients counts from one. */
  apply: (app: OwnerApp, id: number) => Promise<boolean | number>;
}

const changes: Record<string, Change> = {
  unschedule: { action: "unschedule-letter", done: "unscheduled", apply: ({ db }, id) => unscheduleLetter(db, id) },
  pause: { action: "pause-letter", done: "paused", apply: ({ db, now }, id) => pauseLetter(db, id, now()) },
  resume: { action: "resume-letter", done: "resumed", apply: resume },
  stop: { action: "stop-letter", done: "stopped", apply: ({ db, now }, id) => stopLetter(db, id, now()) },
  "send-again": resolution("send-again"),
  "count-as-sent": resolution("count-as-sent"),
};

function resolution(decision: "send-again" | "count-as-sent"): Change {
  const apply = ({ db, now }: OwnerApp, id: number) => resolveUnknown(db, id, decision, now());
  return { action: "resolve-letter", done: "resolved", apply };
}

/** Resumes the letter, and lets the next run of the cron job try the provider again if all email is paused. */
async function resume({ db, now }: OwnerApp, id: number): Promise<boolean> {
  const isResumed = await resumeLetter(db, id);
  if (isResumed) await retryNow(db, now());
  return isResumed;
}

export async function steerLetter(c: OwnerContext, { id }: Letter) {
  const intent = c.var.form.get("intent");
  const change = typeof intent === "string" && Object.hasOwn(changes, intent) ? changes[intent] : undefined;
  if (change === undefined) return badRequest(c);
  const changed = await change.apply(c.var.app, id);
  if (changed === false || changed === 0) return toLetter(c, id, "?done=unchanged");
  const decision: Record<string, string | number> =
    typeof changed === "number" ? { people: changed, decision: String(intent) } : {};
  await c.var.record(change.action, { letterId: id, ...decision });
  return toLetter(c, id, `?done=${change.done}`);
}

interface RefreshProps {
  id: number;
  timeZone: string;
  now: number;
  isRefreshed: boolean;
}

/** A link to the same page: nothing moves by itself, and the focus is on the link again, which reads out the status. */
function Refresh({ id, timeZone, now, isRefreshed }: RefreshProps) {
  const clock = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium", timeZone });
  return (
    <p className="hint letter-refresh">
      {`As of ${clock.format(now)}.`}{" "}
      <a
        className="quiet-link"
        href={`/owner/letters/${id}?refreshed`}
        aria-describedby="status"
        // biome-ignore lint/a11y/noAutofocus: only after it was pressed
        autoFocus={isRefreshed}
      >
        Refresh
      </a>
    </p>
  );
}

function LetterControls({ letter, unknown }: { letter: ShownLetter; unknown: number }) {
  const { id, state, pause } = letter;
  const action = `/owner/letters/${id}`;
  const isRunning = state === "sending";
  return (
    <>
      {unknown > 0 ? <Unknown action={action} unknown={unknown} canSend={isRunning} /> : null}
      <Actions>
        {state === "scheduled" ? (
          <ButtonForm label="Cancel and return to draft" action={action} value="unschedule" />
        ) : null}
        {isRunning && pause !== null ? (
          <ButtonForm
            label={pause.reason === "first-recipients" ? "Resume now" : "Resume"}
            action={action}
            value="resume"
          />
        ) : null}
        {/* A pause that ends by itself can become one that does not. */}
        {isRunning && pause?.until !== null ? (
          <ButtonForm label={pause === null ? "Pause" : "Keep it paused"} action={action} value="pause" />
        ) : null}
      </Actions>
      {isRunning ? (
        <Confirm
          label="Stop the letter"
          question="Stop for good"
          action={action}
          value="stop"
          text="No one else is sent this letter, and it cannot be resumed."
        />
      ) : null}
    </>
  );
}

function Unknown({ action, unknown, canSend }: { action: string; unknown: number; canSend: boolean }) {
  return (
    <Section id="unknown" title={`${counted(unknown, "person", "people")}: sent or not?`}>
      <p>
        The email provider never confirmed these emails, so they may have arrived. Look for them in the provider’s own
        log, then decide.{canSend ? " Sending again may give some people the letter twice." : ""}
      </p>
      <Actions>
        <ButtonForm label="Count them as sent" action={action} value="count-as-sent" />
        {canSend ? <ButtonForm label="Send them again" action={action} value="send-again" /> : null}
      </Actions>
    </Section>
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
