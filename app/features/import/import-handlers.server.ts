import type { ImportedEntry } from "#app/features/import/add-imported.server.ts";
import { checkedRows, checkRows } from "#app/features/import/file/check.server.ts";
import { guessMapping } from "#app/features/import/file/fields.ts";
import { ImportError } from "#app/features/import/file/import-error.ts";
import type { ImportSettings } from "#app/features/import/file/to-entry.server.ts";
import { importJobs } from "#app/features/import/import-jobs.server.ts";
import {
  confirmImport,
  discardImport,
  findImport,
  firstRows,
  type Import,
  importedToday,
  listImports,
  nextLines,
  resumeImport,
  saveCheck,
  stagedRows,
  stopImport,
} from "#app/features/import/imports.server.ts";
import { importsView } from "#app/features/import/imports-view.server.tsx";
import { chosenWords, hasOpenQuestions } from "#app/features/import/open-questions.ts";
import { importProgressView } from "#app/features/import/progress-view.server.tsx";
import { type GivenSettings, readOrder, readSettings } from "#app/features/import/read-settings.server.ts";
import { importReviewView } from "#app/features/import/review-view.server.tsx";
import { importSettingsView } from "#app/features/import/settings-view.server.tsx";
import { stageImport } from "#app/features/import/stage.server.ts";
import { readUpload } from "#app/features/import/upload.server.ts";
import { badRequest } from "#app/owner/ui/error-pages.server.tsx";
import type { OwnerContext, OwnerHandler } from "#app/owner/ui/owner-context.ts";
import { fieldText } from "#app/server/http/read-form.server.ts";
import { discardBody } from "#app/server/http/request-guards.ts";
import { logError, logInfo } from "#app/server/log.ts";
import { runJobs, TIME_AFTER_RESPONSE } from "#app/server/queue.server.ts";

/** Statements of a request besides those for chunks. */
const OTHER_STATEMENTS = 8;

const LISTED_IMPORTS = 20;

const SHOWN_ROWS = 5;

/** @param error why a file cannot be imported */
export async function showImports(c: OwnerContext, error: string | null = null) {
  const { db, timeZone, plan } = c.var.app;
  const earlier = await listImports(db, LISTED_IMPORTS);
  if (error !== null) c.status(422);
  return c.render(importsView({ earlier, error, timeZone, plan }));
}

/** Stores the uploaded file; adds no entries. */
export async function uploadFile(c: OwnerContext) {
  const { db, plan, now } = c.var.app;
  try {
    const { name, bytes } = await readUpload(c.req.raw);
    const options = { fileName: name, maxChunks: plan.subrequests - OTHER_STATEMENTS, now: now() };
    const id = await stageImport(db, bytes, options);
    return c.redirect(`/owner/import/${id}`, 303);
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    await discardBody(c.req.raw);
    return showImports(c, error.message);
  }
}

export async function showImport(c: OwnerContext, found: Import) {
  if (found.state === "staged" || c.req.query("change") !== undefined) return settingsPage(c, found, null);
  if (found.state === "checked") return reviewPage(c, found);
  const { db, now, timeZone, plan } = c.var.app;
  const waitsForTomorrow = found.state === "running" && (await importedToday(db, now())) >= plan.importedADay;
  const lines = found.state === "stopped" ? await nextLines(db, found.id, plan.importedAtOnce) : null;
  return c.render(importProgressView({ found, timeZone, plan, lines, waitsForTomorrow }));
}

export async function changeImport(c: OwnerContext, found: Import) {
  const { form } = c.var;
  const { db, now } = c.var.app;
  const importId = found.id;
  switch (form.get("intent")) {
    case "check":
      return check(c, found);
    case "settle":
      return settle(c, found);
    case "confirm": {
      const checkedAt = Number(form.get("checked"));
      if (found.report !== null && hasOpenQuestions(found.report, found.settings)) break;
      if (await confirmImport(db, found.id, checkedAt, now())) {
        const people = found.report?.ready ?? 0;
        await c.var.record("import", { importId, people });
        logInfo("import-confirmed", { importId, people });
        c.var.app.waitUntil(continueNow(c));
      }
      break;
    }
    case "continue":
      if (await resumeImport(db, found.id, now())) await c.var.record("continue-import", { importId });
      c.var.app.waitUntil(continueNow(c));
      break;
    case "stop":
      if (await stopImport(db, found.id, now())) await c.var.record("stop-import", { importId });
      break;
    case "discard":
      if (await discardImport(db, found.id)) await c.var.record("discard-import", { importId });
      return c.redirect("/owner/import", 303);
    default:
      return badRequest(c);
  }
  return c.redirect(`/owner/import/${found.id}`, 303);
}

async function check(c: OwnerContext, found: Import) {
  const { timeZone, now } = c.var.app;
  const checkedAt = now();
  const given = readSettings(c.var.form, { columns: found.columns.length, timeZone, now: checkedAt });
  if (given.errors.length > 0) return settingsPage(c, found, given);
  return saveChecked(c, found, { words: found.settings?.words ?? {}, ...given.settings }, checkedAt);
}

/** Checks every row again, with the owner's answers to what the file leaves open. */
async function settle(c: OwnerContext, found: Import) {
  const { form } = c.var;
  const { report, settings } = found;
  // Its words are numbered as the page that was answered numbered them.
  if (report === null || settings === null || Number(form.get("checked")) !== found.checked_at)
    return c.redirect(`/owner/import/${found.id}`, 303);
  const words = chosenWords(report, (field, _word, index) => fieldText(form, `${field}.${index}`));
  const monthFirst = report.ambiguousDates > 0 ? readOrder(fieldText(form, "dates")) : settings.monthFirst;
  return saveChecked(c, found, { ...settings, words, monthFirst }, c.var.app.now());
}

async function saveChecked(c: OwnerContext, { id }: Import, settings: ImportSettings, checkedAt: number) {
  const { db } = c.var.app;
  const checked = await checkRows(db, () => stagedRows(db, id), { settings, now: checkedAt });
  await saveCheck(db, id, { ...checked, now: checkedAt });
  return c.redirect(`/owner/import/${id}`, 303);
}

/** Runs as much as one invocation may; the cron job continues. */
async function continueNow(c: OwnerContext) {
  const { app } = c.var;
  const run = { subrequests: app.plan.subrequests - OTHER_STATEMENTS, until: app.now() + TIME_AFTER_RESPONSE };
  await runJobs(app, [importJobs], run).catch((error: unknown) => logError("import-interrupted", error));
}

async function settingsPage(c: OwnerContext, found: Import, given: GivenSettings | null) {
  if (found.state !== "staged" && found.state !== "checked") return c.redirect(`/owner/import/${found.id}`, 303);
  const rows = (await firstRows(c.var.app.db, found.id)).slice(0, SHOWN_ROWS);
  const settings = given?.settings ?? found.settings ?? defaultSettings(c, found.columns);
  if (given !== null) c.status(422);
  return c.render(importSettingsView({ found, settings, rows, errors: given?.errors ?? [] }));
}

function defaultSettings(c: OwnerContext, columns: string[]): ImportSettings {
  const mapping = guessMapping(columns);
  const { timeZone } = c.var.app;
  return { mapping, consentDate: null, note: "", timeZone, monthFirst: null, welcome: false };
}

async function reviewPage(c: OwnerContext, found: Import) {
  const { db, now, timeZone, plan, emailsPerHour, mustConfirm, mailer } = c.var.app;
  const settings = found.settings ?? defaultSettings(c, found.columns);
  const context = { settings, now: found.checked_at ?? 0 };
  const entries: ImportedEntry[] = [];
  for await (const { entry } of checkedRows([await firstRows(db, found.id)], context)) {
    if (entry !== null && entries.push(entry) === SHOWN_ROWS) break;
  }
  const sending = { emailsPerHour, hasSender: mailer !== null };
  const today = await importedToday(db, now());
  return c.render(importReviewView({ found, entries, today, timeZone, plan, mustConfirm, sending }));
}

/** Handles requests with the import that their path names, once its file is stored. */
export function withImport(handle: (c: OwnerContext, found: Import) => ReturnType<OwnerHandler>): OwnerHandler {
  return async (c) => {
    const found = await findImport(c.var.app.db, Number(c.req.param("id")));
    return found === null || found.state === "receiving" ? c.notFound() : handle(c, found);
  };
}
