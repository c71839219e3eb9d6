import type { AppContext } from "#app/server/context.ts";
import { findQuotaError } from "#app/server/db/daily-quota-error.ts";
import { logError } from "#app/server/log.ts";
import { TimeoutError, withTimeout } from "#app/server/time/timeout.ts";
import type { Millis } from "#app/server/time/units.ts";

/** How long a page waits for what it can do without. */
const PAGE_WAIT: Millis = 150;

/** Per isolate, by its binding: the last values by name. */
const memories = new WeakMap<KVNamespace, Map<string, unknown>>();

/**
 * Reads what a page can do without. When that fails or takes too long, the last value that this isolate has read; null if
 * there is none. Never throws.
 */
export async function readForPage<T>(
  deps: Pick<AppContext, "cache" | "waitUntil">,
  name: string,
  read: () => Promise<T>,
): Promise<T | null> {
  const memory = memories.get(deps.cache) ?? new Map<string, unknown>();
  memories.set(deps.cache, memory);
  const work = read().then((value) => {
    memory.set(name, value);
    return value;
  });
  // A slow read goes on, for the next page.
  deps.waitUntil(work.catch(() => {}));
  try {
    return await withTimeout(work, PAGE_WAIT, name);
  } catch (error) {
    // The first refusal of a day alerts the owner.
    if (!(error instanceof TimeoutError) && findQuotaError(error) === null)
      logError("page-part-failed", error, { part: name });
    return (memory.get(name) as T | undefined) ?? null;
  }
}
