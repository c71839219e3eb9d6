import type { RequestListener } from "node:http";
import { expect, test } from "@playwright/test";
import { startSite } from "#scripts/lib/running-site.ts";
import { startBlogSite } from "#tests/support/browser/blog-site.ts";
import { ghostPost, posts, send, silent } from "#tests/support/browser/ghost-server.ts";

/** Milliseconds. */
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Milliseconds that a page may be later for a Ghost that says nothing. */
const GRACE = 300;

test("100 page views ask the Ghost once", async () => {
  await using site = await startBlogSite(posts(ghostPost()));
  await site.askGhost();
  for (let round = 0; round < 10; round += 1) {
    const pages = await Promise.all(Array.from({ length: 10 }, () => landingPage(site.url)));
    for (const page of pages) expect(page).toContain("Coming soon");
  }
  expect(site.ghost.calls).toHaveLength(1);
});

test("a list that is five minutes old is served at once, while one refresh runs for all who come", async () => {
  const answer = Promise.withResolvers<void>();
  const delayed: RequestListener = (request, response) => {
    answer.promise.then(() => posts(ghostPost({ title: "Newer" }))(request, response));
  };
  await using site = await startBlogSite(delayed, { kept: { titles: ["Older"], age: 5 * MINUTE + 1 } });
  const pages = await Promise.all(Array.from({ length: 10 }, () => landingPage(site.url)));
  for (const page of pages) expect(page).toContain("Older");
  await expect.poll(() => site.ghost.calls).toHaveLength(1);
  answer.resolve();
  await expect.poll(() => landingPage(site.url)).toContain("Newer");
  expect(site.ghost.calls).toHaveLength(1);
});

test("a list that is younger is served without asking", async () => {
  await using site = await startBlogSite(posts(), { kept: { titles: ["Older"], age: 4 * MINUTE } });
  expect(await landingPage(site.url)).toContain("Older");
  expect(site.ghost.calls).toEqual([]);
});

test("a Ghost that has been down for a day is not noticed by visitors, but by the owner", async () => {
  await using site = await startBlogSite(null, { kept: { titles: ["Yesterday's"], age: DAY } });
  expect(await landingPage(site.url)).toContain("Yesterday&#x27;s");
  await expect
    .poll(() => site.report())
    .toMatchObject({ state: "Failed to load blog posts", code: "unreachable", posts: 1 });
  expect(await landingPage(site.url)).toContain("Yesterday&#x27;s");
  await expect.poll(() => site.logged("Error fetching blog posts")).toHaveLength(1);
});

test("100 page views of a Ghost that fails ask it once, too", async () => {
  await using site = await startBlogSite(send(500, "text/plain", "no"));
  await site.askGhost();
  for (let round = 0; round < 10; round += 1) {
    await Promise.all(Array.from({ length: 10 }, () => landingPage(site.url)));
  }
  expect(site.ghost.calls).toHaveLength(1);
  await expect.poll(() => site.logged("Error fetching blog posts")).toHaveLength(1);
});

test("posts that come too late for one page are there for the next", async () => {
  const answer = Promise.withResolvers<void>();
  await using site = await startBlogSite((request, response) => {
    answer.promise.then(() => posts(ghostPost())(request, response));
  });
  expect(await landingPage(site.url)).not.toContain("From the blog");
  answer.resolve();
  await expect.poll(() => landingPage(site.url)).toContain("Coming soon");
  expect(site.ghost.calls).toHaveLength(1);
});

test(`the first byte of a page comes within ${GRACE} ms, be the Ghost quick or silent`, async () => {
  await using quick = await startBlogSite(posts(ghostPost()));
  await using mute = await startBlogSite(silent);
  const times = { quick: [] as number[], mute: [] as number[] };
  // What a site does once, on its first page, has nothing to do with the Ghost.
  await Promise.all([quick, mute].map(({ url }) => fetch(`${url}/privacy`).then((page) => page.text())));
  // Few enough for the Ghost to stay silent through most of them, since after two seconds it is given up.
  // In turns, so that whatever else the machine does meets both.
  for (let view = 0; view < 5; view += 1) {
    times.mute.push(await timeToFirstByte(mute.url));
    times.quick.push(await timeToFirstByte(quick.url));
  }
  const difference = median(times.mute) - median(times.quick);
  console.log(`median of 5: quick ${median(times.quick)} ms, silent ${median(times.mute)} ms`);
  expect(difference).toBeLessThan(GRACE);
  expect(mute.ghost.calls).toHaveLength(1);
});

test("without a Ghost the samples are shown, and lead to places on this site", async ({ page }) => {
  const site = await startSite({ migrated: false });
  try {
    await page.goto(site.url);
    const links = page.getByRole("region", { name: "From the blog" }).getByRole("link");
    expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute("href")))).toEqual([
      "/roadmap",
      "/survey",
      "/#join",
    ]);
    await links.nth(0).click();
    await expect(page).toHaveURL(`${site.url}/roadmap`);
    await page.goBack();
    await links.nth(2).click();
    await expect(page).toHaveURL(`${site.url}/#join`);
    await expect(page.locator("form#join")).toBeInViewport();
  } finally {
    await site.stop();
  }
});

async function landingPage(url: string): Promise<string> {
  const response = await fetch(url);
  expect(response.status).toBe(200);
  return response.text();
}

/** Milliseconds until the headers are there; the page is read to its end all the same. */
async function timeToFirstByte(url: string): Promise<number> {
  const began = performance.now();
  const response = await fetch(url);
  const took = performance.now() - began;
  await response.text();
  return Math.round(took);
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
