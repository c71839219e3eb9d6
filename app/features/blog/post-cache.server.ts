import * as v from "valibot";
import { postSchema } from "#app/features/blog/post.server.ts";
import { logError } from "#app/server/log.ts";
import { withTimeout } from "#app/server/time/timeout.ts";

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

/** Milliseconds. Short, because pages wait for it; a warm read takes a few. */
const READ_TIMEOUT = 150;
const WRITE_TIMEOUT = 5_000;

const cachedPostsSchema = v.object({ source: v.string(), fetchedAt: v.number(), posts: v.array(postSchema) });

const cachedFailureSchema = v.object({
  source: v.string(),
  failedAt: v.number(),
  state: v.literal(FAILED),
  code: v.string(),
});

/** Reads a source's cached list and failure, ignoring other sources and versions. Null when KV fails or is slow. */
export async function getCached(cache: KVNamespace, source: string): Promise<CachedBlog | null> {
  try {
    const read = async () => cache.get<unknown>(Object.values(KEYS), "json");
    const values = await withTimeout(read(), READ_TIMEOUT, "kv");
    return {
      posts: parse(cachedPostsSchema, values.get(KEYS.posts), source),
      failure: parse(cachedFailureSchema, values.get(KEYS.failure), source),
    };
  } catch (error) {
    logError("blog-cache-failed", error, { doing: "read" });
    return null;
  }
}

/** Caches a list or a failure. Never throws: an uncached list is fetched again. @returns whether KV accepted it */
export async function putCached<Key extends keyof CachedBlog>(
  cache: KVNamespace,
  key: Key,
  value: CachedBlog[Key],
): Promise<boolean> {
  try {
    const write = async () => cache.put(KEYS[key], JSON.stringify(value), { expirationTtl: TTL });
    await withTimeout(write(), WRITE_TIMEOUT, "kv");
    return true;
  } catch (error) {
    logError("blog-cache-failed", error, { doing: "write" });
    return false;
  }
}

function parse<T extends { source: string }>(
  schema: v.GenericSchema<unknown, T>,
  value: unknown,
  source: string,
): T | null {
  const result = v.safeParse(schema, value);
  return result.success && result.output.source === source ? result.output : null;
}
