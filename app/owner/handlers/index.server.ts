import { Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { renderDocument } from "#app/owner/document.server.tsx";
import { changeEntry, showEntry } from "#app/owner/handlers/entry.server.ts";
import { downloadExport, redirectToExport, showExport } from "#app/owner/handlers/export.server.ts";
import { changeImport, showImport, showImports, uploadFile } from "#app/owner/handlers/import.server.ts";
import { downloadProblems, redirectToImport } from "#app/owner/handlers/import-problems.server.ts";
import { changeAudience, showAudience } from "#app/owner/handlers/letter-audience.server.ts";
import { showEmail, showPreview } from "#app/owner/handlers/letter-preview.server.ts";
import { downloadRecipients } from "#app/owner/handlers/letter-progress.server.ts";
import { send, showSend } from "#app/owner/handlers/letter-send.server.ts";
import {
  addLetter,
  changeLetter,
  newLetter,
  refuseLargeForm,
  showLetter,
  showLetters,
} from "#app/owner/handlers/letters.server.ts";
import { downloadQrCode, makeLink, showLinks, showSign } from "#app/owner/handlers/links.server.ts";
import { search, showList } from "#app/owner/handlers/list.server.ts";
import { showLog } from "#app/owner/handlers/log.server.ts";
import { renewOverview, retryDeadEmails, showOverview } from "#app/owner/handlers/overview.server.ts";
import { formGuards, requireSession } from "#app/owner/handlers/require-session.server.ts";
import { requestSignInLink, showLink, signIn, signOut, signOutEverywhere } from "#app/owner/handlers/sign-in.server.ts";
import type { OwnerBindings } from "#app/owner/handlers/types.ts";
import { letterLimit } from "#app/owner/letters/read-content.server.ts";
import { errorView, notFoundView } from "#app/owner/views/error-pages.server.tsx";
import { noScriptCsp } from "#app/server/csp.server.ts";
import { newErrorReference } from "#app/server/error-reference.ts";
import { logError } from "#app/server/log.ts";

/** Stops injected scripts from running, unless the handler has set a policy. */
const noScript = createMiddleware(async (c, next) => {
  await next();
  const { headers } = c.res;
  if (headers.has("Content-Security-Policy") || !headers.get("Content-Type")?.startsWith("text/html")) return;
  c.header("Content-Security-Policy", noScriptCsp);
});

const isLetterSize = letterLimit(refuseLargeForm);

/** The owner's pages: HTML documents rendered on the server, without the React app. */
export const pages = new Hono<OwnerBindings>()
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
  .post("/sign-out-everywhere", signOutEverywhere)
  .notFound((c) => c.html(renderDocument(notFoundView()), 404))
  .onError((error, c) => {
    const reference = newErrorReference();
    // Omits the path, which may hold a sign-in token.
    logError("owner-page-failed", error, { reference, method: c.req.method });
    return c.html(renderDocument(errorView(reference)), 503);
  });
