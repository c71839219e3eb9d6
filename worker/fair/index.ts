import { Hono } from "hono";
import { SERVICE_WORKER_PATH, VERSION_HEADER } from "#app/pages/fair/browser/precache.ts";
import { createFairFiles } from "#app/pages/fair/files.server.tsx";
import { documentPolicy, serviceWorkerPolicy } from "#app/pages/fair/policies.ts";
import { perEnv } from "#app/server/per-env.ts";
import { FAIR_PATH } from "#app/waitlist/fair/protocol.ts";
import { getConfig } from "#worker/config.ts";
import { setApp } from "#worker/middleware/set-app.ts";
import type { AppBindings } from "#worker/types.ts";

const files = perEnv((env: Env) => createFairFiles(getConfig(env)));

/** Everything under /fair: the form's page and files. */
export const fair = new Hono<AppBindings>().use(setApp);

for (const path of ["", "/form.js", "/service-worker.js", "/manifest.webmanifest"]) {
  fair.get(FAIR_PATH + path, async (c) => {
    const { version, files: all } = await files(c.env);
    const file = all[c.req.path];
    if (file === undefined) return c.notFound();
    c.header("Content-Type", file.type);
    // The service worker keeps copies; everybody else gets the present version.
    c.header("Cache-Control", "no-cache");
    c.header(VERSION_HEADER, version);
    if (c.req.path === FAIR_PATH) c.header("Content-Security-Policy", documentPolicy);
    if (c.req.path === SERVICE_WORKER_PATH) {
      c.header("Content-Security-Policy", serviceWorkerPolicy);
      c.header("Service-Worker-Allowed", FAIR_PATH);
    }
    return c.body(file.text);
  });
}
