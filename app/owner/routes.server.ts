import { Hono, type MiddlewareHandler } from "hono";
import { changeEntry, showEntry } from "#app/owner/entries/entry-handlers.server.ts";
import { downloadExport, redirectToExport, showExport } from "#app/owner/entries/export-handlers.server.ts";
import { search, showList } from "#app/owner/entries/list-handlers.server.ts";
import {
  changeImport,
  showImport,
  showImports,
  uploadFile,
  withImport,
} from "#app/owner/import/import-handlers.server.ts";
import { downloadProblems, redirectToImport } from "#app/owner/import/problems-handlers.server.ts";
import { MAX_UPLOAD_SIZE } from "#app/owner/import/upload.server.ts";
import { changeAudience, showAudience } from "#app/owner/letters/audience-handlers.server.ts";
import { withLetter } from "#app/owner/letters/letter-request.server.ts";
import {
  addLetter,
  changeLetter,
  MAX_FORM_BYTES,
  newLetter,
  refuseLargeForm,
  showLetter,
  showLetters,
} from "#app/owner/letters/letters-handlers.server.ts";
import { showEmail, showPreview } from "#app/owner/letters/preview-handlers.server.ts";
import { downloadRecipients } from "#app/owner/letters/progress-handlers.server.ts";
import { send, showSend } from "#app/owner/letters/send-handlers.server.ts";
import { downloadQrCode, makeLink, showLinks, showSign } from "#app/owner/links/links-handlers.server.ts";
import { showLog } from "#app/owner/log/log-handlers.server.ts";
import { renewOverview, retryDeadEmails, showOverview } from "#app/owner/overview/overview-handlers.server.ts";
import { limitBody, parseForm, requireSameOrigin, requireSession } from "#app/owner/sign-in/guards.server.ts";
import {
  requestSignInLink,
  showLink,
  signIn,
  signOut,
  signOutEverywhere,
} from "#app/owner/sign-in/sign-in-handlers.server.ts";
import { errorView, notFoundView } from "#app/owner/ui/error-pages.server.tsx";
import type { OwnerBindings, OwnerHandler } from "#app/owner/ui/owner-context.ts";
import { renderer } from "#app/owner/ui/renderer.server.tsx";
import { newErrorReference } from "#app/server/error-reference.ts";
import { logError } from "#app/server/log.ts";
import { identifyOwners } from "#app/server/owners.server.ts";
import { MAX_BODY_BYTES } from "#app/server/request-guards.ts";
import type { PageRecord } from "#app/ui/page-record.ts";
import { MAX_NOTE_BODY_BYTES } from "#app/waitlist/note.ts";

interface Route {
  method: "get" | "post";
  /** Below `/owner`. An `:id` is a number. */
  path: string;
  handler: OwnerHandler;
  /** Default: the session, which is checked before the body is read. */
  guard?: "none" | "session";
  /** The largest form (bytes). Default: {@link MAX_BODY_BYTES}. */
  maxBody?: number;
  /** Responds to a larger form. Default: as to an unauthorised request. A streaming handler reads no more by itself. */
  tooLarge?: OwnerHandler | "streamed";
}

const letterForm = { maxBody: MAX_FORM_BYTES, tooLarge: refuseLargeForm };

/** Every URL of the owner's pages. */
const routes: Route[] = [
  { method: "post", path: "/sign-in", handler: requestSignInLink, guard: "none" },
  { method: "get", path: "/sign-in/:token", handler: showLink, guard: "none" },
  { method: "post", path: "/sign-in/:token", handler: signIn, guard: "none" },
  { method: "post", path: "/sign-out", handler: signOut },
  { method: "post", path: "/sign-out-everywhere", handler: signOutEverywhere },
  { method: "get", path: "/", handler: showOverview },
  { method: "post", path: "/stats", handler: renewOverview },
  { method: "post", path: "/outbox/retry", handler: retryDeadEmails },
  { method: "get", path: "/entries", handler: showList },
  { method: "post", path: "/entries", handler: search },
  { method: "get", path: "/entries/:id", handler: (c) => showEntry(c) },
  { method: "post", path: "/entries/:id", handler: changeEntry, maxBody: MAX_NOTE_BODY_BYTES },
  { method: "get", path: "/export", handler: (c) => showExport(c) },
  { method: "get", path: "/export.csv", handler: redirectToExport },
  { method: "post", path: "/export.csv", handler: downloadExport },
  { method: "get", path: "/import", handler: (c) => showImports(c) },
  { method: "post", path: "/import", handler: uploadFile, maxBody: MAX_UPLOAD_SIZE, tooLarge: "streamed" },
  { method: "get", path: "/import/:id", handler: withImport(showImport) },
  { method: "post", path: "/import/:id", handler: withImport(changeImport) },
  { method: "get", path: "/import/:id/problems.csv", handler: redirectToImport },
  { method: "post", path: "/import/:id/problems.csv", handler: withImport(downloadProblems) },
  { method: "get", path: "/letters", handler: showLetters },
  { method: "post", path: "/letters", handler: addLetter, ...letterForm },
  { method: "get", path: "/letters/new", handler: newLetter },
  { method: "get", path: "/letters/:id", handler: withLetter(showLetter) },
  { method: "post", path: "/letters/:id", handler: withLetter(changeLetter), ...letterForm },
  { method: "get", path: "/letters/:id/preview", handler: withLetter(showPreview) },
  { method: "get", path: "/letters/:id/email", handler: withLetter(showEmail) },
  { method: "get", path: "/letters/:id/audience", handler: withLetter(showAudience) },
  { method: "post", path: "/letters/:id/audience", handler: withLetter(changeAudience) },
  { method: "get", path: "/letters/:id/send", handler: withLetter(showSend) },
  { method: "post", path: "/letters/:id/send", handler: withLetter(send) },
  { method: "post", path: "/letters/:id/recipients.csv", handler: withLetter(downloadRecipients) },
  { method: "get", path: "/links", handler: showLinks },
  { method: "post", path: "/links", handler: makeLink },
  { method: "get", path: "/links/sign", handler: showSign },
  { method: "get", path: "/links/qr.svg", handler: downloadQrCode },
  { method: "get", path: "/log", handler: showLog },
];

/**
 * The owner's pages: HTML documents rendered on the server, without the React app.
 *
 * @param setApp sets `c.var.app`
 * @param publicPages the pages that links of the owner may lead to
 */
export function createOwnerPages(setApp: MiddlewareHandler, publicPages: readonly PageRecord[]) {
  const pages = new Hono<OwnerBindings>().basePath("/owner").use(renderer, setApp, async (c, next) => {
    const { app } = c.var;
    const { ownerEmails, ownerTimeZone: timeZone } = app.emailContext;
    c.set("app", { ...app, owners: await identifyOwners(ownerEmails), timeZone });
    c.set("publicPages", publicPages);
    return next();
  });
  pages.use(requireSameOrigin);
  for (const { method, path, handler, guard, maxBody = MAX_BODY_BYTES, tooLarge } of routes) {
    pages.on(
      method,
      [path.replace(":id", ":id{[0-9]{1,15}}")],
      ...(guard === "none" ? [] : [requireSession(maxBody)]),
      ...(method === "get" || tooLarge === "streamed" ? [] : [limitBody(maxBody, tooLarge), parseForm]),
      handler,
    );
  }
  // Only an owner learns what does not exist.
  pages.use(requireSession(MAX_BODY_BYTES)).notFound((c) => {
    c.status(404);
    return c.render(notFoundView());
  });
  return pages.onError((error, c) => {
    const reference = newErrorReference();
    // Omits the path, which may hold a sign-in token.
    logError("owner-page-failed", error, { reference, method: c.req.method });
    c.status(503);
    return c.render(errorView(reference));
  });
}
