import type { AppContext } from "#app/context.ts";

/** Hono's type parameters for all handlers. */
export interface AppBindings {
  Bindings: Env;
  Variables: { app: AppContext };
}
