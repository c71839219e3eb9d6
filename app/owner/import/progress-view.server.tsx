import type { ImportReport } from "#app/owner/import/check.server.ts";
import type { Import } from "#app/owner/import/imports.server.ts";
import { ImportProblems } from "#app/owner/import/problems-view.server.tsx";
import { Actions, ButtonForm, ButtonLink, Confirm } from "#app/owner/ui/actions.server.tsx";
import { Tile } from "#app/owner/ui/data.server.tsx";
import { counted, formatTime } from "#app/owner/ui/labels.ts";
import { Message, Page } from "#app/owner/ui/page.server.tsx";

interface ImportProgressProps {
  found: Import;
  timeZone: string;
}

/** How far a confirmed import is, or what it did. */
export function importProgressView({ found, timeZone }: ImportProgressProps) {
  const report = found.report as ImportReport;
  const isRunning = found.state === "running";
  const listed = Math.max(0, report.ready - found.added - found.suppressed);
  return (
    <Page
      title={{ running: "Importing", stopped: "Import stopped" }[found.state as string] ?? "Import finished"}
      section="import"
    >
      <p className="lead">{found.file_name}</p>
      {isRunning ? <Running found={found} /> : <Finished found={found} timeZone={timeZone} />}
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
          <ButtonLink label="See the entries" href="/owner/entries" />
        </Actions>
      )}
      <ImportProblems report={report} download={null} />
      {isRunning ? (
        <Confirm
          label="Stop now"
          question="Stop the import"
          value="stop"
          text="The people who were added stay on the waitlist. The rest of the file is deleted."
        />
      ) : null}
    </Page>
  );
}

function Running({ found: { id, position, chunks } }: { found: Import }) {
  return (
    <>
      <p>
        <label htmlFor="progress">{`${Math.floor((position / chunks) * 100)}% done.`}</label>{" "}
        <progress id="progress" value={position} max={chunks} />
      </p>
      <p>You can leave this page: the import continues by itself, at the latest after a minute.</p>
      <Actions>
        <ButtonLink label="Refresh" href={`/owner/import/${id}`} />
        <ButtonForm label="Continue now" value="continue" />
      </Actions>
    </>
  );
}

function Finished({ found, timeZone }: ImportProgressProps) {
  const when = found.finished_at === null ? "" : ` ${formatTime(found.finished_at, timeZone)}`;
  const text = found.state === "stopped" ? "Stopped" : "Finished";
  return (
    <>
      <Message kind="success">{`${text}${when}. ${counted(found.added, "person was", "people were")} added.`}</Message>
      {found.stop_reason === "failures" ? (
        <Message kind="error">
          The next people could not be added, although the site tried for an hour. The rest of the file is deleted. The
          Worker’s log says why it failed. Import the file again when that is mended: everyone who was added stays as
          they are.
        </Message>
      ) : null}
    </>
  );
}
