import * as v from "valibot";
import { postSchema } from "#app/features/blog/post.server.ts";
import type { PlanLimits } from "#app/server/config/plan-limits.ts";
import { logError } from "#app/server/log.ts";
import type { PictureFailure } from "#app/server/pictures/proxied-picture.server.ts";
import { withTimeout } from "#app/server/time/timeout.ts";
import type { Millis } from "#app/server/time/units.ts";

type CachedPosts = v.InferOutput<typeof cachedPostsSchema>;

/** The last failure that was recorded, which may be older than the last list. */
type CachedFailure = v.InferOutput<typeof cachedFailureSchema>;

export interface CachedBlog {
  posts: CachedPosts | null;
  failure: CachedFailure | null;
}

/** The specification's name for the state after a failure. */
export const FAILED = "Failed to load blog posts";

/**
 * Two keys, because KV has no conditional writes: a location whose refresh fails must not overwrite the newer list of
 * another location.
 */
const KEYS = { posts: "blog:posts", failure: "blog:failure" } as const;

/** Seconds. Ghost may be down for a week before visitors notice. */
const TTL = 7 * 24 * 60 * 60;

/** Short, because pages wait for it; a warm read takes a few milliseconds. */
const READ_TIMEOUT: Millis = 150;
const WRITE_TIMEOUT: Millis = 5_000;
const PICTURE_TIMEOUT: Millis = 2_000;

const cachedPostsSchema = v.object({ source: v.string(), fetchedAt: v.number(), posts: v.array(postSchema) });

const cachedFailureSchema = v.object({
  source: v.string(),
  failedAt: v.number(),
  state: v.literal(FAILED),
  code: v.string(),
});

/** Reads a source's cached list and failure, ignoring other sources and versions. Null when KV fails or is slow. */
export async function getCached(cache: KVNamespace, source: string): Promise<CachedBlog | null> {
  return attempt("read", READ_TIMEOUT, async () => {
    const values = await cache.get<unknown>(Object.values(KEYS), "json");
    return {
      posts: parse(cachedPostsSchema, values.get(KEYS.posts), source),
      failure: parse(cachedFailureSchema, values.get(KEYS.failure), source),
    };
  });
}

/** Caches a list or a failure. Never throws: an uncached list is fetched again. @returns whether KV accepted it */
export async function putCached<Key extends keyof CachedBlog>(
  cache: KVNamespace,
  key: Key,
  value: CachedBlog[Key],
): Promise<boolean> {
  const isPut = await attempt("write", WRITE_TIMEOUT, async () => {
    await cache.put(KEYS[key], JSON.stringify(value), { expirationTtl: TTL });
    return true;
  });
  return isPut ?? false;
}

function parse<T extends { source: string }>(
  schema: v.GenericSchema<unknown, T>,
  value: unknown,
  source: string,
): T | null {
  const result = v.safeParse(schema, value);
  return result.success && result.output.source === source ? result.output : null;
}

const pictureFailureSchema = v.object({
  code: v.string(),
  bytes: v.optional(v.number()),
  isHeavy: v.optional(v.boolean(), false),
});

const pictureKey = (hash: string) => `blog:picture-failure:${hash}`;

/**
 * Records that a picture cannot be shown, once in its `pictureFailureTtl`: writes to KV are few. That it is too heavy for
 * phones replaces what may have passed. Never throws.
 */
export async function recordPictureFailure(
  { cache, plan }: { cache: KVNamespace; plan: Pick<PlanLimits, "pictureFailureTtl"> },
  hash: string,
  failure: PictureFailure & { isHeavy?: boolean },
): Promise<void> {
  await attempt("write", PICTURE_TIMEOUT, async () => {
    const known = v.safeParse(pictureFailureSchema, await cache.get(pictureKey(hash), "json"));
    if (known.success && (known.output.isHeavy || !failure.isHeavy)) return;
    await cache.put(pictureKey(hash), JSON.stringify(failure), { expirationTtl: plan.pictureFailureTtl });
  });
}

/** Why these pictures cannot be shown, in their order; undefined for those that can. Null when KV fails. */
export async function readPictureFailures(cache: KVNamespace, hashes: string[]) {
  if (hashes.length === 0) return [];
  return attempt("read", PICTURE_TIMEOUT, async () => {
    const failures = await cache.get<unknown>(hashes.map(pictureKey), "json");
    return hashes.map((hash) => {
      const failure = v.safeParse(pictureFailureSchema, failures.get(pictureKey(hash)));
      return failure.success ? failure.output : undefined;
    });
  });
}

/** Null when KV fails or is slow. */
async function attempt<T>(doing: "read" | "write", timeout: Millis, work: () => Promise<T>): Promise<T | null> {
  try {
    return await withTimeout(work(), timeout, "kv");
  } catch (error) {
    logError("blog-cache-failed", error, { doing });
    return null;
  }
}
