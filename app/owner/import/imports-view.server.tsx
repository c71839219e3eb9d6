import { MAX_FILE_SIZE, MAX_ROWS } from "#app/owner/import/import-error.ts";
import type { Import } from "#app/owner/import/imports.server.ts";
import type { ImportState } from "#app/owner/import/schema.server.ts";
import type { OwnerView } from "#app/owner/ui/document.server.tsx";
import { formatNumber, formatTime } from "#app/owner/ui/labels.ts";
import type { WorkersPlan } from "#app/server/plan-limits.ts";

interface ImportsProps {
  /** Newest first. */
  earlier: Import[];
  /** Why the chosen file cannot be imported. */
  error: string | null;
  timeZone: string;
  plan: WorkersPlan;
}

const states: Record<ImportState, string> = {
  receiving: "Upload not finished",
  staged: "Not checked yet",
  checked: "Not confirmed yet",
  running: "Running",
  done: "Done",
  stopped: "Stopped",
};

export function importsView({ earlier, error, timeZone, plan }: ImportsProps): OwnerView {
  return {
    title: "Import",
    section: "import",
    body: (
      <main id="main" className="page owner">
        <h1>Import people</h1>
        <p className="lead">
          Add people who joined elsewhere, such as on a list at a fair. No one is added before you have seen what would
          happen and confirmed it.
        </p>
        <Upload error={error} />
        <Requirements plan={plan} />
        <Earlier earlier={earlier} timeZone={timeZone} />
      </main>
    ),
  };
}

function Upload({ error }: { error: string | null }) {
  return (
    <form className="owner-form import-upload" method="post" action="/owner/import" encType="multipart/form-data">
      <label htmlFor="file">CSV file</label>
      <input
        id="file"
        name="file"
        type="file"
        accept=".csv,.tsv,.txt,text/csv"
        required
        aria-invalid={error === null ? undefined : true}
        aria-describedby={error === null ? undefined : "file-error"}
      />
      {error === null ? null : (
        <p className="owner-error" id="file-error" role="alert">
          {error} Nothing was stored.
        </p>
      )}
      <button className="button" type="submit">
        Upload and choose columns
      </button>
    </form>
  );
}

function Requirements({ plan }: { plan: WorkersPlan }) {
  return (
    <section aria-labelledby="requirements">
      <h2 id="requirements">What the file needs</h2>
      <ul>
        <li>
          A header row with the column names, and one person per row. One column holds the email addresses; all others
          are optional.
        </li>
        <li>People who agreed to get email. You record when and how they agreed.</li>
        <li>
          {`At most ${formatNumber(MAX_ROWS)} people and ${MAX_FILE_SIZE / 1_048_576} MB, separated by commas, semicolons or tabs.`}
        </li>
        <li>Files that this site exported can be imported as they are.</li>
      </ul>
      {plan === "free" ? (
        <p>
          The free Workers plan allows little CPU time per request. For large files, use the command line:{" "}
          <code>npm run owner -- import FILE --remote</code>
        </p>
      ) : null}
    </section>
  );
}

function Earlier({ earlier, timeZone }: Pick<ImportsProps, "earlier" | "timeZone">) {
  if (earlier.length === 0) return null;
  return (
    <section aria-labelledby="earlier">
      <h2 id="earlier">Imports</h2>
      <table className="owner-table entry-table import-list">
        <caption>Newest first. A file that is not confirmed is deleted after a day.</caption>
        <thead>
          <tr>
            <th scope="col">File</th>
            <th scope="col">Uploaded</th>
            <th scope="col">State</th>
            <th scope="col" className="number">
              Added
            </th>
          </tr>
        </thead>
        <tbody>
          {earlier.map((found) => (
            <tr key={found.id}>
              <th scope="row" className="words">
                {found.state === "receiving" ? (
                  found.file_name
                ) : (
                  <a href={`/owner/import/${found.id}`}>{found.file_name}</a>
                )}
              </th>
              <td data-label="Uploaded">{formatTime(found.created_at, timeZone)}</td>
              <td data-label="State">{states[found.state]}</td>
              <td className="number" data-label="Added">
                {formatNumber(found.added)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
