import { exportDetails, streamExport } from "#app/owner/entries/export.server.ts";
import { isExportFormat, isServiceFormat } from "#app/owner/entries/export-formats.ts";
import { exportView } from "#app/owner/entries/export-view.server.tsx";
import { readSelection } from "#app/owner/entries/list-handlers.server.ts";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { readForm } from "#app/server/read-form.server.ts";
import { localDate } from "#app/server/time-zone-days.ts";
import { countEntries } from "#app/waitlist/list-entries.server.ts";

/** Offers the entries that the list shows in several formats. */
export function showExport(c: OwnerContext) {
  return renderExport(c);
}

async function renderExport(c: OwnerContext, problems: string[] = []) {
  const { db } = c.var.app;
  const { state, selection, problems: ignored } = readSelection(c);
  const [count, mayGetEmail] = await Promise.all([
    countEntries(db, selection),
    countEntries(db, { ...selection, mayGetEmail: true }),
  ]);
  const { search } = selection;
  if (problems.length > 0) c.status(400);
  return c.render(exportView({ state, search, count, mayGetEmail, problems: [...problems, ...ignored] }));
}

/** A POST, so that neither a link nor a prefetch downloads people's data. */
export async function downloadExport(c: OwnerContext) {
  const { now, timeZone } = c.var.app;
  const { selection, problems } = readSelection(c);
  // With a filter left out, the file would have more people than the owner asked for.
  if (problems.length > 0) return renderExport(c, ["Nothing was exported."]);
  const form = await readForm(c.req.raw);
  const format = form.get("format");
  if (!isExportFormat(format)) return renderExport(c, ["Choose a format."]);
  const exported = { ...selection, mayGetEmail: isServiceFormat(format) || form.get("people") !== "all" };
  // Recorded at the start, because an interrupted export has already revealed entries.
  await c.var.record("export", exportDetails(exported, format));
  const name = `waitlist-${localDate(now(), timeZone)}${format === "csv" ? "" : `-${format}`}.csv`;
  return c.body(streamExport(c.var.app, exported, format), 200, {
    "Content-Type": "text/csv; charset=utf-8",
    "Content-Disposition": `attachment; filename="${name}"`,
  });
}

/** The address of a download leads to the page that offers it. */
export function redirectToExport(c: OwnerContext) {
  return c.redirect(`/owner/export${new URL(c.req.url).search}`, 302);
}
