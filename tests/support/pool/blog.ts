import { createExecutionContext, env, waitOnExecutionContext } from "cloudflare:test";
import type { Post } from "#app/pages/blog/post.server.ts";
import { type BlogDeps, postsForPage } from "#app/pages/blog/posts.server.ts";
import { readBlogStatus } from "#app/pages/blog/status.server.ts";

/** A blog whose clock and source a test moves, on real KV unless told otherwise. Every one is an isolate of its own. */
export function startBlog({ cache = env.CACHE, url = "https://blog.example" } = {}) {
  const blog = {
    now: Date.parse("2026-11-21T12:00:00Z"),
    calls: 0,
    answer: async (): Promise<Post[]> => [blogPost("first")],
    /** A request to the landing page: what it shows, and the end of its work behind the response. */
    begin() {
      const execution = createExecutionContext();
      const seen = postsForPage(deps(execution)).then((posts) => posts?.map(({ title }) => title) ?? null);
      return { seen, done: () => seen.then(() => waitOnExecutionContext(execution)) };
    },
    async visit() {
      const { seen, done } = blog.begin();
      await done();
      return seen;
    },
    report: () => readBlogStatus(deps(createExecutionContext())),
  };
  // The binding is what an isolate knows itself by.
  const binding = new Proxy(cache, {
    get: (target, name) => {
      const member = Reflect.get(target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
  const source = {
    url,
    fetchPosts: () => {
      blog.calls += 1;
      return blog.answer();
    },
  };
  const deps = (execution: ExecutionContext): BlogDeps => ({
    source,
    cache: binding,
    now: () => blog.now,
    waitUntil: (work) => execution.waitUntil(work),
  });
  return blog;
}

/** A post of that title with nothing else. */
export function blogPost(title: string): Post {
  const url = `https://blog.example/${title}`;
  return { title, url, excerpt: "", featureImage: null, publishedAt: null, tags: [], authors: [] };
}
