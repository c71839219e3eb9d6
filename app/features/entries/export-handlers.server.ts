import { exportDetails, streamExport } from "#app/features/entries/export.server.ts";
import { isExportFormat, isServiceFormat } from "#app/features/entries/export-formats.ts";
import { exportView } from "#app/features/entries/export-view.server.tsx";
import { readSelection } from "#app/features/entries/list-handlers.server.ts";
import { viewHref } from "#app/features/entries/views/saved-view.ts";
import { findView, listViews } from "#app/features/entries/views/saved-views.server.ts";
import { downloadCsv } from "#app/owner/ui/download-csv.ts";
import { type OwnerContext, parseId } from "#app/owner/ui/owner-context.ts";
import { localDate } from "#app/server/time-zone-days.ts";
import { countEntries } from "#app/waitlist/filter/list-entries.server.ts";

/** Offers the entries that the list shows in several formats. */
export async function showExport(c: OwnerContext, problems: string[] = []) {
  const { db } = c.var.app;
  const view = await findView(db, parseId(c.req.query("view")) ?? 0);
  if (view !== null) return c.redirect(viewHref(view, "/owner/export"), 302);
  const { state, selection, problems: ignored } = readSelection(c);
  const [count, mayGetEmail, views] = await Promise.all([
    countEntries(db, selection),
    countEntries(db, { ...selection, mayGetEmail: true }),
    listViews(db),
  ]);
  const { search } = selection;
  if (problems.length > 0) c.status(400);
  return c.render(exportView({ state, search, count, mayGetEmail, views, problems: [...problems, ...ignored] }));
}

/** A POST, so that neither a link nor a prefetch downloads people's data. */
export async function downloadExport(c: OwnerContext) {
  const { now, timeZone } = c.var.app;
  const { selection, problems } = readSelection(c);
  // With a filter left out, the file would have more people than the owner asked for.
  if (problems.length > 0) return showExport(c, ["Nothing was exported."]);
  const { form } = c.var;
  const format = form.get("format");
  if (!isExportFormat(format)) return showExport(c, ["Choose a format."]);
  const exported = { ...selection, mayGetEmail: isServiceFormat(format) || form.get("people") !== "all" };
  // Recorded at the start, because an interrupted export has already revealed entries.
  await c.var.record("export", exportDetails(exported, format));
  const name = `waitlist-${localDate(now(), timeZone)}${format === "csv" ? "" : `-${format}`}.csv`;
  return downloadCsv(c, name, streamExport(c.var.app, exported, format));
}

/** The address of a download leads to the page that offers it. */
export function redirectToExport(c: OwnerContext) {
  return c.redirect(`/owner/export${new URL(c.req.url).search}`, 302);
}
