import { logError } from "#app/server/log.ts";
import type { WorkersPlan } from "#app/server/plan-limits.ts";
import { withTimeout } from "#app/server/timeout.ts";

/**
 * Seconds. After this a failure is recorded again, or no longer counted. A day on the free plan, where each location may
 * write it again.
 */
const TTL: Record<WorkersPlan, number> = { free: 24 * 60 * 60, paid: 60 * 60 };

/** Milliseconds. */
const TIMEOUT = 2_000;

const key = (hash: string) => `blog:picture-failure:${hash}`;

/** Records that a picture cannot be shown, once in its {@link TTL}: writes to KV are few. Never throws. */
export async function recordPictureFailure(
  { cache, workersPlan }: { cache: KVNamespace; workersPlan: WorkersPlan },
  hash: string,
  failure: { code: string; failedAt: number },
): Promise<void> {
  await attempt("write", async () => {
    if ((await cache.get(key(hash))) !== null) return;
    await cache.put(key(hash), JSON.stringify(failure), { expirationTtl: TTL[workersPlan] });
  });
}

/** Never throws. */
export async function clearPictureFailure(cache: KVNamespace, hash: string): Promise<void> {
  await attempt("write", async () => {
    if ((await cache.get(key(hash))) !== null) await cache.delete(key(hash));
  });
}

/** How many of these pictures cannot be shown. Null when KV fails. */
export async function countPictureFailures(cache: KVNamespace, hashes: string[]): Promise<number | null> {
  if (hashes.length === 0) return 0;
  const failures = await attempt("read", () => cache.get(hashes.map(key)));
  return failures === null ? null : [...failures.values()].filter((failure) => failure !== null).length;
}

async function attempt<T>(doing: string, work: () => Promise<T>): Promise<T | null> {
  try {
    return await withTimeout(work(), TIMEOUT, "kv");
  } catch (error) {
    logError("blog-cache-failed", error, { doing });
    return null;
  }
}
