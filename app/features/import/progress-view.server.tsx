import type { ImportReport } from "#app/features/import/file/check.server.ts";
import { importJobs } from "#app/features/import/import-jobs.server.ts";
import type { Import } from "#app/features/import/imports.server.ts";
import { ImportProblems } from "#app/features/import/problems-page.server.tsx";
import { percentDone, rowsDone } from "#app/features/import/progress.ts";
import { allImports } from "#app/features/import/settings-view.server.tsx";
import { Actions, ButtonForm, ButtonLink, Confirm } from "#app/owner/ui/actions.server.tsx";
import { Tile } from "#app/owner/ui/data.server.tsx";
import { counted, formatNumber, formatTime } from "#app/owner/ui/labels.ts";
import { Advanced, Message, Page } from "#app/owner/ui/page.server.tsx";
import type { PlanLimits } from "#app/server/config/plan-limits.ts";

interface ImportProgressProps {
  found: Import;
  timeZone: string;
  plan: PlanLimits;
  /** If it is stopped and can go on: the lines of the file that are next. */
  lines: { first: number; last: number } | null;
  /** Whether the day's rows are used up. */
  waitsForTomorrow: boolean;
}

export function importProgressView({ found, ...context }: ImportProgressProps) {
  const report = found.report as ImportReport;
  const isRunning = found.state === "running";
  const listed = Math.max(0, report.ready - found.added - found.suppressed);
  return (
    <Page
      title={{ running: "Importing", stopped: "Import stopped" }[found.state as string] ?? "Import finished"}
      section="import"
      back={allImports}
    >
      <p className="lead">{found.file_name}</p>
      {isRunning ? <Running found={found} {...context} /> : <Finished found={found} {...context} />}
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
          {context.lines === null ? null : <ButtonForm label="Continue" kind="main" value="continue" />}
          <ButtonLink
            label="See imported people"
            kind={context.lines === null ? "main" : "quiet"}
            href="/owner/entries?imported=yes"
          />
        </Actions>
      )}
      <ImportProblems report={report} download={null} />
      {isRunning || context.lines !== null ? (
        <Confirm
          label={isRunning ? "Stop now" : "Give up now"}
          question={isRunning ? "Stop the import" : "Give up the import"}
          value="stop"
          text="The people who were added stay on the waitlist. The rest of the file is deleted."
        />
      ) : null}
    </Page>
  );
}

function Running({ found, waitsForTomorrow }: Pick<ImportProgressProps, "found" | "waitsForTomorrow">) {
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

function Finished({ found, ...context }: ImportProgressProps) {
  const when = found.finished_at === null ? "" : ` ${formatTime(found.finished_at, context.timeZone)}`;
  const text = found.state === "stopped" ? "Stopped" : "Finished";
  return (
    <>
      <Message kind="success">{`${text}${when}. ${counted(found.added, "person was", "people were")} added.`}</Message>
      {found.stop_reason === null || found.stop_reason === "owner" ? null : (
        <WhyStopped reason={found.stop_reason} {...context} />
      )}
    </>
  );
}

type WhyStoppedProps = Pick<ImportProgressProps, "plan" | "lines"> & { reason: "failed" | "interrupted" };

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
