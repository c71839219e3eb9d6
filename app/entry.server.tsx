import type { ReactElement } from "react";
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
import { appContext } from "#app/context.ts";
import { ErrorReference } from "#app/layout/error-reference.ts";
import { appendDeferredScripts, hydrationScript } from "#app/layout/hydration/deferred-scripts.server.ts";
import { FAILED_BOUNDARY } from "#app/layout/hydration/hydration-boundary.tsx";
import { pageParts } from "#app/layout/page-parts.server.ts";
import { structuredData } from "#app/layout/seo/structured-data.server.ts";
import { criticalStyles, ERROR_PAGE_STYLES, type PageHandle } from "#app/layout/styles/critical-styles.server.ts";
import { newErrorReference } from "#app/server/error-reference.ts";
import { logError } from "#app/server/log.ts";
import { redactToken } from "#app/server/token-path.ts";
import { DocumentContext } from "#app/ui/document-context.ts";
import { markupOf } from "#app/ui/still.server.ts";

/** How long the server waits for data that a page streams (milliseconds). */
export const streamTimeout = 5_000;

/** Renders a page to HTML. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  router: EntryContext,
  context: RouterContextProvider,
) {
  headers.set("Content-Type", "text/html; charset=utf-8");
  if (request.method === "HEAD") return new Response(null, { status, headers });
  const { nonce, config } = context.get(appContext);
  const parts = pageParts(nonce);
  const facts = {
    nonce,
    styles: parts.mark(stylesOf(router)),
    structuredData: parts.mark(structuredData(config.SITE_URL)),
    starter: parts.mark(starterBytes),
    markOf: (content: ReactElement, by?: object) => parts.mark(markupOf(content, by)),
  };
  const failure = router.staticHandlerContext.errors === null ? undefined : references.get(context);
  // Nothing on our pages waits while it renders, so that the renderer without streams does, which costs less.
  const render = (isUnbounded: boolean) =>
    renderToString(
      <DocumentContext value={{ ...facts, isUnbounded }}>
        <ErrorReference value={failure ?? null}>
          <ServerRouter context={{ ...router, serverHandoffStream: undefined }} url={request.url} nonce={nonce} />
        </ErrorReference>
      </DocumentContext>,
    );
  const bounded = render(false);
  // What was left out is to fail as a page fails: with a status, a log line and an error page.
  const page = bounded.includes(FAILED_BOUNDARY) ? render(true) : bounded;
  const html = `<!DOCTYPE html>${await appendDeferredScripts(page, router, nonce)}`;
  return new Response(parts.fill(html), { status, headers });
}

const starterBytes = new TextEncoder().encode(hydrationScript);

function stylesOf({ staticHandlerContext: { errors, matches } }: EntryContext): Uint8Array {
  const handle: Partial<PageHandle> | undefined = matches.at(-1)?.route.handle;
  return criticalStyles(errors === null ? handle?.page : { styles: ERROR_PAGE_STYLES });
}

/** Logs what a loader, an action or a page threw, under the reference that the visitor is shown. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  const refused = isRouteErrorResponse(error) && error.status < 500;
  if (!refused && !request.signal.aborted) logFailure(error, request, context);
};

/** A failed client-side navigation loads the whole page instead, whose answer carries the reference. */
export const handleDataRequest: HandleDataRequestFunction = (response, { request }) => {
  if (response.status !== 500 || request.method !== "GET") return response;
  const url = new URL(request.url);
  url.pathname = url.pathname.replace(/(?<=\/)_\.data$|\.data$/, "");
  url.searchParams.delete("_routes");
  return redirectDocument(url.pathname + url.search);
};

/** One reference for each request, however many things fail in it. */
const references = new WeakMap<object, string>();

function logFailure(error: unknown, request: Request, context: object): void {
  const reference = references.get(context) ?? newErrorReference();
  references.set(context, reference);
  logError("page-failed", error, {
    reference,
    method: request.method,
    path: redactToken(new URL(request.url).pathname),
  });
}
