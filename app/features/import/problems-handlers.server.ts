import { checkedRows } from "#app/features/import/file/check.server.ts";
import { problemText } from "#app/features/import/file/problems.ts";
import { type Import, stagedRows } from "#app/features/import/imports.server.ts";
import { CSV_BOM, csvLine, escapeFormulas } from "#app/owner/ui/csv.ts";
import { downloadCsv } from "#app/owner/ui/download-csv.ts";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { streamText } from "#app/owner/ui/stream-text.server.ts";

/** Every row that is left out, with its line and why, as CSV. A POST, as for every download of people's data. */
export async function downloadProblems(c: OwnerContext, found: Import) {
  if (found.settings === null || found.report === null || found.confirmed_at !== null) return c.notFound();
  await c.var.record("download-problems", { importId: found.id, rows: found.report.leftOut });
  const context = { settings: found.settings, now: found.checked_at ?? 0 };
  const lines = problemLines(found, checkedRows(stagedRows(c.var.app.db, found.id), context));
  return downloadCsv(c, `import-${found.id}-problems.csv`, streamText(lines, "import-problems-failed"));
}

/** The address of a download leads to the page that offers it. */
export function redirectToImport(c: OwnerContext) {
  return c.redirect(`/owner/import/${c.req.param("id")}`, 302);
}

async function* problemLines({ columns }: Import, rows: ReturnType<typeof checkedRows>): AsyncGenerator<string> {
  yield CSV_BOM + csvLine(["line", "problem", ...columns.map(escapeFormulas)]);
  for await (const { row, problems } of rows) {
    if (problems === null) continue;
    const [line, cells] = row;
    const text = problems.map((problem) => problemText(problem)).join("; ");
    yield csvLine([line, text, ...(typeof cells === "string" ? [] : cells.map(escapeFormulas))]);
  }
}
