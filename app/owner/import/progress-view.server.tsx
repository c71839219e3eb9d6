import type { ImportReport } from "#app/owner/import/check.server.ts";
import type { Import } from "#app/owner/import/imports.server.ts";
import { ImportProblems } from "#app/owner/import/problems-view.server.tsx";
import type { OwnerView } from "#app/owner/ui/document.server.tsx";
import { formatNumber, formatTime } from "#app/owner/ui/labels.ts";
import { Tile } from "#app/owner/ui/tile.server.tsx";

interface ImportProgressProps {
  found: Import;
  timeZone: string;
}

/** How far a confirmed import is, or what it did. */
export function importProgressView({ found, timeZone }: ImportProgressProps): OwnerView {
  const report = found.report as ImportReport;
  const title = { running: "Importing", stopped: "Import stopped" }[found.state as string] ?? "Import finished";
  return {
    title,
    section: "import",
    body: (
      <main id="main" className="page owner">
        <h1>{title}</h1>
        <p className="lead import-file">{found.file_name}</p>
        {found.state === "running" ? <Running found={found} /> : <Finished found={found} timeZone={timeZone} />}
        <dl className="tiles">
          <Tile name="Added" value={found.added} main />
          {found.state === "running" ? null : <Results found={found} report={report} />}
          <Tile name="Rows left out" value={report.leftOut} />
        </dl>
        {found.state === "running" ? null : (
          <p>
            <a className="button" href="/owner/entries">
              See the entries
            </a>
          </p>
        )}
        <ImportProblems report={report} download={null} />
        {found.state === "running" ? <Stop /> : null}
      </main>
    ),
  };
}

function Results({ found, report }: { found: Import; report: ImportReport }) {
  const listed = Math.max(0, report.ready - found.added - found.suppressed);
  return (
    <>
      {found.state === "done" ? <Tile name="Already on the waitlist, unchanged" value={listed} /> : null}
      {found.suppressed > 0 ? <Tile name="Not added: they get no email" value={found.suppressed} /> : null}
    </>
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
      <div className="import-confirm">
        <a className="button" href={`/owner/import/${id}`}>
          Refresh
        </a>
        <form method="post">
          <button className="button button-quiet" name="intent" value="continue" type="submit">
            Continue now
          </button>
        </form>
      </div>
    </>
  );
}

function Finished({ found, timeZone }: ImportProgressProps) {
  const when = found.finished_at === null ? "" : ` ${formatTime(found.finished_at, timeZone)}`;
  const text = found.state === "stopped" ? "Stopped" : "Finished";
  return (
    <>
      <p className="owner-answer" role="status">
        {`${text}${when}. ${formatNumber(found.added)} ${found.added === 1 ? "person was" : "people were"} added.`}
      </p>
      {found.stop_reason === "failures" ? (
        <p className="owner-error">
          The next people could not be added, although the site tried for an hour. The rest of the file is deleted. The
          Worker’s log says why it failed. Import the file again when that is mended: everyone who was added stays as
          they are.
        </p>
      ) : null}
    </>
  );
}

function Stop() {
  return (
    <details className="entry-erase">
      <summary className="button button-quiet">Stop the import</summary>
      <form method="post">
        <p>The people who were added stay on the waitlist. The rest of the file is deleted.</p>
        <button className="button button-danger" name="intent" value="stop" type="submit">
          Stop now
        </button>
      </form>
    </details>
  );
}
