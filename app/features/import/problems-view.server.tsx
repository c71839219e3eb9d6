import type { ImportReport } from "#app/features/import/file/check.server.ts";
import { type ProblemCode, problemText } from "#app/features/import/file/problems.ts";
import { ButtonForm } from "#app/owner/ui/actions.server.tsx";
import { Table } from "#app/owner/ui/data.server.tsx";
import { formatNumber } from "#app/owner/ui/labels.ts";
import { Section } from "#app/owner/ui/page.server.tsx";

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
    <Section id="problems" title="Rows left out">
      <ul>
        {Object.entries(problems).map(([code, count]) => (
          <li key={code}>{`${problemText({ code: code as ProblemCode })}: ${formatNumber(count)}`}</li>
        ))}
      </ul>
      {download === null ? null : <ButtonForm label="Download these rows as CSV" action={download} />}
      <details className="data" open={first.length <= 10}>
        <summary>
          {first.length < total ? `Show the first ${first.length} problems by line` : "Show problems by line"}
        </summary>
        <Table
          columns={[
            { name: "Line", cell: ({ line }) => line },
            { name: "Problem", kind: "words", cell: problemText },
          ]}
          rows={first}
          rowKey={({ line, code, field }) => `${line} ${code} ${field}`}
        />
      </details>
    </Section>
  );
}
