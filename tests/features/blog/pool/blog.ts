import { createExecutionContext, env, waitOnExecutionContext } from "cloudflare:test";
import { ghostSource } from "#app/features/blog/ghost.server.ts";
import type { Post } from "#app/features/blog/post.server.ts";
import { type BlogDeps, postsForPage } from "#app/features/blog/posts.server.ts";
import { readBlogStatus } from "#app/features/blog/status.server.ts";
import { planLimits, type WorkersPlan } from "#app/server/config/plan-limits.ts";

/** A blog with a controllable clock and source, on real KV by default. Each call starts a separate isolate. */
export function startBlog({
  cache = env.CACHE,
  url = "https://blog.example",
  key = "22444f78447824223cefc48062",
  plan = "paid" as WorkersPlan,
} = {}) {
  const blog = {
    now: Date.parse("2026-11-21T12:00:00Z"),
    calls: 0,
    respond: async (): Promise<Post[]> => [blogPost("first")],
    /** Requests the landing page. `seen` resolves to the titles shown, `done()` when background work has ended too. */
    startVisit() {
      const execution = createExecutionContext();
      const seen = postsForPage(deps(execution)).then((posts) => posts?.map(({ title }) => title) ?? null);
      return { seen, done: () => seen.then(() => waitOnExecutionContext(execution)) };
    },
    async visit() {
      const { seen, done } = blog.startVisit();
      await done();
      return seen;
    },
    status: () => readBlogStatus(deps(createExecutionContext())),
  };
  // A separate object, because the application recognises an isolate by its KV binding.
  const binding = new Proxy(cache, {
    get: (target, name) => {
      const member = Reflect.get(target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
  const source = {
    url,
    cacheId: ghostSource(url, key).cacheId,
    fetchPosts: () => {
      blog.calls += 1;
      return blog.respond();
    },
  };
  const deps = (execution: ExecutionContext): BlogDeps => ({
    source,
    cache: binding,
    plan: planLimits[plan],
    now: () => blog.now,
    waitUntil: (work) => execution.waitUntil(work),
  });
  return blog;
}

/** A post with only a title and its URL. */
export function blogPost(title: string): Post {
  const url = `https://blog.example/${title}`;
  return { title, url, excerpt: "", featureImage: null, featureImageAlt: "", publishedAt: null, tags: [], authors: [] };
}
