import { ghostSource } from "#app/features/blog/ghost.server.ts";
import type { BlogDeps } from "#app/features/blog/posts.server.ts";
import type { AppContext } from "#app/server/context.ts";

export function blogDeps({ config, cache, plan, now, waitUntil }: AppContext): BlogDeps {
  const { GHOST_URL: url, GHOST_CONTENT_KEY: key } = config;
  const source = url === undefined || key === undefined ? null : ghostSource(url, key);
  return { source, cache, plan, now, waitUntil };
}
