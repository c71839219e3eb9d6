import type { AppContext } from "#app/server/context.ts";

/** Hono's type parameters for `/api/v1`: what the rest of the Worker hands over for each request. */
export interface V1Bindings {
  Bindings: {
    app: AppContext;
    /** Counts requests by key, and failed attempts by client: see `wrangler.toml`. */
    limit: RateLimit;
  };
}
