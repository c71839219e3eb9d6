import type { Context } from "hono";
import { SERVICE_WORKER_PATH, VERSION_HEADER } from "#app/features/fair/browser/precache.ts";
import { createFairFiles, type FairFiles } from "#app/features/fair/form/files.server.tsx";
import { documentPolicy, serviceWorkerPolicy } from "#app/features/fair/form/policies.ts";
import { FAIR_PATH } from "#app/features/fair/protocol.ts";
import { getConfig } from "#app/server/config/env-config.server.ts";
import type { AppBindings } from "#app/server/http/bindings.ts";
import { perEnv } from "#app/server/per-env.ts";
import { wordingFor } from "#app/waitlist/sign-up/consent-wording.ts";
import { readHasFollowUps } from "#app/waitlist/sign-up/shown-wording.server.ts";

/** By the version of the wording: the form shows the present one, and tablets load it when it changes. */
const filesOf = perEnv((_env: Env) => new Map<string, Promise<FairFiles>>());

/** The form's page, or one of its files. The service worker keeps copies; for all others they are always the present ones. */
export async function respondWithFile(c: Context<AppBindings>): Promise<Response> {
  const wording = wordingFor(await readHasFollowUps(c.var.app));
  const made = filesOf(c.env);
  const making = made.get(wording.version) ?? createFairFiles(getConfig(c.env), wording);
  made.set(wording.version, making);
  const { version, files } = await making;
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
