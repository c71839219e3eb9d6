import type { RequestListener } from "node:http";
import { expect, type Locator, type Page } from "@playwright/test";
import { sha256 } from "#app/server/random-token.server.ts";
import { type RunningSite, startSite } from "#scripts/lib/running-site.ts";
import { type GhostServer, startGhost } from "#tests/support/browser/ghost-server.ts";

/** A site with its own fake Ghost. */
export interface BlogSite extends RunningSite {
  ghost: GhostServer;
  /** Opens the landing page and waits until the request to Ghost has succeeded or failed. */
  fetchPosts(): Promise<void>;
  /** The blog's part of the health check. */
  health(): Promise<Record<string, unknown>>;
  [Symbol.asyncDispose](): Promise<void>;
}

export const CONTENT_KEY = "22444f78447824223cefc48062";

interface Options {
  /** Posts that are cached from the start, by title, and their age (milliseconds). */
  cached?: { titles: string[]; age: number };
}

/** @param reply handles Content API requests; null refuses the connection */
export async function startBlogSite(reply: RequestListener | null, { cached }: Options = {}): Promise<BlogSite> {
  const ghost = await startGhost(reply ?? (() => {}));
  if (reply === null) await ghost.stop();
  // Starts faster without tables; the blog needs none.
  const site = await startSite({
    vars: { GHOST_URL: ghost.url, GHOST_CONTENT_KEY: CONTENT_KEY, RENDER_CACHE: "off" },
    migrated: false,
  });
  if (cached !== undefined) {
    const key = `${site.url}/cdn-cgi/local/explorer/api/storage/kv/namespaces/CACHE/values/blog%3Aposts`;
    const source = `${ghost.url} ${(await sha256(CONTENT_KEY)).slice(0, 16)}`;
    const body = JSON.stringify(cachedPosts(source, cached.titles, cached.age));
    expect((await fetch(key, { method: "PUT", body })).status).toBe(200);
  }
  const health = async () => ((await (await fetch(`${site.url}/healthcheck`)).json()) as BlogHealth).blog;
  // Warm up: local KV's first access and a site's first page are slow, and pages do not wait for late posts.
  await health();
  await (await fetch(`${site.url}/privacy`)).text();
  const stop = async () => {
    await site.stop();
    await ghost.stop();
  };
  return {
    ...site,
    ghost,
    health,
    async fetchPosts() {
      await (await fetch(site.url)).text();
      await expect.poll(async () => (await health())["state"]).not.toMatch(/not asked yet|unknown/);
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** The landing page's list of posts. */
export function blogSection(page: Page): Locator {
  return page.locator("section[aria-labelledby=blog]");
}

interface BlogHealth {
  blog: Record<string, unknown>;
}

/** The cache value in the site's own format. */
function cachedPosts(source: string, titles: string[], age: number) {
  const rest = { excerpt: "", featureImage: null, publishedAt: null, tags: [], authors: [] };
  const posts = titles.map((title, n) => ({ title, url: `https://blog.example/${n}`, ...rest }));
  return { source, fetchedAt: Date.now() - age, posts };
}
