import { Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { logError } from "#app/log.ts";
import { page } from "#app/owner/page.server.tsx";
import { failureView, nothingHereView } from "#app/owner/views/notices.server.tsx";
import { newReference } from "#app/reference.ts";
import { scriptlessPolicy } from "#app/security/content-policy.server.ts";
import { changeEntry, showEntry } from "#worker/owner/entry.ts";
import { exportList, search, showList } from "#worker/owner/list.ts";
import { retryDeadMail, showOverview } from "#worker/owner/overview.ts";
import { ownFormsOnly, requireSession } from "#worker/owner/session-gate.ts";
import { askForLink, showLink, signIn, signOut } from "#worker/owner/sign-in.ts";
import type { OwnerBindings } from "#worker/owner/types.ts";

/** Whatever might get into these pages, no script of it runs. */
const scriptless = createMiddleware(async (c, next) => {
  await next();
  if (c.res.headers.get("Content-Type")?.startsWith("text/html")) c.header("Content-Security-Policy", scriptlessPolicy);
});

/** The owner's pages. No React app: they are documents made here, and need no script. */
export const pages = new Hono<OwnerBindings>()
  .basePath("/owner")
  .use(scriptless)
  .use(...ownFormsOnly)
  .post("/sign-in", askForLink)
  .get("/sign-in/:token", showLink)
  .post("/sign-in/:token", signIn)
  .use(requireSession)
  .get("/", showOverview)
  .post("/outbox/retry", retryDeadMail)
  .get("/entries", showList)
  .post("/entries", search)
  .get("/entries/:id{[0-9]{1,15}}", showEntry)
  .post("/entries/:id{[0-9]{1,15}}", changeEntry)
  .get("/export.csv", exportList)
  .post("/sign-out", signOut)
  .notFound((c) => c.html(page(nothingHereView()), 404))
  .onError((error, c) => {
    const reference = newReference();
    // Without the path, which may hold the token of a link.
    logError("owner-page-failed", error, { reference, method: c.req.method });
    return c.html(page(failureView(reference)), 503);
  });
