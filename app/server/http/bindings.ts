import type { Context } from "hono";
import type { AppContext } from "#app/server/context.ts";

/** Hono's type parameters for all handlers. */
export interface AppBindings {
  Bindings: Env;
  Variables: { app: AppContext };
}

/** Renders the page, or the error page if it is rejected. `request`: in place of the one that came. */
export type RenderPage = (c: Context<AppBindings>, rejection?: Rejection, request?: Request) => Promise<Response>;

/** A form post that the guards rejected. `request` stands for it; `error` is what kept them from checking it. */
export interface Rejection {
  request: Request;
  status: number;
  error?: unknown;
}
