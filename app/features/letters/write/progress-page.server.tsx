import { readPause, retryNow } from "#app/email/pauses.server.ts";
import { countAudience, readSubjectsIn } from "#app/features/letters/send/audience.server.ts";
import {
  pauseLetter,
  resolveUnknown,
  resumeLetter,
  startForPresent,
  stopLetter,
  unscheduleLetter,
} from "#app/features/letters/send/letter-states.server.ts";
import {
  findFailedAttempt,
  type LetterStats,
  readLetterStats,
} from "#app/features/letters/send/letter-stats.server.ts";
import { type Letter, type ShownLetter, shownState } from "#app/features/letters/send/letters.server.ts";
import { describeAudience } from "#app/features/letters/write/audience.ts";
import { CountedResults, readCounted } from "#app/features/letters/write/counted-links.server.tsx";
import { Duplicate, LetterPage, PublicChoice, toLetter } from "#app/features/letters/write/letter-frame.server.tsx";
import { describeStatus } from "#app/features/letters/write/letter-status.server.ts";
import { Actions, ButtonForm, Confirm } from "#app/owner/ui/actions.server.tsx";
import { Facts, Table, Tile } from "#app/owner/ui/data.server.tsx";
import { counted, formatNumber, formatRate, formatTime } from "#app/owner/ui/labels.ts";
import { type OwnerContext, parseId } from "#app/owner/ui/owner-context.ts";
import { Advanced, Section } from "#app/owner/ui/page.server.tsx";
import { recipientReasons, recipientStates } from "#app/server/db/recipient-reasons.ts";
import { fieldText } from "#app/server/http/read-form.server.ts";
import { shortDate } from "#app/server/time/british-date.ts";
import type { EpochMillis } from "#app/server/time/units.ts";

export async function showLetterProgress(c: OwnerContext, letter: ShownLetter) {
  const { db, timeZone, now } = c.var.app;
  const at = now();
  const [stats, pause, failed, countedLinks] = await Promise.all([
    readLetterStats(db, letter, timeZone),
    readPause(db, at),
    findFailedAttempt(db, letter, at),
    readCounted(c, { ...letter, since: letter.started_at }),
  ]);
  const isScheduled = letter.state === "scheduled";
  const [subjects, present] = await Promise.all([
    readSubjectsIn(db, letter.audience),
    isScheduled ? countAudience(c.var.app, letter.audience) : letter.expected,
  ]);
  const { id, state } = letter;
  const action = `/owner/letters/${id}`;
  const people = counted(letter.expected, "person", "people");
  const recipients = isScheduled ? `About ${counted(present, "person", "people")}` : people;
  const words = describeAudience(letter.audience, subjects);
  const timeText = (time: EpochMillis | null) => (time === null ? null : `${formatTime(time, timeZone)} (${timeZone})`);
  const status = describeStatus({ letter, stats, pause, failed, present, timeZone, now: at });
  const isRunning = state === "sending";
  const processed = stats.expected - stats.pending;
  const clock = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium", timeZone });
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
            <label htmlFor="progress">{`Done: ${formatNumber(processed)} of ${people}`}</label>
            <progress id="progress" value={processed} max={Math.max(1, stats.expected)} />
          </div>
          {/* A link to the same page: nothing moves by itself, and the focus is on the link again, which reads out the status. */}
          <p className="hint spaced">
            {`As of ${clock.format(at)}.`}{" "}
            <a
              className="quiet-link"
              href={`/owner/letters/${id}?refreshed`}
              aria-describedby="status"
              // biome-ignore lint/a11y/noAutofocus: only after it was pressed
              autoFocus={c.req.query("refreshed") !== undefined}
            >
              Refresh
            </a>
          </p>
        </>
      ) : null}
      {stats.unknown > 0 ? (
        <Section id="unknown" title={`${counted(stats.unknown, "person", "people")}: sent or not?`}>
          <p>
            The email provider never confirmed these emails, so they may have arrived. Look for them in the provider’s
            own log, then decide.{isRunning ? " Sending again may give some people the letter twice." : ""}
          </p>
          <Actions>
            <ButtonForm label="Count them as sent" action={action} value="count-as-sent" />
            {isRunning ? <ButtonForm label="Send them again" action={action} value="send-again" /> : null}
          </Actions>
        </Section>
      ) : null}
      <Actions>
        {isScheduled && letter.pause !== null && present > 0 ? (
          <ButtonForm
            label={`Send to ${counted(present, "person", "people")}`}
            kind="main"
            action={action}
            value="send-to-present"
            hidden={{ count: String(present), version: String(letter.updated_at) }}
          />
        ) : null}
        {isScheduled ? (
          <ButtonForm
            label={letter.pause === null ? "Cancel and return to draft" : "Change…"}
            action={action}
            value="unschedule"
          />
        ) : null}
        {isRunning && letter.pause !== null ? (
          <ButtonForm
            label={letter.pause.reason === "first-recipients" ? "Resume now" : "Resume"}
            action={action}
            value="resume"
          />
        ) : null}
        {/* A pause that ends by itself can become one that does not. */}
        {isRunning && letter.pause?.until !== null ? (
          <ButtonForm label={letter.pause === null ? "Pause" : "Keep it paused"} action={action} value="pause" />
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
      {isScheduled ? null : <LetterResults id={id} stats={stats} />}
      <CountedResults counted={countedLinks} />
      <Section id="letter" title="The letter">
        <Facts
          facts={[
            ["To", words.length === 0 ? recipients : `${recipients} (${words.join("; ")})`],
            ["Confirmed", isScheduled ? people : null],
            ["Invitation", letter.is_invitation ? "Yes" : "No"],
            ["Started", timeText(letter.started_at)],
            ["Ended", timeText(letter.finished_at)],
          ]}
        />
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

/** What the owner can do with a letter that is scheduled or was started. */
export const progressHandlers = {
  unschedule,
  "send-to-present": sendToPresent,
  pause,
  resume,
  stop,
  "send-again": resolve,
  "count-as-sent": resolve,
};

async function unschedule(c: OwnerContext, { id }: Letter) {
  return afterChange(c, id, "unschedule-letter", (await unscheduleLetter(c.var.app.db, id)) && "unscheduled");
}

/** Who presses it has seen how many match. If far more do by now, the page says so once more. */
async function sendToPresent(c: OwnerContext, { id }: Letter) {
  const count = parseId(fieldText(c.var.form, "count")) ?? 0;
  const seen = parseId(fieldText(c.var.form, "version"));
  const outcome = await startForPresent(c.var.app, id, { count, seen });
  const { people = count } = outcome;
  return afterChange(c, id, "send-letter", outcome.kind === "started" && "started", { people });
}

async function pause(c: OwnerContext, { id }: Letter) {
  const { db, now } = c.var.app;
  return afterChange(c, id, "pause-letter", (await pauseLetter(db, id, now())) && "paused");
}

/** Resumes the letter, and lets the next run of the cron job try the provider again if all email is paused. */
async function resume(c: OwnerContext, { id }: Letter) {
  const { db, now } = c.var.app;
  const isResumed = await resumeLetter(db, id);
  if (isResumed) await retryNow(db, now());
  return afterChange(c, id, "resume-letter", isResumed && "resumed");
}

async function stop(c: OwnerContext, { id }: Letter) {
  const { db, now } = c.var.app;
  return afterChange(c, id, "stop-letter", (await stopLetter(db, id, now())) && "stopped");
}

async function resolve(c: OwnerContext, { id }: Letter) {
  const { db, now } = c.var.app;
  const decision = c.var.form.get("intent") === "send-again" ? "send-again" : "count-as-sent";
  const people = await resolveUnknown(db, id, decision, now());
  return afterChange(c, id, "resolve-letter", people > 0 && "resolved", { people, decision });
}

/** Records a change and leads to the letter, whose page says what came of it; without an outcome nothing was changed. */
async function afterChange(c: OwnerContext, id: number, action: string, outcome: string | false, details = {}) {
  if (outcome !== false) await c.var.record(action, { letterId: id, ...details });
  return toLetter(c, id, `?done=${outcome || "unchanged"}`);
}

function LetterResults({ id, stats }: { id: number; stats: LetterStats }) {
  const rated = (name: string, value: number) => (
    <Tile name={name} value={value}>
      {stats.sent === 0 ? null : formatRate(value, stats.sent)}
    </Tile>
  );
  return (
    <Section id="stats" title="Results">
      <dl className="tiles">
        <Tile name="Sent" value={stats.sent} main />
        <Tile name="Waiting" value={stats.pending} />
        <Tile name="Skipped" value={stats.skipped} />
        <Tile name="Failed" value={stats.failed} />
        {stats.unknown > 0 ? <Tile name="Unknown" value={stats.unknown} /> : null}
      </dl>
      <Reasons reasons={stats.reasons} />
      <h3>Of those sent it</h3>
      <dl className="tiles">
        {rated("Permanent bounces", stats.bounced)}
        {rated("Temporary bounces", stats.bouncedSoftly)}
        {rated("Reported it as spam", stats.complained)}
        {rated("Unsubscribed", stats.unsubscribed)}
      </dl>
      <Table
        className="narrow cards letter-days"
        caption="By day"
        columns={[
          { name: "Day", cell: ({ date }) => shortDate(date) },
          { name: "Sent", kind: "number", cell: ({ sent }) => formatNumber(sent) },
          { name: "Permanent bounces", kind: "number", cell: ({ bounced }) => formatNumber(bounced) },
          { name: "Temporary bounces", kind: "number", cell: ({ bouncedSoftly }) => formatNumber(bouncedSoftly) },
          { name: "Spam", kind: "number", cell: ({ complained }) => formatNumber(complained) },
          { name: "Left", kind: "number", cell: ({ unsubscribed }) => formatNumber(unsubscribed) },
        ]}
        rows={stats.days}
        rowKey={({ date }) => date}
      />
      <ButtonForm label="Download the recipients (CSV)" action={`/owner/letters/${id}/recipients.csv`} />
    </Section>
  );
}

export function Reasons({ reasons }: Pick<LetterStats, "reasons">) {
  return (
    <Table
      className="narrow"
      caption="Why people were not sent it, or may not have been"
      columns={[
        { name: "Reason", cell: ({ state, reason }) => `${recipientStates[state]}: ${recipientReasons[reason]}` },
        { name: "People", kind: "number", cell: ({ people }) => formatNumber(people) },
      ]}
      rows={reasons}
      rowKey={({ state, reason }) => `${state} ${reason}`}
    />
  );
}
