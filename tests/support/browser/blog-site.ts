import type { RequestListener } from "node:http";
import { expect } from "@playwright/test";
import { type RunningSite, startSite } from "#scripts/lib/running-site.ts";
import { type GhostServer, startGhost } from "#tests/support/browser/ghost-server.ts";

/** A site whose posts come from a Ghost of its own. */
export interface BlogSite extends RunningSite {
  ghost: GhostServer;
  /** Opens the page and waits until the Ghost has answered or failed, however busy this machine is. */
  askGhost(): Promise<void>;
  /** What the health check tells the owner about the blog. */
  report(): Promise<Record<string, unknown>>;
  [Symbol.asyncDispose](): Promise<void>;
}

export const CONTENT_KEY = "22444f78447824223cefc48062";

interface BlogSiteOptions {
  /** Titles of the posts that are in the cache from the start, and their age in milliseconds. */
  kept?: { titles: string[]; age: number };
}

/** @param answer how the Ghost answers the Content API, or null when nobody listens at its address */
export async function startBlogSite(answer: RequestListener | null, { kept }: BlogSiteOptions = {}): Promise<BlogSite> {
  const ghost = await startGhost(answer ?? (() => {}));
  if (answer === null) await ghost.stop();
  // Without tables it starts sooner, and the blog needs none.
  const site = await startSite({
    vars: { GHOST_URL: ghost.url, GHOST_CONTENT_KEY: CONTENT_KEY, RENDER_CACHE: "off" },
    migrated: false,
    kept: kept === undefined ? {} : { "blog:posts": keptPosts(ghost.url, kept.titles, kept.age) },
  });
  const report = async () => ((await (await fetch(`${site.url}/healthcheck`)).json()) as BlogHealth).blog;
  // Local KV is slow to its first touch, and a site to its first page; no page waits for a list that comes late.
  await report();
  await (await fetch(`${site.url}/privacy`)).text();
  const stop = async () => {
    await site.stop();
    await ghost.stop();
  };
  return {
    ...site,
    ghost,
    report,
    async askGhost() {
      await (await fetch(site.url)).text();
      await expect.poll(async () => (await report())["state"]).not.toMatch(/not asked yet|unknown/);
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

interface BlogHealth {
  blog: Record<string, unknown>;
}

/** The cache's value as the site writes it. */
function keptPosts(source: string, titles: string[], age: number) {
  const rest = { excerpt: "", featureImage: null, publishedAt: null, tags: [], authors: [] };
  const posts = titles.map((title, n) => ({ title, url: `https://blog.example/${n}`, ...rest }));
  return { source, fetchedAt: Date.now() - age, posts };
}
