import { Hono } from "hono";
import type { AppBindings } from "#app/server/bindings.ts";
import { api } from "#app/switches.ts";

/** `/api/v1`: the API with keys. Loaded with its first request, so that the Worker's start-up stays small. */
export const v1Route = new Hono<AppBindings>();

if (api) {
  v1Route.all("/*", async (c) => {
    const { v1 } = await import("#app/features/api/v1/index.ts");
    return v1.fetch(c.req.raw, { app: c.var.app, limit: c.env.API_LIMIT });
  });
}
