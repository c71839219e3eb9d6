import { readFileSync } from "node:fs";
import { root } from "#scripts/lib/commands.ts";
import { hydrate } from "#scripts/lib/hydrated.ts";
import { schemes } from "#scripts/lib/site-paths.ts";
import { type BlogSite, blogSection, startBlogSite } from "#tests/support/browser/blog-site.ts";
import { ghostPost, posts, send } from "#tests/support/browser/ghost-server.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { slow } from "#tests/support/browser/slow.ts";
import { expect, test } from "#tests/support/browser/test.ts";
import { expectSound } from "#tests/support/browser/walk.ts";

needs("blog", "waysToHelp");

const PNG = readFileSync(`${root}/public/apple-touch-icon.png`);

let blog: BlogSite;

test.beforeAll(async () => {
  blog = await startBlogSite(posts());
  const picture = `${blog.ghost.url}/content/images/fair.png`;
  blog.ghost.files.set("/content/images/size/w600/format/webp/fair.png", send(200, "image/webp", PNG));
  blog.ghost.reply = posts(
    ghostPost({
      title: "Our first winter fair",
      excerpt: "Words ".repeat(90),
      url: "https://blog.example/1",
      feature_image: picture,
    }),
    ghostPost({
      title: "Seven questions to ask",
      url: "https://blog.example/2",
      feature_image: `${blog.ghost.url}/gone.png`,
    }),
    ghostPost({ title: "Without a picture", url: "https://blog.example/3" }),
  );
  await blog.fetchPosts();
});

test.afterAll(() => blog.stop());

test("the landing page with posts is sound", slow, ({ page }) =>
  expectSound(page, { name: "with posts", path: "/" }, blog.url),
);

test("a picture comes from the site's own origin, in the size of the card and the screen", async ({ browser }) => {
  const context = await browser.newContext({ viewport: { width: 360, height: 800 }, deviceScaleFactor: 2 });
  const page = await context.newPage();
  const elsewhere: string[] = [];
  page.on("request", (request) => {
    if (new URL(request.url()).origin !== blog.url) elsewhere.push(request.url());
  });
  await page.goto(blog.url);
  const picture = blogSection(page).locator("img").first();
  await picture.scrollIntoViewIfNeeded();
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0);
  expect(await picture.evaluate((img: HTMLImageElement) => img.currentSrc)).toMatch(/\/blog\/pictures\/.*-600$/);
  expect(elsewhere).toEqual([]);
  await context.close();
});

test(
  "a phone gets a drawing for a picture that weighs 410 KB, however dense its screen, and a desktop gets the picture",
  slow,
  async ({ browser }) => {
    await using site = await startBlogSite(posts());
    const picture = `${site.ghost.url}/heavy.png`;
    // What follows the end of a PNG is not part of the picture.
    site.ghost.files.set("/heavy.png", send(200, "image/png", Buffer.concat([PNG, Buffer.alloc(410 * 1_024)])));
    site.ghost.reply = posts(ghostPost({ url: "https://blog.example/1", feature_image: picture }));
    await site.fetchPosts();
    const shownAt = async (width: number, deviceScaleFactor: number) => {
      await using context = await browser.newContext({ viewport: { width, height: 800 }, deviceScaleFactor });
      const page = await context.newPage();
      const bytes: number[] = [];
      page.on("response", async (response) => {
        if (response.request().resourceType() === "image" && response.ok()) bytes.push((await response.body()).length);
      });
      await page.goto(site.url);
      const shown = blogSection(page).locator("img");
      await shown.scrollIntoViewIfNeeded();
      await expect.poll(() => shown.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0);
      await page.waitForLoadState("networkidle");
      return { isDrawing: bytes.length > 0 && bytes.every((size) => size <= 60 * 1_024) };
    };
    for (const density of [1, 2, 3, 4]) expect(await shownAt(360, density), `${density}`).toEqual({ isDrawing: true });
    for (const density of [1, 2]) expect(await shownAt(1280, density), `${density}`).toEqual({ isDrawing: false });
  },
);

test("one post alone has its picture beside its words, and two share the width", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(blog.url);
  const box = (selector: string) => blogSection(page).locator(selector).first().boundingBox();
  const removeLast = () => blogSection(page).evaluate((section) => section.querySelector("li:last-child")?.remove());
  await removeLast();
  const [list, card] = [await box("ul"), await box("li")];
  expect(card?.width).toBeGreaterThan((list?.width ?? 0) * 0.45);
  await removeLast();
  const [alone, picture, words] = [await box("li"), await box(".scene"), await box("h3")];
  expect(alone?.width).toBe(list?.width);
  expect(words?.x).toBeGreaterThan((picture?.x ?? 0) + (picture?.width ?? 0));
  expect(words?.y).toBeLessThan((picture?.y ?? 0) + (picture?.height ?? 0));
});

test("without JavaScript a drawing for each scheme takes the place of a picture that is gone", async ({ browser }) => {
  const drawings: Buffer[] = [];
  for (const colorScheme of schemes) {
    const page = await browser.newPage({ javaScriptEnabled: false, colorScheme });
    await page.goto(blog.url);
    const picture = blogSection(page).locator("img").nth(1);
    await picture.scrollIntoViewIfNeeded();
    await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(400);
    drawings.push(await picture.screenshot());
    await page.close();
  }
  expect(drawings[0]?.equals(drawings[1] ?? Buffer.of())).toBe(false);
});

test(
  "with a Ghost that fails, the page is sound without the section, and the console says so",
  slow,
  async ({ page }) => {
    await using site = await startBlogSite(send(500, "text/html", "<h1>Oops</h1>"));
    await site.fetchPosts();
    const lines: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error" && message.text().includes("blog")) lines.push(message.text());
    });
    const failure = /^Error fetching blog posts$/;
    await expectSound(page, { name: "without posts", path: "/", expectedErrors: failure }, site.url);
    await expect(blogSection(page)).toHaveCount(0);
    expect(lines).toEqual(["Error fetching blog posts"]);
    // After a client-side navigation too.
    await page.goto(`${site.url}/privacy`);
    await hydrate(page);
    await page.getByRole("main").getByRole("link", { name: "Back to home" }).first().click();
    await expect(page.getByRole("heading", { name: "Ways you can help" })).toBeVisible();
    await expect.poll(() => lines).toHaveLength(2);
  },
);
