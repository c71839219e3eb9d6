import type { RequestListener } from "node:http";
import { expect } from "@playwright/test";
import { type GhostServer, startGhost } from "#tests/browser/support/ghost-server.ts";
import { type RunningSite, startSite } from "#tests/browser/support/running-site.ts";

/** A site whose posts come from a Ghost of its own. */
export interface BlogSite extends RunningSite {
  ghost: GhostServer;
  /** Lines of the Worker's log about an event. */
  logged(event: string): Record<string, unknown>[];
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
    vars: { GHOST_URL: ghost.url, GHOST_CONTENT_KEY: CONTENT_KEY },
    migrated: false,
    kept: kept === undefined ? {} : { "blog:posts": keptPosts(ghost.url, kept.titles, kept.age) },
  });
  const report = async () => ((await (await fetch(`${site.url}/healthcheck`)).json()) as BlogHealth).blog;
  // Local KV is slow to its first touch, and no page waits for it.
  await report();
  const stop = async () => {
    await site.stop();
    await ghost.stop();
  };
  return {
    ...site,
    ghost,
    logged: (name) => linesOf(site.output()).filter(({ event }) => event === name),
    report,
    async askGhost() {
      await (await fetch(site.url)).text();
      await expect.poll(report).not.toMatchObject({ state: "not asked yet" });
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

/** The structured lines among everything that Wrangler printed. */
function linesOf(output: string): Record<string, unknown>[] {
  return Array.from(output.matchAll(/\{"level":.*\}/g), ([line]) => JSON.parse(line));
}
