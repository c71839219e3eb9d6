import { type Context, Hono } from "hono";
import { authorise, problemInUrl } from "#app/features/api/v1/authorise.server.ts";
import { respondProblem } from "#app/features/api/v1/problem.server.ts";
import { limitJsonBody, readJsonBody, readQuery } from "#app/features/api/v1/read-request.server.ts";
import type { ApiCall, ApiRoute } from "#app/features/api/v1/route.server.ts";
import { apiRoutes } from "#app/features/api/v1/routes/index.server.ts";
import { schemas } from "#app/features/api/v1/schemas/index.server.ts";
import type { V1Bindings } from "#app/features/api/v1/types.server.ts";
import { API_ACTOR, recordAction } from "#app/owner/log.server.ts";
import { noScriptCsp } from "#app/server/http/csp.server.ts";
import { toFailureMessage } from "#app/server/http/failure.server.ts";
import { logError } from "#app/server/log.ts";

/** The routes of `/api/v1`, each behind the same checks. Every error is problem details. */
export const v1 = new Hono<V1Bindings>().use(async (c, next) => {
  c.header("Cache-Control", "no-store");
  c.header("X-Robots-Tag", "noindex");
  const problem = problemInUrl(new URL(c.req.url), c.env.app.config.SITE_URL);
  return problem === null ? next() : respondProblem(c, problem);
});

/** Of `/api/v1` and `/api/v1/`. */
const pagePaths = ["", "/"];

v1.on("GET", pagePaths.map(toPattern), async (c) => {
  const { apiPage } = await import("#app/features/api/v1/page/api-page.server.tsx");
  return c.html(apiPage(apiRoutes, c.env.app.config), 200, { "Content-Security-Policy": noScriptCsp });
});

for (const route of apiRoutes) {
  const guards = route.body === undefined ? [] : [limitJsonBody];
  v1.on(route.method.toUpperCase(), [toPattern(route.path)], ...guards, (c) => respond(c, route));
}

for (const path of new Set([...pagePaths, ...apiRoutes.map(({ path }) => path)])) {
  const methods = apiRoutes.filter((route) => route.path === path).map(({ method }) => method.toUpperCase());
  const allowed = pagePaths.includes(path) ? ["GET"] : methods;
  const Allow = allowed.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])).join(", ");
  const detail = `Allowed here: ${Allow}.`;
  v1.all(toPattern(path), (c) => respondProblem(c, { problem: "method-not-allowed", detail, headers: { Allow } }));
}

v1.notFound((c) => {
  const detail = "There is nothing at this path. The page /api/v1 lists what there is.";
  return respondProblem(c, { problem: "not-found", detail });
});

v1.onError((error, c) => {
  const failed = (reference: string) =>
    `Something failed while handling the request. Please try again in a moment. (Reference ${reference})`;
  const detail = toFailureMessage(error, { event: "api-failed", path: c.req.path }, failed, c.env.app.now());
  return respondProblem(c, { problem: "unavailable", detail });
});

/** Checks a request, cheapest check first, and responds to it. */
async function respond(c: Context<V1Bindings>, route: ApiRoute): Promise<Response> {
  const { app } = c.env;
  const authorised = route.scope === "public" ? { key: null } : await authorise(c, route);
  if ("problem" in authorised) return respondProblem(c, authorised);
  const { key } = authorised;
  const search = new URL(c.req.url).searchParams;
  const queried = readQuery(search, route.query ?? {});
  if ("problem" in queried) return respondProblem(c, queried);
  const read = route.body === undefined ? { body: undefined } : await readJsonBody(c, schemas()[route.body.name]);
  if ("problem" in read) return respondProblem(c, read);
  const response = await route.handle({
    app,
    key,
    id: Number(c.req.param("id") ?? 0),
    query: queried.query,
    search,
    body: read.body as ApiCall["body"],
    // After the change, which stays: a failure must not make the program repeat it.
    record: (action, details) =>
      recordAction(app, { by: API_ACTOR + key?.name, action, details }).catch((error) =>
        logError("api-change-not-logged", error, { keyId: key?.id, action }),
      ),
  });
  if ("problem" in response) return respondProblem(c, response);
  const { status, body, json, headers } = response;
  if (status === 204) return c.body(null, status, headers);
  if (json !== undefined) return c.body(json, status, { ...headers, "Content-Type": "application/json" });
  return c.json(body, status, headers);
}

function toPattern(path: string): string {
  return `/api/v1${path.replace("{id}", ":id{[0-9]{1,15}}")}`;
}
