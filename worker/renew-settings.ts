import { applySettings, knownSettings, noteSettingsRead } from "#app/server/config/env-config.server.ts";
import type { AppContext } from "#app/server/context.ts";
import { findQuotaError } from "#app/server/db/daily-quota-error.ts";
import { logError } from "#app/server/log.ts";
import { TimeoutError, withTimeout } from "#app/server/time/timeout.ts";
import type { Millis } from "#app/server/time/units.ts";
import { createAppContext, requestDb } from "#worker/app-context.ts";
import { added } from "#worker/features.ts";

/** How new the settings have to be, and how long a request waits for newer ones. A slow read goes on. */
interface Demand {
  /** How long an isolate goes by what it has read. */
  freshFor: Millis;
  wait: Millis;
  /** Settings that are older count as unknown, so that the strictest holds. */
  oldest: Millis;
}

/** The first read of an isolate. */
const FIRST_WAIT: Millis = 1_000;

/** A page may show what it did before; a try that failed is not repeated for as long. */
const ofPages: Demand = { freshFor: 20_000, wait: 50, oldest: Number.POSITIVE_INFINITY };

/** An isolate that was idle for hours must not go by what it knew then. */
const ofChanges: Demand = { freshFor: 20_000, wait: FIRST_WAIT, oldest: 60_000 };

/** An owner who was removed is out within a second. `setApp` runs twice for an owner's page; the second run need not read again. */
const ofOwners: Demand = { ...ofChanges, freshFor: 1_000 };

export function demandOf({ method, url }: Request): Demand {
  if (/^\/owner(\/|$)/i.test(new URL(url).pathname)) return ofOwners;
  return method === "GET" || method === "HEAD" ? ofPages : ofChanges;
}

/**
 * Before each request that is not answered from the cache, and each run. Never throws; one row is read at most.
 *
 * @returns why it is not known what owners have set, or null
 */
export async function renewSettings(
  env: Env,
  waitUntil: AppContext["waitUntil"],
  { freshFor, wait, oldest }: Demand,
): Promise<Error | null> {
  if (added.readSettings === undefined) return null;
  const { readAt, triedAt, failedAt } = knownSettings(env);
  const now = Date.now();
  // Another request's read cannot be waited for, but pages do without its result.
  if (readAt !== null && now - (oldest === Number.POSITIVE_INFINITY ? triedAt : readAt) < freshFor) return null;
  if (readAt === null && oldest === Number.POSITIVE_INFINITY && now - failedAt < freshFor)
    return new Error("settings could not be read a moment ago");
  noteSettingsRead(env, { triedAt: now });
  let failure: Error | null = null;
  const work = added.readSettings(requestDb(env, waitUntil)).then((stored) => applySettings(env, stored, now));
  waitUntil(work.catch(() => {}));
  try {
    await withTimeout(work, readAt === null ? FIRST_WAIT : wait, "settings");
  } catch (error) {
    failure = error as Error;
    noteSettingsRead(env, { failedAt: now });
    // The first refusal of a day alerts the owner.
    if (!(error instanceof TimeoutError) && findQuotaError(error) === null) logError("settings-unread", error);
  }
  const { readAt: newest } = knownSettings(env);
  return newest !== null && now - newest <= oldest ? null : (failure ?? new Error("settings were not read"));
}

/** The context of work without a request. @throws if the configuration is invalid */
export async function openContext(env: Env, execution: ExecutionContext): Promise<AppContext> {
  const settingsFailure = await renewSettings(env, (work) => execution.waitUntil(work), ofChanges);
  return createAppContext(env, execution, added, { settingsFailure });
}

/** The context of a run. @throws also if it is not known what owners have set: the next run tries again */
export async function openRun(env: Env, execution: ExecutionContext): Promise<AppContext> {
  const app = await openContext(env, execution);
  if (app.settingsFailure !== null) throw app.settingsFailure;
  return app;
}
