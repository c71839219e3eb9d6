import type { RequestListener } from "node:http";
import type { Page } from "@playwright/test";
import { samplePosts } from "#app/pages/blog/sample-posts.ts";
import { hydrate } from "#scripts/lib/hydrated.ts";
import { blogSection, CONTENT_KEY, startBlogSite } from "#tests/support/browser/blog-site.ts";
import { flood, neverEnding, redirect, silent } from "#tests/support/browser/ghost-replies.ts";
import { ghostPost, posts, recorded, send } from "#tests/support/browser/ghost-server.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { slow } from "#tests/support/browser/slow.ts";
import { expect, test } from "#tests/support/browser/test.ts";

needs("blog");

const FAILURE = "Error fetching blog posts";
const POSTS_PATH = "/ghost/api/content/posts/";

interface Scenario {
  name: string;
  /** Null refuses the connection. */
  reply: RequestListener | null;
  /** Titles of the cards. */
  shown: string[];
  /** Fields of the only log line, if one is expected. */
  logged?: Record<string, unknown>;
}

const samples = samplePosts.map(({ title }) => title);

const lists: Scenario[] = [
  {
    name: "three posts without an id and with a null feature_image",
    reply: posts(...["One", "Two", "Three"].map((title) => ghostPost({ title, url: `https://blog.example/${title}` }))),
    shown: ["One", "Two", "Three"],
  },
  {
    name: "the recorded post of a real Ghost",
    reply: send(200, "application/json", JSON.stringify(recorded.posts)),
    shown: ["Coming soon"],
  },
  { name: "no posts", reply: posts(), shown: samples },
  {
    name: "one valid post among posts without a title or web URL",
    reply: posts(
      ghostPost({ title: undefined }),
      ghostPost({ title: "  " }),
      ghostPost({ title: "Run this", url: "javascript:alert(document.domain)" }),
      ghostPost({ title: "No address", url: null }),
      ghostPost({ title: "Valid" }),
    ),
    shown: ["Valid"],
  },
  {
    name: "fields of the wrong types",
    reply: posts(
      ghostPost({ title: "Bare", excerpt: 7, published_at: "yesterday", tags: null, authors: [{}], feature_image: 1 }),
    ),
    shown: ["Bare"],
  },
];

const failures: Scenario[] = [
  {
    name: "status 500",
    reply: send(500, "text/html", "<h1>Oops</h1>"),
    shown: [],
    logged: { code: "not-ok", status: 500 },
  },
  {
    name: "an error about the key",
    reply: send(401, "application/json", JSON.stringify(recorded.badKey)),
    shown: [],
    logged: { code: "not-ok", status: 401, ghostCode: "UNKNOWN_CONTENT_API_KEY" },
  },
  {
    name: "broken JSON",
    reply: send(200, "application/json", '{"posts":[{"title":"Half'),
    shown: [],
    logged: { code: "malformed" },
  },
  { name: "HTML", reply: send(200, "text/html", "<!doctype html><p>Hello"), shown: [], logged: { code: "malformed" } },
  { name: "JSON without posts", reply: send(200, "application/json", "[]"), shown: [], logged: { code: "malformed" } },
  {
    name: "10 MB",
    reply: flood("application/json", 10 * 1024 * 1024),
    shown: [],
    logged: { code: "too-large" },
  },
  { name: "an endless response", reply: neverEnding, shown: [], logged: { code: "timeout" } },
  { name: "no response", reply: silent, shown: [], logged: { code: "timeout" } },
  { name: "a refused connection", reply: null, shown: [], logged: { code: "unreachable" } },
  { name: "a redirect loop", reply: redirect(POSTS_PATH), shown: [], logged: { code: "too-many-redirects" } },
  {
    name: "a redirect to a private network address",
    reply: redirect("http://127.0.0.1:1/latest/meta-data"),
    shown: [],
    logged: { code: "forbidden-address" },
  },
];

for (const { name, reply, shown, logged } of [...lists, ...failures]) {
  const outcome = shown === samples ? "the sample posts" : shown.join(", ") || "nothing";
  test(`with ${name} from Ghost, the page shows ${outcome}`, slow, async ({ page }) => {
    await using site = await startBlogSite(reply);
    await site.fetchPosts();
    const lines = consoleLines(page);
    const response = await page.goto(site.url);
    expect(response?.status()).toBe(200);
    const section = blogSection(page);
    await expect(section.getByRole("heading", { level: 3 })).toHaveText(shown);
    await expect(section).toHaveCount(shown.length === 0 ? 0 : 1);
    const heading = shown === samples ? "While you wait" : "From the blog";
    if (shown.length > 0) await expect(section.getByRole("heading", { level: 2 })).toHaveText(heading);
    await expect.poll(() => lines).toEqual(shown.length === 0 ? [FAILURE] : []);

    if (logged === undefined) {
      expect(await site.health()).toMatchObject({ state: shown === samples ? "samples" : "ok" });
      expect(site.logged(FAILURE)).toEqual([]);
    } else {
      await expect.poll(() => site.logged(FAILURE)).toMatchObject([logged]);
      expect(await site.health()).toMatchObject({ state: "Failed to load blog posts", code: logged["code"] });
      if (logged["code"] === "not-ok")
        expect(site.logged(FAILURE)[0]?.["error"]).toBe("RemoteError: Failed to fetch posts");
    }
  });
}

test("a failure leaves its line in the console after a client-side navigation too", slow, async ({ page }) => {
  await using site = await startBlogSite(send(500, "text/html", "<h1>Oops</h1>"));
  await site.fetchPosts();
  await page.goto(`${site.url}/roadmap`);
  await hydrate(page);
  const lines = consoleLines(page);
  await page.getByRole("banner").getByRole("link", { name: "Home" }).click();
  await expect(page.getByRole("heading", { name: "Ways you can help" })).toBeVisible();
  await expect.poll(() => lines).toEqual([FAILURE]);
});

/** The console's lines about the blog from now on. */
function consoleLines(page: Page): string[] {
  const lines: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" && message.text().includes("blog")) lines.push(message.text());
  });
  return lines;
}

test("the request to Ghost has the specified parameters API version and a User-Agent", slow, async ({ request }) => {
  await using site = await startBlogSite(posts());
  expect((await request.get(site.url)).status()).toBe(200);
  await expect.poll(() => site.ghost.calls).toHaveLength(1);
  expect(site.ghost.calls[0]?.version).toBe("v5.0");
  expect(site.ghost.calls[0]?.userAgent).toMatch(/^[\w-]+\/1\.0$/);
  expect(Object.fromEntries(site.ghost.calls[0]?.url.searchParams ?? [])).toEqual({
    key: CONTENT_KEY,
    limit: "3",
    include: "tags,authors",
    fields: "title,excerpt,feature_image,url,published_at",
  });
});
