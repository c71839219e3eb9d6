import { readFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import type { Page } from "@playwright/test";
import { root } from "#scripts/lib/commands.ts";
import { schemes } from "#scripts/lib/site-paths.ts";
import { type BlogSite, blogSection, startBlogSite } from "#tests/support/browser/blog-site.ts";
import { flood, redirect } from "#tests/support/browser/ghost-replies.ts";
import { ghostPost, posts, send, startGhost } from "#tests/support/browser/ghost-server.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { slow } from "#tests/support/browser/slow.ts";
import { expect, test } from "#tests/support/browser/test.ts";

needs("blog");

const png = readFileSync(`${root}/public/apple-touch-icon.png`);
const MEGABYTE = 1024 * 1024;

/** A site with one post; its picture is at a URL, or at a path of its fake Ghost. */
async function siteWithPicture(picture: string, files: Record<string, RequestListener> = {}): Promise<BlogSite> {
  const site = await startBlogSite(posts());
  for (const [path, file] of Object.entries(files)) site.ghost.files.set(path, file);
  const feature_image = new URL(picture, site.ghost.url).href;
  site.ghost.reply = posts(ghostPost({ feature_image }));
  await site.fetchPosts();
  return site;
}

/** The same-origin URL of the first picture. */
async function pictureUrl(site: BlogSite): Promise<string> {
  const [url] = await pictureUrls(site);
  if (url === undefined) throw new Error("the page shows no picture");
  return url;
}

async function pictureUrls(site: BlogSite): Promise<string[]> {
  const html = await (await fetch(site.url)).text();
  return Array.from(html.matchAll(/src="(\/blog\/pictures\/[^"]+)"/g), ([, path]) => site.url + path);
}

const resized = "/content/images/size/w600/format/webp/fair.png";

test("pictures come from the site's own origin, in the size of the card", slow, async ({ page }) => {
  await using site = await siteWithPicture("/content/images/fair.png", { [resized]: send(200, "image/webp", png) });
  const requests = thirdPartyRequests(page, site.url);
  await page.goto(site.url);
  const picture = blogSection(page).locator("img");
  await picture.scrollIntoViewIfNeeded();
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0);
  await expect(picture).toHaveAttribute("loading", "lazy");
  await expect(picture).toHaveAttribute("width", /^\d+$/);
  await expect(picture).toHaveAttribute("height", /^\d+$/);
  expect(requests).toEqual([]);
  expect(site.ghost.fileRequests).toEqual([resized]);
});

for (const deviceScaleFactor of [2, 3]) {
  test(
    `a phone with ${deviceScaleFactor} pixels to a point loads the copy that is wide enough`,
    slow,
    async ({ browser }) => {
      await using site = await siteWithPicture("/content/images/fair.png", { [resized]: send(200, "image/webp", png) });
      const page = await browser.newPage({ viewport: { width: 360, height: 800 }, deviceScaleFactor });
      await page.goto(site.url);
      const picture = blogSection(page).locator("img");
      await picture.scrollIntoViewIfNeeded();
      await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.currentSrc)).toMatch(/-600$/);
      await page.close();
    },
  );
}

test("a picture has the description that the API gives it, and else none", slow, async ({ page }) => {
  await using site = await startBlogSite(posts());
  const feature_image = `${site.ghost.url}/content/images/fair.png`;
  const described = ghostPost({ feature_image, feature_image_alt: ' A "fair" ', url: "https://blog.example/1" });
  site.ghost.reply = posts(described, ghostPost({ feature_image, url: "https://blog.example/2" }));
  await site.fetchPosts();
  await page.goto(site.url);
  const alts = await blogSection(page)
    .locator("img")
    .evaluateAll((all) => all.map((img) => img.getAttribute("alt")));
  expect(alts).toEqual(['A "fair"', ""]);
});

test("a picture is served with its type and cache headers, and is fetched once", slow, async () => {
  await using site = await siteWithPicture("/fair.png", { "/fair.png": send(200, "image/png", png) });
  const url = await pictureUrl(site);
  // The cache is written after the response is sent.
  const isRefetched = async () => {
    const before = site.ghost.fileRequests.length;
    await (await fetch(url)).arrayBuffer();
    return site.ghost.fileRequests.length > before;
  };
  await expect.poll(isRefetched).toBe(false);
  const requestCount = site.ghost.fileRequests.length;
  for (const suffix of ["", "", "?again"]) {
    const response = await fetch(url + suffix);
    expect(response.status).toBe(200);
    expect(Buffer.from(await response.arrayBuffer()).equals(png)).toBe(true);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "image/png",
      "cache-control": "public, max-age=604800, immutable",
      "content-disposition": "inline",
      "content-security-policy": "default-src 'none'; sandbox",
      "x-content-type-options": "nosniff",
    });
  }
  expect(site.ghost.fileRequests).toHaveLength(requestCount);
  expect(new Set(site.ghost.fileRequests)).toEqual(new Set(["/fair.png"]));
});

test("a picture behind a redirect is served", slow, async () => {
  await using site = await siteWithPicture("/old.png", {
    "/old.png": redirect("/new.webp"),
    "/new.webp": send(200, "image/webp; q=1", png),
  });
  const response = await fetch(await pictureUrl(site));
  expect(response.status).toBe(200);
  expect(response.headers.get("Content-Type")).toBe("image/webp");
});

for (const javaScriptEnabled of [true, false]) {
  const how = `${javaScriptEnabled ? "with" : "without"} JavaScript`;
  test(`a drawing for each scheme takes the place of a picture that is gone (${how})`, slow, async ({ browser }) => {
    await using site = await siteWithPicture("/gone.png");
    const drawings: Buffer[] = [];
    for (const colorScheme of schemes) {
      const page = await browser.newPage({ javaScriptEnabled, colorScheme });
      await page.goto(site.url);
      const picture = blogSection(page).locator("img");
      await picture.scrollIntoViewIfNeeded();
      await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(400);
      drawings.push(await picture.screenshot());
      await page.close();
    }
    expect(drawings[0]?.equals(drawings[1] ?? Buffer.of())).toBe(false);
    expect(site.logged("blog-picture-failed")).toMatchObject([{ code: "not-ok", status: 404 }]);
    expect(await site.health()).toMatchObject({ state: "ok", posts: 1, failingPictures: 1 });
  });
}

test.describe("anything but a picture of a current post", slow, () => {
  test("is not found", async () => {
    await using site = await siteWithPicture("/fair.png", { "/fair.png": send(200, "image/png", png) });
    const url = await pictureUrl(site);
    const others = ["0".repeat(32), "x", encodeURIComponent(`${site.ghost.url}/fair.png`), "..%2F..%2Fghost"];
    for (const name of others) expect((await fetch(`${site.url}/blog/pictures/${name}`)).status, name).toBe(404);
    expect((await fetch(`${url}0`)).status).toBe(404);
    expect(site.ghost.fileRequests).toEqual([]);
  });

  const rejected: [what: string, file: RequestListener, code: string][] = [
    ["an SVG", send(200, "image/svg+xml", "<svg xmlns='http://www.w3.org/2000/svg'/>"), "not-a-picture"],
    ["HTML", send(200, "text/html", "<script>alert(1)</script>"), "not-a-picture"],
    ["a file without a type", (_, response) => response.end(png), "not-a-picture"],
    ["more than 10 MB", flood("image/png", 10 * MEGABYTE + 1), "too-large"],
    ["an error response", send(500, "image/png", png), "not-ok"],
    ["a redirect loop", redirect("/fair.png"), "too-many-redirects"],
    ["a redirect to another scheme", redirect("file:///etc/passwd"), "forbidden-address"],
    ["a redirect to an invalid URL", redirect("http://["), "forbidden-address"],
    ["a redirect to the private network", redirect("http://169.254.169.254/latest/meta-data"), "forbidden-address"],
  ];
  for (const [what, file, code] of rejected) {
    test(`${what} is replaced by a drawing`, async () => {
      await using site = await siteWithPicture("/fair.png", { "/fair.png": file });
      const response = await fetch(await pictureUrl(site), { redirect: "manual" });
      expect(response.status).toBe(302);
      expect(response.headers.get("Location")).toBe("/posts/stall-1.svg");
      expect(response.headers.get("Cache-Control")).toBe("public, max-age=60");
      await expect.poll(() => site.logged("blog-picture-failed")).toMatchObject([{ code }]);
    });
  }

  test("private network servers get no requests, through posts or redirects", async () => {
    const neighbour = await startGhost(posts());
    neighbour.files.set("/fair.png", send(200, "image/png", png));
    const { port } = new URL(neighbour.url);
    try {
      await using site = await startBlogSite(posts());
      site.ghost.files.set("/there.png", redirect(`http://localhost:${port}/fair.png`));
      const pictures = [
        `${neighbour.url}/fair.png`,
        `http://[::ffff:7f00:1]:${port}/fair.png`,
        `${site.ghost.url}/there.png`,
      ];
      site.ghost.reply = posts(
        ...pictures.map((feature_image, n) => ghostPost({ feature_image, url: `https://blog.example/${n}` })),
      );
      await site.fetchPosts();
      const urls = await pictureUrls(site);
      expect(urls).toHaveLength(3);
      for (const url of urls) expect((await fetch(url, { redirect: "manual" })).status).toBe(302);
      const codes = () => site.logged("blog-picture-failed").map(({ code }) => code);
      await expect.poll(codes).toEqual(Array(3).fill("forbidden-address"));
      expect(neighbour.fileRequests).toEqual([]);
    } finally {
      await neighbour.stop();
    }
  });
});

/** URLs that a page requests from other sites from now on. */
function thirdPartyRequests(page: Page, url: string): string[] {
  const urls: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(`${url}/`) && !request.url().startsWith("data:")) urls.push(request.url());
  });
  return urls;
}
