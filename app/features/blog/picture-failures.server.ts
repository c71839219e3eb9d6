import type { PlanLimits } from "#app/server/config/plan-limits.ts";
import { logError } from "#app/server/log.ts";
import { withTimeout } from "#app/server/time/timeout.ts";

/** Milliseconds. */
const TIMEOUT = 2_000;

const key = (hash: string) => `blog:picture-failure:${hash}`;

/** Records that a picture cannot be shown, once in its `pictureFailureTtl`: writes to KV are few. Never throws. */
export async function recordPictureFailure(
  { cache, plan }: { cache: KVNamespace; plan: Pick<PlanLimits, "pictureFailureTtl"> },
  hash: string,
  failure: { code: string; failedAt: number },
): Promise<void> {
  await attempt("write", async () => {
    if ((await cache.get(key(hash))) !== null) return;
    await cache.put(key(hash), JSON.stringify(failure), { expirationTtl: plan.pictureFailureTtl });
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
