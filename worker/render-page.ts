import { createRequestHandler, data, type RequestHandler, RouterContextProvider, type ServerBuild } from "react-router";
import { type AppContext, appContext, refusalContext } from "#app/context.ts";
import { withDecodablePath } from "#worker/decodable-path.ts";

/** Answers a request with a page, or with the error page where its context holds a refusal. */
export type RenderPage = (request: Request, context: RouterContextProvider) => Promise<Response>;

/** React Router as the renderer of this site's pages. In development each request sees the newest build. */
export function pageRenderer(loadBuild: () => Promise<ServerBuild>, mode: string): RenderPage {
  let handlers: Handlers | undefined;
  return async (request, context) => {
    if (handlers === undefined || mode === "development") handlers = handlersOf(await loadBuild(), mode);
    const render = context.get(refusalContext) === null ? handlers.pages : handlers.refusals;
    return render(withDecodablePath(request), context);
  };
}

interface Handlers {
  pages: RequestHandler;
  refusals: RequestHandler;
}

/** What React Router makes of a build, it makes with the first request of each handler. */
function handlersOf(build: ServerBuild, mode: string): Handlers {
  return { pages: createRequestHandler(build, mode), refusals: createRequestHandler(refusing(build), mode) };
}

/** What loaders and actions find in their context. */
export function routerContext(app: AppContext, refusal: number | null = null): RouterContextProvider {
  const context = new RouterContextProvider();
  context.set(appContext, app);
  context.set(refusalContext, refusal);
  return context;
}

/**
 * The same site with every action replaced by a refusal. What an action throws is shown in the frame, at the address
 * that was posted to, after nothing but the frame's own loader has run.
 */
function refusing(build: ServerBuild): ServerBuild {
  const routes = Object.entries(build.routes).map(([id, route]) => [id, route && withRefusal(route)]);
  return { ...build, routes: Object.fromEntries(routes) };
}

function withRefusal(route: NonNullable<ServerBuild["routes"][string]>): typeof route {
  // A route without a component would answer in plain text.
  return { ...route, module: { ...route.module, default: route.module.default ?? (() => null), action: refuse } };
}

function refuse({ context }: { context: Readonly<RouterContextProvider> }): never {
  throw data(null, { status: context.get(refusalContext) ?? 400 });
}
