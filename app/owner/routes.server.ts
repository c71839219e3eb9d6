import { Hono, type MiddlewareHandler } from "hono";
import { createMiddleware } from "hono/factory";
import { changeEntry, showEntry } from "#app/owner/entries/entry-handlers.server.ts";
import { downloadExport, redirectToExport, showExport } from "#app/owner/entries/export-handlers.server.ts";
import { search, showList } from "#app/owner/entries/list-handlers.server.ts";
import { changeImport, showImport, showImports, uploadFile } from "#app/owner/import/import-handlers.server.ts";
import { downloadProblems, redirectToImport } from "#app/owner/import/problems-handlers.server.ts";
import { changeAudience, showAudience } from "#app/owner/letters/audience-handlers.server.ts";
import {
  addLetter,
  changeLetter,
  newLetter,
  refuseLargeForm,
  showLetter,
  showLetters,
} from "#app/owner/letters/letters-handlers.server.ts";
import { showEmail, showPreview } from "#app/owner/letters/preview-handlers.server.ts";
import { downloadRecipients } from "#app/owner/letters/progress-handlers.server.ts";
import { letterLimit } from "#app/owner/letters/read-content.server.ts";
import { send, showSend } from "#app/owner/letters/send-handlers.server.ts";
import { downloadQrCode, makeLink, showLinks, showSign } from "#app/owner/links/links-handlers.server.ts";
import { showLog } from "#app/owner/log/log-handlers.server.ts";
import { renewOverview, retryDeadEmails, showOverview } from "#app/owner/overview/overview-handlers.server.ts";
import { formGuards, requireSession } from "#app/owner/sign-in/require-session.server.ts";
import {
  requestSignInLink,
  showLink,
  signIn,
  signOut,
  signOutEverywhere,
} from "#app/owner/sign-in/sign-in-handlers.server.ts";
import { renderDocument } from "#app/owner/ui/document.server.tsx";
import { errorView, notFoundView } from "#app/owner/ui/error-pages.server.tsx";
import type { OwnerBindings } from "#app/owner/ui/owner-context.ts";
import { noScriptCsp } from "#app/server/csp.server.ts";
import { newErrorReference } from "#app/server/error-reference.ts";
import { logError } from "#app/server/log.ts";
import { identifyOwners } from "#app/server/owners.server.ts";
import type { PageRecord } from "#app/ui/page-record.ts";

/** Stops injected scripts from running, unless the handler has set a policy. */
const noScript = createMiddleware(async (c, next) => {
  await next();
  const { headers } = c.res;
  if (headers.has("Content-Security-Policy") || !headers.get("Content-Type")?.startsWith("text/html")) return;
  c.header("Content-Security-Policy", noScriptCsp);
});

const isLetterSize = letterLimit(refuseLargeForm);

const pages = new Hono<OwnerBindings>()
  .basePath("/owner")
  .use(noScript)
  .use(...formGuards)
  .post("/sign-in", requestSignInLink)
  .get("/sign-in/:token", showLink)
  .post("/sign-in/:token", signIn)
  .use(requireSession)
  .get("/", showOverview)
  .post("/stats", renewOverview)
  .post("/outbox/retry", retryDeadEmails)
  .get("/entries", showList)
  .post("/entries", search)
  .get("/entries/:id{[0-9]{1,15}}", showEntry)
  .post("/entries/:id{[0-9]{1,15}}", changeEntry)
  .get("/export", (c) => showExport(c))
  .get("/export.csv", redirectToExport)
  .post("/export.csv", downloadExport)
  .get("/log", showLog)
  .get("/import", showImports)
  .post("/import", uploadFile)
  .get("/import/:id{[0-9]{1,15}}", showImport)
  .post("/import/:id{[0-9]{1,15}}", changeImport)
  .get("/import/:id{[0-9]{1,15}}/problems.csv", redirectToImport)
  .post("/import/:id{[0-9]{1,15}}/problems.csv", downloadProblems)
  .get("/letters", showLetters)
  .post("/letters", isLetterSize, addLetter)
  .get("/letters/new", newLetter)
  .get("/letters/:id{[0-9]{1,15}}", showLetter)
  .post("/letters/:id{[0-9]{1,15}}", isLetterSize, changeLetter)
  .get("/letters/:id{[0-9]{1,15}}/preview", showPreview)
  .get("/letters/:id{[0-9]{1,15}}/email", showEmail)
  .get("/letters/:id{[0-9]{1,15}}/audience", showAudience)
  .post("/letters/:id{[0-9]{1,15}}/audience", changeAudience)
  .get("/letters/:id{[0-9]{1,15}}/send", showSend)
  .post("/letters/:id{[0-9]{1,15}}/send", send)
  .post("/letters/:id{[0-9]{1,15}}/recipients.csv", downloadRecipients)
  .get("/links", showLinks)
  .post("/links", makeLink)
  .get("/links/sign", showSign)
  .get("/links/qr.svg", downloadQrCode)
  .post("/sign-out", signOut)
  .post("/sign-out-everywhere", signOutEverywhere);

/**
 * The owner's pages: HTML documents rendered on the server, without the React app.
 *
 * @param setApp sets `c.var.app`
 * @param publicPages the pages that links of the owner may lead to
 */
export function createOwnerPages(setApp: MiddlewareHandler, publicPages: readonly PageRecord[]) {
  return new Hono<OwnerBindings>()
    .use(setApp, async (c, next) => {
      const { app } = c.var;
      c.set("app", { ...app, owners: await identifyOwners(app.emailContext.ownerEmails) });
      c.set("publicPages", publicPages);
      return next();
    })
    .route("/", pages)
    .notFound((c) => c.html(renderDocument(notFoundView()), 404))
    .onError((error, c) => {
      const reference = newErrorReference();
      // Omits the path, which may hold a sign-in token.
      logError("owner-page-failed", error, { reference, method: c.req.method });
      return c.html(renderDocument(errorView(reference)), 503);
    });
}
