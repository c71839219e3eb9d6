import type { AppContext } from "#app/context.ts";

/** Hono's types for every handler of this Worker. */
export interface AppBindings {
  Bindings: Env;
  Variables: { app: AppContext };
}
