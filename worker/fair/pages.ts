import type { Context } from "hono";
import { SERVICE_WORKER_PATH, VERSION_HEADER } from "#app/pages/fair/browser/precache.ts";
import { createFairFiles } from "#app/pages/fair/files.server.tsx";
import { documentPolicy, serviceWorkerPolicy } from "#app/pages/fair/policies.ts";
import { perEnv } from "#app/server/per-env.ts";
import { FAIR_PATH } from "#app/waitlist/fair/protocol.ts";
import { getConfig } from "#worker/config.ts";
import type { AppBindings } from "#worker/types.ts";

const filesOf = perEnv((env: Env) => createFairFiles(getConfig(env)));

/** The form's page, or one of its files. The service worker keeps copies; for all others they are always the present ones. */
export async function respondWithFile(c: Context<AppBindings>): Promise<Response> {
  const { version, files } = await filesOf(c.env);
  const { path } = c.req;
  const file = files[path];
  if (file === undefined) return c.notFound();
  const headers = { "Content-Type": file.type, "Cache-Control": "no-cache", [VERSION_HEADER]: version };
  if (path === FAIR_PATH) c.header("Content-Security-Policy", documentPolicy);
  if (path === SERVICE_WORKER_PATH) {
    c.header("Content-Security-Policy", serviceWorkerPolicy);
    c.header("Service-Worker-Allowed", FAIR_PATH);
  }
  return c.body(file.text, 200, headers);
}
