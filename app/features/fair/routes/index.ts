import { Hono } from "hono";
import type { AppBindings } from "#app/server/bindings.ts";
import { fair } from "#app/switches.ts";

/** `/fair`: the form, and what tablets send. Loaded with its first request, so that the Worker's start-up stays small. */
export const fairRoute = new Hono<AppBindings>();

if (fair) {
  for (const path of ["/", "/form.js", "/service-worker.js", "/manifest.webmanifest"]) {
    fairRoute.get(path, async (c) => {
      const { respondWithFile } = await import("#app/features/fair/routes/pages.ts");
      return respondWithFile(c);
    });
  }
  for (const path of ["/arm", "/sign-ups"]) {
    fairRoute.all(path, async (c) => {
      const { fairApi } = await import("#app/features/fair/routes/api.ts");
      return fairApi.fetch(c.req.raw, { ...c.env, app: c.var.app });
    });
  }
}
