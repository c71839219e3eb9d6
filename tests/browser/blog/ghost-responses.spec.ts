import type { RequestListener } from "node:http";
import { expect, test } from "@playwright/test";
import { CONTENT_KEY, startBlogSite } from "#tests/support/browser/blog-site.ts";
import {
  flood,
  ghostPost,
  neverEnding,
  posts,
  recorded,
  redirect,
  send,
  silent,
} from "#tests/support/browser/ghost-server.ts";

const FAILURE = "Error fetching blog posts";
const POSTS_PATH = "/ghost/api/content/posts/";

interface Scenario {
  name: string;
  /** Null: nobody listens. */
  answer: RequestListener | null;
  /** Titles of the cards. */
  shown: string[];
  /** Fields of the one line that is logged, if any is. */
  logged?: Record<string, unknown>;
}

const samples = ["How far along are we?", "What would make your next fair easier?", "What a Pioneer gets, and when"];

const lists: Scenario[] = [
  {
    name: "three posts that have no id and a feature_image of null",
    answer: posts(
      ...["One", "Two", "Three"].map((title) => ghostPost({ title, url: `https://blog.example/${title}` })),
    ),
    shown: ["One", "Two", "Three"],
  },
  {
    name: "one post, as a real Ghost answered",
    answer: send(200, "application/json", JSON.stringify(recorded.posts)),
    shown: ["Coming soon"],
  },
  { name: "no posts", answer: posts(), shown: samples },
  {
    name: "posts without a title or a web address among others",
    answer: posts(
      ghostPost({ title: undefined }),
      ghostPost({ title: "  " }),
      ghostPost({ title: "Run this", url: "javascript:alert(document.domain)" }),
      ghostPost({ title: "No address", url: null }),
      ghostPost({ title: "Kept" }),
    ),
    shown: ["Kept"],
  },
  {
    name: "oddly filled fields",
    answer: posts(
      ghostPost({ title: "Bare", excerpt: 7, published_at: "yesterday", tags: null, authors: [{}], feature_image: 1 }),
    ),
    shown: ["Bare"],
  },
];

const failures: Scenario[] = [
  {
    name: "status 500",
    answer: send(500, "text/html", "<h1>Oops</h1>"),
    shown: [],
    logged: { code: "not-ok", status: 500 },
  },
  {
    name: "a wrong key",
    answer: send(401, "application/json", JSON.stringify(recorded.badKey)),
    shown: [],
    logged: { code: "not-ok", status: 401, ghostCode: "UNKNOWN_CONTENT_API_KEY" },
  },
  {
    name: "broken JSON",
    answer: send(200, "application/json", '{"posts":[{"title":"Half'),
    shown: [],
    logged: { code: "malformed" },
  },
  { name: "HTML", answer: send(200, "text/html", "<!doctype html><p>Hello"), shown: [], logged: { code: "malformed" } },
  { name: "JSON without posts", answer: send(200, "application/json", "[]"), shown: [], logged: { code: "malformed" } },
  {
    name: "10 MB",
    answer: flood("application/json", 10 * 1024 * 1024),
    shown: [],
    logged: { code: "too-large" },
  },
  { name: "an answer that never ends", answer: neverEnding, shown: [], logged: { code: "timeout" } },
  { name: "an answer that never begins", answer: silent, shown: [], logged: { code: "timeout" } },
  { name: "a refused connection", answer: null, shown: [], logged: { code: "unreachable" } },
  { name: "redirects in a circle", answer: redirect(POSTS_PATH), shown: [], logged: { code: "too-many-redirects" } },
  {
    name: "a redirect to another server of the private network",
    answer: redirect("http://127.0.0.1:1/latest/meta-data"),
    shown: [],
    logged: { code: "forbidden-address" },
  },
];

for (const { name, answer, shown, logged } of [...lists, ...failures]) {
  const outcome = shown === samples ? "the samples" : shown.join(", ") || "nothing";
  test(`a Ghost that answers with ${name}: the page shows ${outcome}`, async ({ page }) => {
    await using site = await startBlogSite(answer);
    await site.askGhost();
    const response = await page.goto(site.url);
    expect(response?.status()).toBe(200);
    const section = page.getByRole("region", { name: "From the blog" });
    await expect(section.getByRole("heading", { level: 3 })).toHaveText(shown);
    await expect(section).toHaveCount(shown.length === 0 ? 0 : 1);

    if (logged === undefined) {
      expect(await site.report()).toMatchObject({ state: shown === samples ? "samples" : "ok" });
      expect(site.logged(FAILURE)).toEqual([]);
    } else {
      await expect.poll(() => site.logged(FAILURE)).toMatchObject([logged]);
      expect(await site.report()).toMatchObject({ state: "Failed to load blog posts", code: logged["code"] });
      if (logged["code"] === "not-ok")
        expect(site.logged(FAILURE)[0]?.["error"]).toBe("BlogError: Failed to fetch posts");
    }
  });
}

test("the Ghost is asked exactly what the specification says, with its API's version", async ({ request }) => {
  await using site = await startBlogSite(posts());
  expect((await request.get(site.url)).status()).toBe(200);
  await expect.poll(() => site.ghost.calls).toHaveLength(1);
  expect(site.ghost.calls[0]?.version).toBe("v5.0");
  expect(Object.fromEntries(site.ghost.calls[0]?.url.searchParams ?? [])).toEqual({
    key: CONTENT_KEY,
    limit: "3",
    include: "tags,authors",
    fields: "title,excerpt,feature_image,url,published_at",
  });
});
