import { env, reset } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Post } from "#app/features/blog/post.server.ts";
import { RemoteError } from "#app/server/pictures/remote-error.server.ts";
import { blogPost as post, startBlog } from "#tests/features/blog/pool/blog.ts";
import { captureLog } from "#tests/support/pool/log.ts";

const log = captureLog();
// No timeout fires here, however slow local KV is on a busy machine: posts-timeout.test.ts covers them.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(async () => {
  vi.useRealTimers();
  await reset();
});

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

function fails(): Promise<Post[]> {
  return Promise.reject(new RemoteError("not-ok", "Failed to fetch posts", { status: 500 }));
}

function deferredPosts() {
  return Promise.withResolvers<Post[]>();
}

describe("a cached list", () => {
  test("is fetched once in five minutes, and again after that", async () => {
    const blog = startBlog();
    for (let visit = 0; visit < 100; visit += 1) {
      expect(await blog.visit()).toEqual(["first"]);
      blog.now += 2.9 * SECOND;
    }
    expect(blog.calls).toBe(1);
    blog.now += MINUTE;
    await blog.visit();
    expect(blog.calls).toBe(2);
  });

  test("is served stale, at once, while one refresh runs in the background", async () => {
    const blog = startBlog();
    await blog.visit();
    blog.now += 6 * MINUTE;
    const refresh = deferredPosts();
    blog.respond = () => refresh.promise;
    const visits = Array.from({ length: 10 }, () => blog.startVisit());
    expect(await Promise.all(visits.map(({ seen }) => seen))).toEqual(Array.from({ length: 10 }, () => ["first"]));
    expect(blog.calls).toBe(2);
    refresh.resolve([post("second")]);
    await Promise.all(visits.map(({ done }) => done()));
    expect(await blog.visit()).toEqual(["second"]);
    expect(blog.calls).toBe(2);
  });

  test.each([{ url: "https://other.example" }, { key: "another" }])(
    "is not shown once %j is configured",
    async (change) => {
      await startBlog().visit();
      const other = startBlog(change);
      other.respond = async () => [post("other")];
      expect(await other.visit()).toEqual(["other"]);
    },
  );
});

describe("a failing Ghost", () => {
  test("for a day: the last posts are still shown, at once, and the status reports the failure", async () => {
    const blog = startBlog();
    await blog.visit();
    const fetchedAt = new Date(blog.now).toISOString();
    blog.respond = fails;
    for (let hour = 0; hour < 24; hour += 1) {
      blog.now += DAY / 24;
      expect(await blog.visit()).toEqual(["first"]);
    }
    expect(await blog.status()).toEqual({
      state: "Failed to load blog posts",
      code: "not-ok",
      failedAt: new Date(blog.now).toISOString(),
      posts: 1,
      fetchedAt,
      failingPictures: 0,
    });
    expect(JSON.parse(log[0] ?? "")).toMatchObject({ level: "error", event: "Error fetching blog posts", status: 500 });
  });

  test("gets no requests for 30 seconds, from other isolates either", async () => {
    const blog = startBlog();
    blog.respond = fails;
    expect(await blog.visit()).toBeNull();
    const other = startBlog();
    for (const isolate of [blog, other]) {
      isolate.now += 29 * SECOND;
      expect(await isolate.visit()).toBeNull();
    }
    expect([blog.calls, other.calls]).toEqual([1, 0]);
    blog.now += 2 * SECOND;
    await blog.visit();
    expect(blog.calls).toBe(2);
  });

  test.each([{ url: "https://right.example" }, { key: "right" }])(
    "is asked at once after %j was corrected",
    async (change) => {
      const blog = startBlog();
      blog.respond = fails;
      await blog.visit();
      expect(await startBlog(change).visit()).toEqual(["first"]);
      expect(JSON.stringify(await env.CACHE.get("blog:posts"))).not.toContain('right"');
    },
  );

  test("at one location leaves the newer list of another in place", async () => {
    const failing = startBlog();
    const refresh = deferredPosts();
    failing.respond = () => refresh.promise;
    const visit = failing.visit();
    await startBlog().visit();
    refresh.reject(new RemoteError("timeout", "no complete response in time"));
    await visit;
    expect(await startBlog().visit()).toEqual(["first"]);
  });
});
