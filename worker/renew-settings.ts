import { applySettings, knownSettings, noteSettingsRead } from "#app/server/config/env-config.server.ts";
import type { AppContext } from "#app/server/context.ts";
import { findQuotaError } from "#app/server/db/daily-quota-error.ts";
import { logError } from "#app/server/log.ts";
import { TimeoutError, withTimeout } from "#app/server/time/timeout.ts";
import type { Millis } from "#app/server/time/units.ts";
import { createAppContext, requestDb } from "#worker/app-context.ts";
import { added } from "#worker/features.ts";

/** How long an isolate goes by what it has read, or by a try that failed. */
const FRESH: Millis = 20_000;

/** How long a request waits for a newer value, and for the first one of its isolate. A slow read goes on. */
const WAIT: Millis = 50;
const FIRST_WAIT: Millis = 1_000;

/** Before each request that is not answered from the cache, and each run. Never throws; one row is read at most. */
export async function renewSettings(env: Env, waitUntil: AppContext["waitUntil"]): Promise<void> {
  const { readAt, triedAt } = knownSettings(env);
  const now = Date.now();
  if (added.readSettings === undefined || (readAt !== null && now - triedAt < FRESH)) return;
  noteSettingsRead(env, { triedAt: now });
  const work = added.readSettings(requestDb(env, waitUntil)).then((stored) => applySettings(env, stored, now));
  waitUntil(work.catch(() => {}));
  try {
    await withTimeout(work, readAt === null ? FIRST_WAIT : WAIT, "settings");
  } catch (error) {
    noteSettingsRead(env, { failure: error as Error });
    // The first refusal of a day alerts the owner.
    if (!(error instanceof TimeoutError) && findQuotaError(error) === null) logError("settings-unread", error);
  }
}

/** The context of work without a request. @throws if the configuration is invalid */
export async function openContext(env: Env, execution: ExecutionContext): Promise<AppContext> {
  await renewSettings(env, (work) => execution.waitUntil(work));
  return createAppContext(env, execution, added);
}

/** The context of a run. @throws also if this isolate has never read what owners have set: the next run tries again */
export async function openRun(env: Env, execution: ExecutionContext): Promise<AppContext> {
  const app = await openContext(env, execution);
  if (app.settingsFailure !== null) throw app.settingsFailure;
  return app;
}
