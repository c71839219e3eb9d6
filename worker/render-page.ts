import * as serverBuild from "virtual:react-router/server-build";
import { createRequestHandler, type GetLoadContextFunction } from "@react-router/cloudflare";
import { data, RouterContextProvider, type ServerBuild } from "react-router";
import { type AppContext, appContext, rejectionContext } from "#app/server/context.ts";
import type { Rejection, RenderPage } from "#app/server/http/bindings.ts";

/** Renders with React Router. In development every request uses the latest build. */
export const renderPage: RenderPage = async (c, rejection, request = c.req.raw) => {
  const { app } = c.var;
  const mode = import.meta.env.MODE;
  if (handlers === undefined || mode === "development") {
    handlers = createHandlers(serverBuild, mode);
  }
  const render = rejection === undefined ? handlers.pages : handlers.rejections;
  const event = {
    request: withDecodablePath(rejection?.request ?? request),
    env: c.env,
    params: {},
    data: { app, rejection: rejection ?? null } satisfies PageData,
    waitUntil: app.waitUntil,
    passThroughOnException: () => c.executionCtx.passThroughOnException(),
    next: async () => c.notFound(),
  };
  // The adapter's types are those of Cloudflare Pages, which has more.
  return render(event as unknown as Parameters<typeof render>[0]);
};

let handlers: ReturnType<typeof createHandlers> | undefined;

interface PageData extends Record<string, unknown> {
  app: AppContext;
  rejection: Rejection | null;
}

/** Cheap: a handler processes the build on its first request. */
function createHandlers(build: ServerBuild, mode: string) {
  return {
    pages: createRequestHandler({ build, mode, getLoadContext }),
    rejections: createRequestHandler({ build: withRejectingActions(build), mode, getLoadContext }),
  };
}

const getLoadContext: GetLoadContextFunction = ({ context }) => {
  const { app, rejection } = context.cloudflare.data as PageData;
  const provider = new RouterContextProvider();
  provider.set(appContext, app);
  provider.set(rejectionContext, rejection);
  return provider;
};

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
  const { status = 400, error } = context.get(rejectionContext) ?? {};
  throw error ?? data(null, { status });
}

/**
 * Escapes the percent signs of a path that cannot be decoded, such as `/50%`. React Router would match it the same way,
 * but log a warning with the whole path, which may contain the token of an email link.
 */
function withDecodablePath(request: Request): Request {
  if (!request.url.includes("%")) return request;
  const url = new URL(request.url);
  if (decode(url.pathname) !== null) return request;
  url.pathname = url.pathname.replaceAll("%", "%25");
  return new Request(url, request);
}

/** Returns the result only because the bundler removes a call whose result is unused. */
function decode(pathname: string): string | null {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return null;
  }
}
