import { renderToString } from "react-dom/server";
import {
  type EntryContext,
  type HandleDataRequestFunction,
  type HandleErrorFunction,
  isRouteErrorResponse,
  type RouterContextProvider,
  redirectDocument,
  ServerRouter,
} from "react-router";
import { serviceCategories, tagIds } from "#app/consent/tracking/tag-ids.ts";
import { DocumentContext } from "#app/layout/document-context.ts";
import { ErrorReference, LimitNotice } from "#app/layout/error-page.tsx";
import { completeScripts } from "#app/layout/hydration/deferred-scripts.server.ts";
import { FAILED_BOUNDARY } from "#app/layout/hydration/hydration-boundary.tsx";
import { structuredData } from "#app/layout/seo/structured-data.server.ts";
import { criticalStyles, ERROR_PAGE_STYLES, type PageHandle } from "#app/layout/styles/critical-styles.server.ts";
import { appContext, articleContext } from "#app/server/context.ts";
import { quotaMessage } from "#app/server/db/daily-quota.server.ts";
import { newErrorReference } from "#app/server/http/failure.server.ts";
import { isTokenPath, redactToken } from "#app/server/http/token-path.ts";
import { logError } from "#app/server/log.ts";
import type { Millis } from "#app/server/time/units.ts";
import { colour } from "#app/ui/theme.ts";

/** How long the server waits for a page's streamed data. */
export const streamTimeout: Millis = 5_000;

export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  router: EntryContext,
  context: RouterContextProvider,
) {
  headers.set("Content-Type", "text/html; charset=utf-8");
  if (request.method === "HEAD") return new Response(null, { status, headers });
  const app = context.get(appContext);
  const { nonce, config } = app;
  const documentContext = {
    nonce,
    // Stylesheets cannot know the site's address, which print.css writes out.
    styles: `${stylesOf(router)}:root{--site:"${new URL(config.SITE_URL).host}"}`,
    themeColor: { light: colour("bar"), dark: colour("bar", "dark") },
    structuredData: structuredData(config.SITE_URL, {
      isLaunched: config.LAUNCH_URL !== undefined,
      article: context.get(articleContext),
    }),
  };
  const hasFailed = router.staticHandlerContext.errors !== null;
  const limit = hasFailed && app.isQuotaExceeded() ? quotaMessage(app.now()) : null;
  const reference = hasFailed && limit === null ? references.get(context) : undefined;
  // No component suspends, so the synchronous renderer is enough, and it is cheaper.
  const render = (skipBoundary: boolean) =>
    renderToString(
      <DocumentContext value={{ ...documentContext, skipBoundary }}>
        <ErrorReference value={reference ?? null}>
          <LimitNotice value={limit}>
            <ServerRouter context={{ ...router, serverHandoffStream: undefined }} url={request.url} nonce={nonce} />
          </LimitNotice>
        </ErrorReference>
      </DocumentContext>,
    );
  const services = isTokenPath(new URL(request.url).pathname) ? "" : serviceCategories(tagIds(config));
  const firstPage = render(false);
  // Rendering again without the boundary rethrows its error, for a status, a log line and an error page.
  const page = firstPage.includes(FAILED_BOUNDARY) ? render(true) : firstPage;
  return new Response(`<!DOCTYPE html>${await completeScripts(page, router, { nonce, services })}`, {
    status,
    headers,
  });
}

function stylesOf({ staticHandlerContext: { errors, matches } }: EntryContext): string {
  const handle: Partial<PageHandle> | undefined = matches.at(-1)?.route.handle;
  return criticalStyles(errors === null ? handle?.page : { styles: ERROR_PAGE_STYLES });
}

/** By request context: one reference per request, even if several errors occur. */
const references = new WeakMap<object, string>();

export const handleError: HandleErrorFunction = (error, { request, context }) => {
  const isExpected = isRouteErrorResponse(error) && error.status < 500;
  if (isExpected || request.signal.aborted) return;
  const reference = references.get(context) ?? newErrorReference();
  references.set(context, reference);
  const path = redactToken(new URL(request.url).pathname);
  logError("page-failed", error, { reference, method: request.method, path });
};

/** Turns a failed client-side navigation into a document load, whose response contains the reference. */
export const handleDataRequest: HandleDataRequestFunction = (response, { request }) => {
  if (response.status !== 500 || request.method !== "GET") return response;
  const url = new URL(request.url);
  url.pathname = url.pathname.replace(/(?<=\/)_\.data$|\.data$/, "");
  url.searchParams.delete("_routes");
  return redirectDocument(url.pathname + url.search);
};
