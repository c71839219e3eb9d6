import { startBlogSite } from "#tests/support/browser/blog-site.ts";
import { ghostPost, posts, send } from "#tests/support/browser/ghost-server.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { nightly } from "#tests/support/browser/slow.ts";
import { expect, test } from "#tests/support/browser/test.ts";

needs("blog");

/** How much an unresponsive Ghost may delay a page (milliseconds). */
const MAX_DELAY = 300;

test("100 page views make one request to Ghost", nightly, async () => {
  await using site = await startBlogSite(posts(ghostPost()));
  await site.fetchPosts();
  for (let round = 0; round < 10; round += 1) {
    const pages = await Promise.all(Array.from({ length: 10 }, () => landingPage(site.url)));
    for (const page of pages) expect(page).toContain("Coming soon");
  }
  expect(site.ghost.calls).toHaveLength(1);
});

test("100 page views make one request to a failing Ghost", nightly, async () => {
  await using site = await startBlogSite(send(500, "text/plain", "no"));
  await site.fetchPosts();
  for (let round = 0; round < 10; round += 1) {
    await Promise.all(Array.from({ length: 10 }, () => landingPage(site.url)));
  }
  expect(site.ghost.calls).toHaveLength(1);
  await expect.poll(() => site.logged("Error fetching blog posts")).toHaveLength(1);
});

test(`an unresponsive Ghost delays the first byte by less than ${MAX_DELAY} ms`, nightly, async () => {
  await using quick = await startBlogSite(posts(ghostPost()));
  await using unresponsive = await startBlogSite(() => {});
  const times = { quick: [] as number[], unresponsive: [] as number[] };
  // Warm up: the first page of a site is always slow.
  await Promise.all([quick, unresponsive].map(({ url }) => fetch(`${url}/privacy`).then((page) => page.text())));
  // Few views, since the request to Ghost times out after two seconds; alternating, so that both share the load.
  for (let view = 0; view < 5; view += 1) {
    times.unresponsive.push(await timeToFirstByte(unresponsive.url));
    times.quick.push(await timeToFirstByte(quick.url));
  }
  const difference = median(times.unresponsive) - median(times.quick);
  console.log(`median of 5: quick ${median(times.quick)} ms, unresponsive ${median(times.unresponsive)} ms`);
  expect(difference).toBeLessThan(MAX_DELAY);
  expect(unresponsive.ghost.calls).toHaveLength(1);
});

async function landingPage(url: string): Promise<string> {
  const response = await fetch(url);
  expect(response.status).toBe(200);
  return response.text();
}

/** Milliseconds until the headers arrive; the body is read to its end too. */
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
