import type { Context, MiddlewareHandler } from "hono";
import { limitBody, requireSameOrigin } from "#worker/middleware/request-guards.ts";
import { type RenderPage, routerContext } from "#worker/render-page.ts";
import type { AppBindings } from "#worker/types.ts";

const METHODS = "GET, HEAD, POST";

/**
 * What the API checks for itself, for the forms of pages: method, size and origin of whatever is not a plain read. A
 * mail program's one-click unsubscribe passes, since it is small and names no origin. Browsers are shown a page of the
 * site, programs a line of text.
 */
export function formGuards(renderPage: RenderPage) {
  async function refuse(c: Context<AppBindings>, status: 403 | 405 | 413, text: string): Promise<Response> {
    if (!c.req.header("Accept")?.includes("text/html")) return c.text(`${text}\n`, status);
    return renderPage(withoutBody(c.req.raw), routerContext(c.var.app, status));
  }

  return [
    unlessRead(async (c, next) => {
      if (c.req.method === "POST") return next();
      c.res = await refuse(c, 405, `This page answers ${METHODS}.`);
      c.header("Allow", METHODS);
      return;
    }),
    unlessRead(limitBody((c) => refuse(c, 413, "This form is too large. Please go back and shorten what you typed."))),
    unlessRead(
      requireSameOrigin((c) => {
        const { SITE_URL } = c.var.app.config;
        return refuse(c, 403, `This form can only be sent from ${SITE_URL}. Please open that page and try again.`);
      }),
    ),
  ] as const;
}

function unlessRead(check: MiddlewareHandler<AppBindings>): MiddlewareHandler<AppBindings> {
  return (c, next) => (c.req.method === "GET" || c.req.method === "HEAD" ? next() : check(c, next));
}

/** A POST of nothing, with what pages are rendered by. React Router would answer a foreign origin by itself, in text. */
function withoutBody({ url, headers }: Request): Request {
  const kept = new Headers(headers);
  for (const name of ["Origin", "Content-Type", "Content-Length", "Content-Encoding"]) kept.delete(name);
  return new Request(url, { method: "POST", headers: kept });
}
