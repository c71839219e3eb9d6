import { isbot } from "isbot";
import { renderToReadableStream } from "react-dom/server";
import {
  type EntryContext,
  type HandleDataRequestFunction,
  type HandleErrorFunction,
  isRouteErrorResponse,
  type RouterContextProvider,
  redirectDocument,
  ServerRouter,
} from "react-router";
import { FailureReference } from "#app/frame/failure.ts";
import { logError } from "#app/log.ts";
import { newReference } from "#app/reference.ts";
import { withoutToken } from "#app/your-data/token-path.ts";

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
  const failure = router.staticHandlerContext.errors === null ? undefined : references.get(context);
  let shellRendered = false;
  const body = await renderToReadableStream(
    <FailureReference value={failure ?? null}>
      <ServerRouter context={router} url={request.url} />
    </FailureReference>,
    {
      signal: AbortSignal.timeout(streamTimeout + 1_000),
      onError(error) {
        // What fails before the shell is out rejects, and comes back to `handleError`.
        if (shellRendered) logFailure(error, request, context);
      },
    },
  );
  shellRendered = true;
  if (isbot(request.headers.get("User-Agent"))) await body.allReady;
  return new Response(body, { status, headers });
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
  const reference = references.get(context) ?? newReference();
  references.set(context, reference);
  logError("page-failed", error, {
    reference,
    method: request.method,
    path: withoutToken(new URL(request.url).pathname),
  });
}
