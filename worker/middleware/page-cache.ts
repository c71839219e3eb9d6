import { createMiddleware } from "hono/factory";
import { cacheKey } from "#app/layout/cache-key.server.ts";
import type { Config } from "#app/server/config.server.ts";
import { newNonce } from "#app/server/nonce.server.ts";
import { createPageCache, type PageCache } from "#app/server/page-cache.server.ts";
import { configIfValid } from "#worker/middleware/config.ts";
import type { AppBindings } from "#worker/types.ts";

/** Outermost: an answer that is kept is whole, headers and all, so that nothing behind this has to run for it. */
export const pageCache = createMiddleware<AppBindings>(async (c, next) => {
  const config = configIfValid(c.env);
  const key = config === null || config.RENDER_CACHE === "off" ? null : cacheKey(c.req.raw, config.SITE_URL);
  if (config === null || key === null) return next();
  const pages = pagesOf(c.env, config);
  const kept = await pages.recall(key, newNonce);
  if (kept !== null) return kept;
  await next();
  c.res = await pages.keep(key, c.res, c.var.app.nonce, (work) => c.executionCtx.waitUntil(work));
});

/** One for all requests of an isolate, which share its bindings. */
const isolates = new WeakMap<Env, PageCache>();

function pagesOf(env: Env, config: Config): PageCache {
  const version = `${env.VERSION.id}/${encodeURIComponent(config.SITE_URL)}`;
  const pages = isolates.get(env) ?? createPageCache({ cache: shared, version, now: Date.now });
  isolates.set(env, pages);
  return pages;
}

/** Opened for each use, since what one request opens is not another's to use. */
const shared: Pick<Cache, "match" | "put"> = {
  match: async (address) => (await caches.open("rendered-pages")).match(address),
  put: async (address, page) => (await caches.open("rendered-pages")).put(address, page),
};
