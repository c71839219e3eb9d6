import { and, desc, eq, sql } from "drizzle-orm";
import type { ImportReport } from "#app/features/import/file/check.server.ts";
import { ACCEPTED_DATES } from "#app/features/import/file/parse-date.ts";
import { importJobs } from "#app/features/import/import-jobs.server.ts";
import {
  type Import,
  importedToday,
  nextLines,
  resumeImport,
  stopImport,
} from "#app/features/import/imports.server.ts";
import { Actions, ButtonForm, ButtonLink, Confirm } from "#app/owner/ui/actions.server.tsx";
import { Table, Tile } from "#app/owner/ui/data.server.tsx";
import { counted, formatNumber, formatTime } from "#app/owner/ui/labels.ts";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { Advanced, Message, Page, Section } from "#app/owner/ui/page.server.tsx";
import type { PlanLimits } from "#app/server/config/plan-limits.ts";
import { bulkActions } from "#app/server/db/schema/bulk.server.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { logError } from "#app/server/log.ts";
import { runJobs, TIME_AFTER_RESPONSE } from "#app/server/queue.server.ts";
import { isSelected } from "#app/waitlist/filter/entry-filter.server.ts";
import type { EntrySelection } from "#app/waitlist/filter/filters.server.ts";
import { newestEntry } from "#app/waitlist/filter/list-entries.server.ts";

/** Statements of a request besides those for chunks. */
export const OTHER_STATEMENTS = 8;

export async function resume(c: OwnerContext, { id }: Import) {
  const { db, now } = c.var.app;
  if (await resumeImport(db, id, now())) await c.var.record("continue-import", { importId: id });
  continueNow(c);
  return c.redirect(`/owner/import/${id}`, 303);
}

export async function stop(c: OwnerContext, { id }: Import) {
  const { db, now } = c.var.app;
  if (await stopImport(db, id, now())) await c.var.record("stop-import", { importId: id });
  return c.redirect(`/owner/import/${id}`, 303);
}

/** Imports as much as one invocation may, after the response; the cron job continues. */
export function continueNow(c: OwnerContext): void {
  const { app } = c.var;
  const run = { subrequests: app.plan.subrequests - OTHER_STATEMENTS, until: app.now() + TIME_AFTER_RESPONSE };
  app.waitUntil(runJobs(app, [importJobs], run).catch((error: unknown) => logError("import-interrupted", error)));
}

export async function showProgress(c: OwnerContext, found: Import) {
  const { db, now, timeZone, plan } = c.var.app;
  const isRunning = found.state === "running";
  // Whether the day's rows are used up.
  const waitsForTomorrow = isRunning && (await importedToday(db, now())) >= plan.importedADay;
  // If it is stopped and can go on: the lines of the file that are next.
  const lines = found.state === "stopped" ? await nextLines(db, found.id, plan.importedAtOnce) : null;
  const when = found.finished_at === null ? "" : ` ${formatTime(found.finished_at, timeZone)}`;
  const report = found.report as ImportReport;
  const unchanged = Math.max(0, report.people - found.added - found.unsubscribed - found.filled - found.suppressed);
  return c.render(
    <Page
      title={{ running: "Importing", stopped: "Import stopped" }[found.state as string] ?? "Import finished"}
      section="import"
      back={{ href: "/owner/import", name: "All imports" }}
    >
      <p className="lead">{found.file_name}</p>
      {isRunning ? (
        <Running found={found} waitsForTomorrow={waitsForTomorrow} />
      ) : (
        <Message kind="success">
          {`${found.state === "stopped" ? "Stopped" : "Finished"}${when}. ${counted(found.added, "person was", "people were")} added.`}
        </Message>
      )}
      {found.stop_reason === null || found.stop_reason === "owner" ? null : (
        <WhyStopped isInterrupted={found.stop_reason === "interrupted"} plan={plan} lines={lines} />
      )}
      <dl className="tiles">
        <Tile name="Added" value={found.added} main />
        {found.unsubscribed > 0 ? <Tile name="Unsubscribed" value={found.unsubscribed} /> : null}
        {found.filled > 0 ? <Tile name="On the waitlist, answers filled in" value={found.filled} /> : null}
        {found.state === "done" ? <Tile name="Already on the waitlist, unchanged" value={unchanged} /> : null}
        {!isRunning && found.suppressed > 0 ? (
          <Tile name="Not added: they get no email" value={found.suppressed} />
        ) : null}
        <Tile name="Rows left out" value={report.leftOut} />
      </dl>
      {isRunning ? null : (
        <Actions>
          {lines === null ? null : <ButtonForm label="Continue" kind="main" value="continue" />}
          <ButtonLink
            label="See imported people"
            kind={lines === null ? "main" : "quiet"}
            href={`/owner/entries?imported=${found.id}`}
          />
        </Actions>
      )}
      <LeftOut report={report} download={null} />
      {isRunning || lines !== null ? null : (
        <Undo {...(await readUndo(c, found))} id={found.id} filled={found.filled} timeZone={timeZone} />
      )}
      {isRunning || lines !== null ? (
        <Confirm
          label={isRunning ? "Stop now" : "Give up now"}
          question={isRunning ? "Stop the import" : "Give up the import"}
          value="stop"
          text="The people who were added stay on the waitlist. The rest of the file is deleted."
        />
      ) : null}
    </Page>,
  );
}

function Running({ found, waitsForTomorrow }: { found: Import; waitsForTomorrow: boolean }) {
  const { id, rows, added } = found;
  const done = rowsDone(found);
  const text = `${percentDone(found)}% done: about ${formatNumber(done)} of ${counted(rows, "row", "rows")}, ${counted(added, "person", "people")} added.`;
  return (
    <>
      <p>
        <label htmlFor="progress">{text}</label> <progress id="progress" value={done} max={rows} />
      </p>
      {waitsForTomorrow ? (
        <Message>The rows that may be imported today are used up. This goes on after midnight UTC.</Message>
      ) : (
        <p>You can leave this page: the import continues by itself, at the latest after a minute.</p>
      )}
      <Actions>
        <ButtonLink label="Refresh" href={`/owner/import/${id}`} />
        <ButtonForm label="Continue now" value="continue" />
      </Actions>
    </>
  );
}

interface WhyStoppedProps {
  /** Whether the last attempt left no error: the platform ended it. */
  isInterrupted: boolean;
  plan: PlanLimits;
  lines: Awaited<ReturnType<typeof nextLines>>;
}

function WhyStopped({ isInterrupted, plan, lines }: WhyStoppedProps) {
  const where =
    lines === null ? "the next rows" : `rows in lines ${formatNumber(lines.first)} to ${formatNumber(lines.last)}`;
  const times = `${importJobs.maxAttempts} times`;
  const what = isInterrupted
    ? `Cloudflare ended the site’s run ${times} while it was adding ${where} of the file.`
    : `Adding ${where} of the file failed ${times}.`;
  const rest = lines === null ? "deleted: import the file again" : "kept for a day, so you can continue";
  const cpuTime =
    plan.jobsOfEachKind === 1
      ? "the free Workers plan allows a run 10 ms of CPU time, which these rows may exceed."
      : "the run may have exceeded its CPU time or memory, or a deployment may have interrupted it.";
  return (
    <Message kind="error">
      <p>{`${what} Everyone who was added stays. The rest of the file is ${rest}.`}</p>
      <Advanced>
        {isInterrupted ? cpuTime : "the Worker’s log says why."} The command line has no such limits:{" "}
        <code>npm run owner -- import FILE --remote</code>
      </Advanced>
    </Message>
  );
}

/** How many rows of a running import are done, about: chunks have about as many rows, and the last one has fewer. */
function rowsDone({ position, chunks, rows, rows_done, added, suppressed }: Import): number {
  const estimate = Math.floor((position / chunks) * rows) + rows_done;
  return Math.min(rows, Math.max(estimate, added + suppressed));
}

export function percentDone(found: Import): number {
  return Math.floor((rowsDone(found) / Math.max(1, found.rows)) * 100);
}

/** Who would be unsubscribed if the import is undone, or the change of many entries that has undone it. */
async function readUndo(c: OwnerContext, { id }: Import) {
  const { db } = c.var.app;
  const { kind, filter, finished_at, affected } = bulkActions;
  const isOfImport = sql`${filter} ->> 'imported' = ${id} AND ${filter} ->> 'untouched'`;
  const [undone] = await db
    .select({ id: bulkActions.id, finished_at, affected })
    .from(bulkActions)
    .where(and(eq(kind, "unsubscribe"), isOfImport))
    .orderBy(desc(bulkActions.id))
    .limit(1);
  const count = (selection: EntrySelection) =>
    db.$count(waitlistEmails, and(isSelected(db, selection), eq(waitlistEmails.status, "active")));
  const untouched = await count({ imported: id, untouched: true });
  const others = (await count({ imported: id })) - untouched;
  return { undone, untouched, others, newest: await newestEntry(db) };
}

type UndoProps = Awaited<ReturnType<typeof readUndo>> & { id: number; filled: number; timeZone: string };

function Undo({ id, filled, undone, untouched, others, newest, timeZone }: UndoProps) {
  const filter = `imported=${id}&untouched=yes`;
  const people = counted(untouched, "person", "people");
  const unsubscribed = " People whom the file marks as unsubscribed stay, so that no one adds them again.";
  const stay =
    others === 0
      ? ""
      : ` ${counted(others, "other stays", "others stay")}: they used a link, gave an answer, brought a friend or were sent a letter, or you added a note.`;
  return (
    <Section id="undo" title="Undo this import">
      {undone === undefined ? null : (
        <p>
          {`${counted(undone.affected, "person was", "people were")} unsubscribed ${undone.finished_at === null ? "so far" : `on ${formatTime(undone.finished_at, timeZone)}`}. `}
          <a href={`/owner/bulk/${undone.id}`}>Put them back, or erase them now</a>
        </p>
      )}
      {filled === 0 ? null : <p>{`Answers that were filled in for ${counted(filled, "person", "people")} stay.`}</p>}
      {untouched === 0 ? (
        <p>
          {undone === undefined
            ? "All of these people have changed since, or have left: there is no one to unsubscribe."
            : stay}
        </p>
      ) : (
        <>
          <p>{`This unsubscribes ${people} whose entries have not been touched since the import, and cancels welcome emails that wait for them. You can take it back for 30 days; then they are erased.${stay}${unsubscribed}`}</p>
          <Actions>
            <ButtonForm
              label={`Unsubscribe ${people}`}
              action={`/owner/entries/unsubscribe?${filter}`}
              hidden={{ newest: String(newest), count: String(untouched) }}
            />
            <ButtonLink label="Erase now" kind="quiet" href={`/owner/entries/erase?${filter}`} />
          </Actions>
        </>
      )}
    </Section>
  );
}

interface LeftOutProps {
  report: ImportReport;
  /** Where all rows can be downloaded; null if they cannot any more. */
  download: string | null;
}

/** The rows that are left out, each with its reasons; the list counts the first reason of each. */
export function LeftOut({ report: { leftOut, problems, first }, download }: LeftOutProps) {
  if (leftOut === 0) return null;
  return (
    <Section id="problems" title="Rows left out">
      <ul>
        {Object.entries(problems).map(([text, rows]) => (
          <li key={text}>{`${text}: ${formatNumber(rows)}`}</li>
        ))}
      </ul>
      {download === null ? null : <ButtonForm label="Download these rows as CSV" action={download} />}
      <details className="data" open={first.length <= 10}>
        <summary>{first.length < leftOut ? `Show the first ${first.length} by line` : "Show them by line"}</summary>
        <Table
          columns={[
            { name: "Line", cell: ({ line }) => line },
            { name: "Problem", kind: "words", cell: ({ text }) => text },
          ]}
          rows={first}
          rowKey={({ line }) => line}
        />
      </details>
      {Object.keys(problems).some((text) => text.includes("date")) ? (
        <p className="hint">{`Dates can be written as in ${ACCEPTED_DATES}.`}</p>
      ) : null}
    </Section>
  );
}
