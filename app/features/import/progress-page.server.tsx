import type { ImportReport } from "#app/features/import/file/check.server.ts";
import { importJobs } from "#app/features/import/import-jobs.server.ts";
import {
  type Import,
  importedToday,
  nextLines,
  resumeImport,
  stopImport,
} from "#app/features/import/imports.server.ts";
import { ImportProblems } from "#app/features/import/problems-page.server.tsx";
import { allImports } from "#app/features/import/settings-page.server.tsx";
import { Actions, ButtonForm, ButtonLink, Confirm } from "#app/owner/ui/actions.server.tsx";
import { Tile } from "#app/owner/ui/data.server.tsx";
import { counted, formatNumber, formatTime } from "#app/owner/ui/labels.ts";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { Advanced, Message, Page } from "#app/owner/ui/page.server.tsx";
import type { PlanLimits } from "#app/server/config/plan-limits.ts";
import { logError } from "#app/server/log.ts";
import { runJobs, TIME_AFTER_RESPONSE } from "#app/server/queue.server.ts";

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

export async function showImportProgress(c: OwnerContext, found: Import) {
  const { db, now, timeZone, plan } = c.var.app;
  const isRunning = found.state === "running";
  // Whether the day's rows are used up.
  const waitsForTomorrow = isRunning && (await importedToday(db, now())) >= plan.importedADay;
  // If it is stopped and can go on: the lines of the file that are next.
  const lines = found.state === "stopped" ? await nextLines(db, found.id, plan.importedAtOnce) : null;
  const when = found.finished_at === null ? "" : ` ${formatTime(found.finished_at, timeZone)}`;
  const report = found.report as ImportReport;
  const listed = Math.max(0, report.ready - found.added - found.suppressed);
  return c.render(
    <Page
      title={{ running: "Importing", stopped: "Import stopped" }[found.state as string] ?? "Import finished"}
      section="import"
      back={allImports}
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
        <WhyStopped reason={found.stop_reason} plan={plan} lines={lines} />
      )}
      <dl className="tiles">
        <Tile name="Added" value={found.added} main />
        {found.state === "done" ? <Tile name="Already on the waitlist, unchanged" value={listed} /> : null}
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
            href="/owner/entries?imported=yes"
          />
        </Actions>
      )}
      <ImportProblems report={report} download={null} />
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
  reason: "failed" | "interrupted";
  plan: PlanLimits;
  lines: Awaited<ReturnType<typeof nextLines>>;
}

function WhyStopped({ reason, plan, lines }: WhyStoppedProps) {
  const where =
    lines === null ? "the next rows" : `rows in lines ${formatNumber(lines.first)} to ${formatNumber(lines.last)}`;
  const isKept = lines !== null;
  const rest = isKept ? "The rest of the file is kept for a day." : "The rest of the file is deleted.";
  if (reason === "failed") {
    return (
      <Message kind="error">
        {`Adding ${where} of the file failed ${importJobs.maxAttempts} times. ${rest} ${isKept ? "Continue once that is mended." : "Import it again once that is mended: everyone who was added stays."}\nAdvanced: the Worker’s log says why.`}
      </Message>
    );
  }
  return (
    <Message kind="error">
      <p>{`Cloudflare ended the site’s run ${importJobs.maxAttempts} times while it was adding ${where} of the file. ${rest} Everyone who was added stays${isKept ? ", and you can continue." : "."}`}</p>
      <Advanced>
        {plan.jobsOfEachKind === 1
          ? "the free Workers plan allows a run 10 ms of CPU time, which these rows may exceed. "
          : "the run may have exceeded its CPU time or memory, or a deployment may have interrupted it. "}
        The command line has no such limits: <code>npm run owner -- import FILE --remote</code>
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
