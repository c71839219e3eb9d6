import { createMiddleware } from "hono/factory";
import { cacheKey } from "#app/layout/cache-key.server.ts";
import { pages } from "#app/pages.server.ts";
import { getConfig, getConfigIfValid } from "#app/server/config/env-config.server.ts";
import type { AppContext } from "#app/server/context.ts";
import type { AppBindings } from "#app/server/http/bindings.ts";
import { newNonce } from "#app/server/http/csp.server.ts";
import { createPageCache, TTL } from "#app/server/http/page-cache.server.ts";
import { perEnv } from "#app/server/per-env.ts";
import type { Millis } from "#app/server/time/units.ts";
import { added } from "#worker/features.ts";

/** Outermost: cached responses are complete with headers, so no other middleware runs for them. */
export const pageCache = createMiddleware<AppBindings>(async (c, next) => {
  const config = getConfigIfValid(c.env);
  const key = config === null || config.RENDER_CACHE === "off" ? null : cacheKey(c.req.raw, config.SITE_URL, cacheable);
  if (key === null) return next();
  const cache = getPageCache(c.env);
  const cached = await cache.get(key, newNonce);
  if (cached !== null) return cached;
  await next();
  const waitUntil = (work: Promise<unknown>) => c.executionCtx.waitUntil(work);
  c.res = await cache.put(key, c.res, { nonce: c.var.app.nonce, longest: longestFor(c.var.app), waitUntil });
});

/** Below it, a failing D1 would mean rendering every request. */
const SHORTEST: Millis = 5_000;

/** A page has what the settings were when they were read: that is shown for a minute after, at most. */
function longestFor({ settingsReadAt }: AppContext): Millis {
  if (added.readSettings === undefined) return TTL;
  return Math.max(SHORTEST, (settingsReadAt ?? 0) + TTL - Date.now());
}

const cacheable = {
  paths: new Set<string>(pages.filter((page) => page.cacheable).map(({ path }) => path)),
  collections: added.collections,
};

const getPageCache = perEnv((env: Env) => {
  const siteUrl = getConfig(env).SITE_URL;
  return createPageCache({ cache: cacheApi, siteUrl, version: env.VERSION.id, now: Date.now });
});

/** Opens the cache for each use: a request cannot use I/O objects of another. */
const cacheApi: Pick<Cache, "match" | "put"> = {
  match: async (address) => (await caches.open("rendered-pages")).match(address),
  put: async (address, page) => (await caches.open("rendered-pages")).put(address, page),
};
