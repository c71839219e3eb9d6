import { createRequestHandler, data, type RequestHandler, RouterContextProvider, type ServerBuild } from "react-router";
import { type AppContext, appContext, rejectionContext } from "#app/context.ts";
import { withDecodablePath } from "#worker/decodable-path.ts";

/** Renders a page, or the error page with the status `rejection` for a rejected form post. */
export type RenderPage = (request: Request, app: AppContext, rejection?: number) => Promise<Response>;

/** Renders with React Router. In development every request uses the latest build. */
export const renderPage: RenderPage = async (request, app, rejection) => {
  const mode = import.meta.env.MODE;
  if (handlers === undefined || mode === "development") {
    handlers = createHandlers(await import("virtual:react-router/server-build"), mode);
  }
  const context = new RouterContextProvider();
  context.set(appContext, app);
  context.set(rejectionContext, rejection ?? null);
  const render = rejection === undefined ? handlers.pages : handlers.rejections;
  return render(withDecodablePath(request), context);
};

let handlers: Handlers | undefined;

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
