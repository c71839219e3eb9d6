import type { ImportReport } from "#app/owner/import/check.server.ts";
import { type ProblemCode, problemText } from "#app/owner/import/problems.ts";
import { formatNumber } from "#app/owner/ui/labels.ts";

interface ImportProblemsProps {
  report: ImportReport;
  /** Where all problems can be downloaded; null if they cannot any more. */
  download: string | null;
}

/** What is wrong with the rows that are left out: how often each problem occurs, and the first ones by line. */
export function ImportProblems({ report: { leftOut, problems, first }, download }: ImportProblemsProps) {
  if (leftOut === 0) return null;
  const total = Object.values(problems).reduce((sum, count) => sum + count, 0);
  return (
    <section aria-labelledby="problems">
      <h2 id="problems">Rows left out</h2>
      <ul>
        {Object.entries(problems).map(([code, count]) => (
          <li key={code}>{`${problemText({ code: code as ProblemCode })}: ${formatNumber(count)}`}</li>
        ))}
      </ul>
      {download === null ? null : (
        <form method="post" action={download}>
          <button className="button button-quiet" type="submit">
            Download these rows as CSV
          </button>
        </form>
      )}
      <details className="numbers" open={first.length <= 10}>
        <summary>
          {first.length < total ? `Show the first ${first.length} problems by line` : "Show problems by line"}
        </summary>
        <table className="owner-table">
          <thead>
            <tr>
              <th scope="col">Line</th>
              <th scope="col">Problem</th>
            </tr>
          </thead>
          <tbody>
            {first.map((problem) => (
              <tr key={`${problem.line} ${problem.code} ${problem.field}`}>
                <th scope="row">{problem.line}</th>
                <td className="words">{problemText(problem)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  );
}
