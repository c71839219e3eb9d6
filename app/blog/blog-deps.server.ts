import { ghostSource } from "#app/blog/ghost.server.ts";
import type { BlogDeps } from "#app/blog/posts.server.ts";
import type { AppContext } from "#app/context.ts";

/** What the blog uses of a request's context. */
export function blogDeps({ config, cache, now, waitUntil }: AppContext): BlogDeps {
  const { GHOST_URL: url, GHOST_CONTENT_KEY: key } = config;
  return { source: url === undefined || key === undefined ? null : ghostSource(url, key), cache, now, waitUntil };
}
