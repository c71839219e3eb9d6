import AxeBuilder from "@axe-core/playwright";
import { schemes } from "#scripts/lib/site-paths.ts";
import { blogSection, startBlogSite } from "#tests/support/browser/blog-site.ts";
import { ghostPost, posts, send } from "#tests/support/browser/ghost-server.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { slow } from "#tests/support/browser/slow.ts";
import { expect, test } from "#tests/support/browser/test.ts";

needs("blog");

test("markup in posts is shown as text, and long titles stay in their card", slow, async ({ page }) => {
  const markup = `<img src=x onerror="document.title='run'"><b>Bold</b> & "quoted"</script>`;
  const long = "Stallholder".repeat(46).slice(0, 500);
  await using site = await startBlogSite(
    posts(
      ghostPost({ title: markup, excerpt: "<script>document.title = 'run'</script>", url: "https://blog.example/1" }),
      ghostPost({ title: long, url: "https://blog.example/2" }),
    ),
  );
  await site.fetchPosts();
  for (const width of [320, 700, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(site.url);
    const headings = blogSection(page).getByRole("heading", { level: 3 });
    await expect(headings).toHaveText([markup, long]);
    const heights = await headings.evaluateAll((all) => all.map((heading) => heading.getBoundingClientRect().height));
    for (const height of heights) expect(height).toBeLessThan(120);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    expect(await page.title()).not.toBe("run");
  }
});

test(
  "a card shows title, excerpt, UK date, authors and tags, and opens the post in the same tab",
  slow,
  async ({ page }) => {
    const tags = [{ name: "News" }, { name: "#hidden", visibility: "internal" }, { name: "Makers" }];
    await using site = await startBlogSite(
      posts(
        ghostPost({
          excerpt: "Words ".repeat(90),
          published_at: "2026-07-01T23:30:00.000+00:00",
          tags,
          authors: [{ name: "Ada" }, { name: "Grace" }],
        }),
      ),
    );
    await site.fetchPosts();
    await page.goto(site.url);
    const card = blogSection(page).getByRole("listitem");
    await expect(card.getByRole("link", { name: "Coming soon" })).toHaveAttribute(
      "href",
      "http://localhost:2368/coming-soon/",
    );
    await expect(card.getByRole("link")).not.toHaveAttribute("target", /./);
    await expect(card.getByText(/^(Words )+Words…$/)).toBeVisible();
    await expect(card.locator("time")).toHaveText("2 July 2026");
    await expect(card.locator("time")).toHaveAttribute("datetime", "2026-07-02");
    for (const text of ["Ada, Grace", "News", "Makers"])
      await expect(card.getByText(text, { exact: true })).toBeVisible();
    await expect(card).not.toContainText("#hidden");
    await expect(card.locator("img")).toHaveCount(0);
    await expect(card.locator("svg")).toBeVisible();
  },
);

test("cards with and without a picture pass axe, and their links are large enough", slow, async ({ page }) => {
  await using site = await startBlogSite(posts());
  site.ghost.files.set("/fair.png", send(404, "text/plain", "gone"));
  site.ghost.reply = posts(
    ghostPost({ title: "One", feature_image: `${site.ghost.url}/fair.png`, url: "https://blog.example/1" }),
    ghostPost({ title: "A title of more words than one line of a card has room for", url: "https://blog.example/2" }),
  );
  await site.fetchPosts();
  for (const colorScheme of schemes) {
    for (const { width, minimum } of [
      { width: 360, minimum: 44 },
      { width: 1280, minimum: 36 },
    ]) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.setViewportSize({ width, height: 800 });
      await page.goto(site.url);
      const section = blogSection(page);
      await section.scrollIntoViewIfNeeded();
      const heights = await section
        .getByRole("link")
        .evaluateAll((all) => all.map((link) => link.getBoundingClientRect().height));
      expect(heights).toHaveLength(2);
      for (const height of heights) expect(Math.round(height)).toBeGreaterThanOrEqual(minimum);
      const { violations } = await new AxeBuilder({ page }).include(".blog").setLegacyMode().analyze();
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
    }
  }
});
