import type { Context, MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { createMiddleware } from "hono/factory";
import type { AppBindings, RenderPage } from "#app/server/http/bindings.ts";
import { isSameOrigin, MAX_BODY_BYTES } from "#app/server/http/request-guards.ts";

const METHODS = "GET, HEAD, POST";

/**
 * Checks method, size and origin of form posts to pages, as `jsonBody` does for the API. Browsers get an error page, other
 * clients a line of text.
 */
export function formGuards(renderPage: RenderPage) {
  const reject = rejecting(renderPage);
  return [
    unlessRead(async (c, next) => {
      if (c.req.method === "POST") return next();
      c.res = await reject(c, 405, `Allowed methods: ${METHODS}.`);
      c.header("Allow", METHODS);
      return;
    }),
    unlessRead(limitForm(renderPage)),
    unlessRead(
      requireSameOrigin((c) => {
        const { SITE_URL } = c.var.app.config;
        return reject(c, 403, `This form can only be sent from ${SITE_URL}. Please open that page and try again.`);
      }),
    ),
  ] as const;
}

/**
 * Handles an email client's one-click unsubscribe, from any origin: webmail in a browser sends its own, or `null`. No cookie
 * counts there, only the token in the path. React Router gets no `Origin`, since it would reject others too.
 * https://www.rfc-editor.org/rfc/rfc8058
 */
export function oneClickPost(renderPage: RenderPage) {
  const unsubscribe = (c: Context<AppBindings>) => renderPage(c, undefined, withoutBody(c.req.raw));
  return [limitForm(renderPage), unsubscribe] as const;
}

function limitForm(renderPage: RenderPage) {
  const reject = rejecting(renderPage);
  return limitBody((c) => reject(c, 413, "This form is too large. Please go back and shorten what you typed."));
}

export function rejecting(renderPage: RenderPage) {
  return async (c: Context<AppBindings>, status: 403 | 405 | 413 | 429, text: string): Promise<Response> => {
    if (!c.req.header("Accept")?.includes("text/html")) return c.text(`${text}\n`, status);
    return renderPage(c, { request: withoutBody(c.req.raw), status });
  };
}

export function unlessRead(check: MiddlewareHandler<AppBindings>): MiddlewareHandler<AppBindings> {
  return (c, next) => (c.req.method === "GET" || c.req.method === "HEAD" ? next() : check(c, next));
}

/** An empty POST with the same headers but no Origin: React Router would reject cross-origin posts with plain text. */
export function withoutBody({ url, headers }: Request): Request {
  const copied = new Headers(headers);
  for (const name of ["Origin", "Content-Type", "Content-Length", "Content-Encoding"]) copied.delete(name);
  return new Request(url, { method: "POST", headers: copied });
}

/*
 * The first abuse checks of every entry point: body, then origin. Each entry point supplies its own error response. The
 * other checks, from the honeypot on, are in app/server/abuse/check-abuse.server.ts.
 */

type Respond = (c: Context<AppBindings>) => Response | Promise<Response>;

/** Blocks bodies over a size (bytes), with or without a Content-Length. */
export function limitBody(respond: Respond, maxSize = MAX_BODY_BYTES) {
  return bodyLimit({ maxSize, onError: (c) => block(c, "body", respond) });
}

export function requireSameOrigin(respond: Respond) {
  return createMiddleware<AppBindings>(async (c, next) => {
    return isSameOrigin(c.req.raw, c.var.app.config.SITE_URL) ? next() : block(c, "origin", respond);
  });
}

export function block<C extends { var: AppBindings["Variables"] }, Result>(
  c: C,
  reason: "body" | "origin",
  respond: (c: C) => Result,
): Result {
  c.var.app.countBlocked(reason);
  return respond(c);
}
