import { createRequestHandler, data, type RequestHandler, RouterContextProvider, type ServerBuild } from "react-router";
import { type AppContext, appContext, rejectionContext } from "#app/context.ts";
import { withDecodablePath } from "#worker/decodable-path.ts";

/** Renders a page, or the error page if the context holds a rejection. */
export type RenderPage = (request: Request, context: RouterContextProvider) => Promise<Response>;

/** Renders pages with React Router. In development every request uses the latest build. */
export function pageRenderer(loadBuild: () => Promise<ServerBuild>, mode: string): RenderPage {
  let handlers: Handlers | undefined;
  return async (request, context) => {
    if (handlers === undefined || mode === "development") handlers = createHandlers(await loadBuild(), mode);
    const render = context.get(rejectionContext) === null ? handlers.pages : handlers.rejections;
    return render(withDecodablePath(request), context);
  };
}

interface Handlers {
  pages: RequestHandler;
  rejections: RequestHandler;
}

/** Cheap: a handler processes the build on its first request. */
function createHandlers(build: ServerBuild, mode: string): Handlers {
  return {
    pages: createRequestHandler(build, mode),
    rejections: createRequestHandler(withRejectingActions(build), mode),
  };
}

/** @param rejection status of the error page for a rejected form post */
export function routerContext(app: AppContext, rejection: number | null = null): RouterContextProvider {
  const context = new RouterContextProvider();
  context.set(appContext, app);
  context.set(rejectionContext, rejection);
  return context;
}

/**
 * The same build, but every action throws the rejection. React Router then runs only the root loader and renders the
 * error page in the page frame, at the URL of the post.
 */
function withRejectingActions(build: ServerBuild): ServerBuild {
  const routes = Object.entries(build.routes).map(([id, route]) => [id, route && withRejectingAction(route)]);
  return { ...build, routes: Object.fromEntries(routes) };
}

function withRejectingAction(route: NonNullable<ServerBuild["routes"][string]>): typeof route {
  // A route without a component would respond with plain text.
  return { ...route, module: { ...route.module, default: route.module.default ?? (() => null), action: reject } };
}

function reject({ context }: { context: Readonly<RouterContextProvider> }): never {
  throw data(null, { status: context.get(rejectionContext) ?? 400 });
}
