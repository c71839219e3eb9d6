import { findImport, type Import } from "#app/features/import/imports.server.ts";
import { resume, showImportProgress, stop } from "#app/features/import/progress-page.server.tsx";
import { answerOpenQuestions, confirm, showReview } from "#app/features/import/review-page.server.tsx";
import { check, discard, showSettings } from "#app/features/import/settings-page.server.tsx";
import { runIntent } from "#app/owner/ui/intent.server.ts";
import type { OwnerContext, OwnerHandler } from "#app/owner/ui/owner-context.ts";

/** The page of an import: its settings, what the check found, or how far it is. */
export function showImport(c: OwnerContext, found: Import) {
  if (found.state === "staged" || c.req.query("change") !== undefined) return showSettings(c, found);
  return found.state === "checked" ? showReview(c, found) : showImportProgress(c, found);
}

export function changeImport(c: OwnerContext, found: Import) {
  return runIntent(c, { check, settle: answerOpenQuestions, confirm, continue: resume, stop, discard }, found);
}

/** Handles requests with the import that their path names, once its file is stored. */
export function withImport(handle: (c: OwnerContext, found: Import) => ReturnType<OwnerHandler>): OwnerHandler {
  return async (c) => {
    const found = await findImport(c.var.app.db, Number(c.req.param("id")));
    return found === null || found.state === "receiving" ? c.notFound() : handle(c, found);
  };
}
