import type { RequestListener } from "node:http";
import { expect, type Locator, type Page } from "@playwright/test";
import { type RunningSite, startSite } from "#scripts/lib/running-site.ts";
import { type GhostServer, startGhost } from "#tests/support/browser/ghost-server.ts";

/** A site with its own fake Ghost. */
export interface BlogSite extends RunningSite {
  ghost: GhostServer;
  /** See {@link fetchPosts}. */
  fetchPosts(): Promise<void>;
  /** The blog's part of the health check. */
  health(): Promise<Record<string, unknown>>;
  [Symbol.asyncDispose](): Promise<void>;
}

export const CONTENT_KEY = "22444f78447824223cefc48062";

/** @param reply handles Content API requests */
export async function startBlogSite(reply: RequestListener): Promise<BlogSite> {
  const ghost = await startGhost(reply);
  // Starts faster without tables; the blog needs none.
  const site = await startSite({
    vars: { GHOST_URL: ghost.url, GHOST_CONTENT_KEY: CONTENT_KEY, RENDER_CACHE: "off" },
    migrated: false,
  });
  const health = () => blogHealth(site.url);
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
    fetchPosts: () => fetchPosts(site.url),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** Opens the landing page and waits until the request to Ghost has succeeded or failed. */
export async function fetchPosts(url: string): Promise<void> {
  await (await fetch(url)).text();
  await expect.poll(async () => (await blogHealth(url))["state"]).not.toMatch(/not asked yet|unknown/);
}

async function blogHealth(url: string): Promise<BlogHealth["blog"]> {
  return ((await (await fetch(`${url}/healthcheck`)).json()) as BlogHealth).blog;
}

/** The landing page's list of posts. */
export function blogSection(page: Page): Locator {
  return page.locator("section[aria-labelledby=blog]");
}

interface BlogHealth {
  blog: Record<string, unknown>;
}
