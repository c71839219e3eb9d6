import * as v from "valibot";
import { postSchema } from "#app/pages/blog/post.server.ts";
import { logError } from "#app/server/log.ts";
import { withTimeout } from "#app/server/timeout.ts";

/** The last list that was fetched. */
type CachedPosts = v.InferOutput<typeof keptPosts>;

/** The last failure, which may be older than the last list. */
type CachedFailure = v.InferOutput<typeof keptFailure>;

export interface CachedBlog {
  posts: CachedPosts | null;
  failure: CachedFailure | null;
}

/** The specification's name for the state after a failure. */
export const FAILED = "Failed to load blog posts";

/**
 * Two keys, since KV knows no "write unless newer": a location where a refresh fails must not put its older list, or
 * none, over the newer one of another location.
 */
const KEYS = { posts: "blog:posts", failure: "blog:failure" } as const;

/** Seconds. A Ghost may be gone for a week before visitors notice. */
const KEEP = 7 * 24 * 60 * 60;

/** Milliseconds. A page waits for this, so it is short; a read within a location takes a few. */
const READ_TIMEOUT = 150;
const WRITE_TIMEOUT = 5_000;

const keptPosts = v.object({ source: v.string(), fetchedAt: v.number(), posts: v.array(postSchema) });

const keptFailure = v.object({
  source: v.string(),
  failedAt: v.number(),
  state: v.literal(FAILED),
  code: v.string(),
});

/** What is kept of a source, or null when KV fails or is slow. What another source or version left is not seen. */
export async function readCached(cache: KVNamespace, source: string): Promise<CachedBlog | null> {
  try {
    const read = async () => cache.get<unknown>(Object.values(KEYS), "json");
    const values = await withTimeout(read(), READ_TIMEOUT, "kv");
    return {
      posts: parse(keptPosts, values.get(KEYS.posts), source),
      failure: parse(keptFailure, values.get(KEYS.failure), source),
    };
  } catch (error) {
    logError("blog-cache-failed", error, { doing: "read" });
    return null;
  }
}

/** Keeps a list or a failure. Never throws: what is not kept is fetched again. */
export async function keep<Key extends keyof CachedBlog>(
  cache: KVNamespace,
  key: Key,
  value: CachedBlog[Key],
): Promise<void> {
  try {
    const write = async () => cache.put(KEYS[key], JSON.stringify(value), { expirationTtl: KEEP });
    await withTimeout(write(), WRITE_TIMEOUT, "kv");
  } catch (error) {
    logError("blog-cache-failed", error, { doing: "write" });
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
