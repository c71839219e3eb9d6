import { env, reset } from "cloudflare:test";
import { afterEach, describe, expect, test } from "vitest";
import { BlogError } from "#app/blog/blog-error.server.ts";
import type { Post } from "#app/blog/post.server.ts";
import { blogPost as post, startBlog } from "#tests/support/pool/blog.ts";
import { captureLog } from "#tests/support/pool/log.ts";

const log = captureLog();
afterEach(() => reset());

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

function fails(): Promise<Post[]> {
  return Promise.reject(new BlogError("not-ok", "Failed to fetch posts", { status: 500 }));
}

function silence(): Promise<Post[]> {
  return new Promise(() => {});
}

/** A promise and what settles it. */
function held() {
  return Promise.withResolvers<Post[]>();
}

describe("a list that is kept", () => {
  test("is asked for once in five minutes, however many come, and again after them", async () => {
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

  test("is asked for once by many who come at the same moment to an empty cache", async () => {
    const blog = startBlog();
    const seen = await Promise.all(Array.from({ length: 20 }, () => blog.visit()));
    expect(seen).toEqual(Array.from({ length: 20 }, () => ["first"]));
    expect(blog.calls).toBe(1);
  });

  test("serves other isolates through KV", async () => {
    await startBlog().visit();
    const other = startBlog();
    expect(await other.visit()).toEqual(["first"]);
    expect(other.calls).toBe(0);
  });

  test("is served at once when it is stale, while one refresh runs behind", async () => {
    const blog = startBlog();
    await blog.visit();
    blog.now += 6 * MINUTE;
    const refresh = held();
    blog.answer = () => refresh.promise;
    const visits = Array.from({ length: 10 }, () => blog.begin());
    expect(await Promise.all(visits.map(({ seen }) => seen))).toEqual(Array.from({ length: 10 }, () => ["first"]));
    expect(blog.calls).toBe(2);
    refresh.resolve([post("second")]);
    await Promise.all(visits.map(({ done }) => done()));
    expect(await blog.visit()).toEqual(["second"]);
    expect(blog.calls).toBe(2);
  });

  test("is kept for seven days", async () => {
    await startBlog().visit();
    const { keys } = await env.CACHE.list({ prefix: "blog:posts" });
    const days = ((keys[0]?.expiration ?? 0) * SECOND - Date.now()) / DAY;
    expect(days).toBeGreaterThan(6.99);
    expect(days).toBeLessThanOrEqual(7);
  });

  test("is not shown once another Ghost is configured", async () => {
    await startBlog().visit();
    const other = startBlog({ url: "https://other.example" });
    other.answer = async () => [post("other")];
    expect(await other.visit()).toEqual(["other"]);
  });

  test("in a shape that this version does not know is fetched anew", async () => {
    await env.CACHE.put("blog:posts", JSON.stringify({ source: "https://blog.example", posts: [{ name: "old" }] }));
    expect(await startBlog().visit()).toEqual(["first"]);
  });

  test("may be empty, and is kept like any other", async () => {
    const blog = startBlog();
    blog.answer = async () => [];
    expect(await blog.visit()).toEqual([]);
    expect(await blog.visit()).toEqual([]);
    expect(blog.calls).toBe(1);
  });
});

describe("a Ghost that fails", () => {
  test("for a day: the last posts are still shown, at once, and the owner is told", async () => {
    const blog = startBlog();
    await blog.visit();
    const fetchedAt = new Date(blog.now).toISOString();
    blog.answer = fails;
    for (let hour = 0; hour < 24; hour += 1) {
      blog.now += DAY / 24;
      expect(await blog.visit()).toEqual(["first"]);
    }
    expect(await blog.report()).toEqual({
      state: "Failed to load blog posts",
      code: "not-ok",
      failedAt: new Date(blog.now).toISOString(),
      posts: 1,
      fetchedAt,
    });
  });

  test("is left alone for 30 seconds, by other isolates too", async () => {
    const blog = startBlog();
    blog.answer = fails;
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

  test("and recovers: its posts are shown and the state is well again", async () => {
    const blog = startBlog();
    blog.answer = fails;
    await blog.visit();
    expect((await blog.report()).state).toBe("Failed to load blog posts");
    blog.now += 31 * SECOND;
    blog.answer = async () => [post("back")];
    expect(await blog.visit()).toEqual(["back"]);
    expect(await blog.report()).toEqual({ state: "ok", posts: 1, fetchedAt: new Date(blog.now).toISOString() });
  });

  test("where one location fails, the newer list of another stays", async () => {
    const failing = startBlog();
    const refresh = held();
    failing.answer = () => refresh.promise;
    const visit = failing.visit();
    await startBlog().visit();
    refresh.reject(new BlogError("timeout", "no whole answer in time"));
    await visit;
    expect(await startBlog().visit()).toEqual(["first"]);
  });

  test("is logged in the specification's words, with its code", async () => {
    const blog = startBlog();
    blog.answer = fails;
    await blog.visit();
    expect(log.map((line) => JSON.parse(line))).toEqual([
      {
        level: "error",
        event: "Error fetching blog posts",
        code: "not-ok",
        status: 500,
        error: "BlogError: Failed to fetch posts",
      },
    ]);
    expect(await env.CACHE.get("blog:failure", "json")).toMatchObject({ state: "Failed to load blog posts" });
  });
});

describe("a page does not wait", () => {
  test("longer than a quarter of a second for a silent Ghost, whose answer is kept when it comes", async () => {
    const blog = startBlog();
    const answer = held();
    blog.answer = () => answer.promise;
    const began = performance.now();
    const visit = blog.begin();
    expect(await visit.seen).toBeNull();
    expectWait(performance.now() - began);
    answer.resolve([post("late")]);
    await visit.done();
    expect(await startBlog().visit()).toEqual(["late"]);
  });

  test("for a refresh that was cut off: another one is begun", async () => {
    const blog = startBlog();
    blog.answer = silence;
    expect(await blog.begin().seen).toBeNull();
    blog.now += 11 * SECOND;
    blog.answer = async () => [post("anew")];
    expect(await blog.begin().seen).toEqual(["anew"]);
  });
});

describe("without KV there is no cache, but a page", () => {
  const broken = {
    get: () => Promise.reject(new Error("KV GET failed: 500")),
    put: () => Promise.reject(new Error("KV PUT failed: 500")),
  } as unknown as KVNamespace;
  const throwing = new Proxy({} as KVNamespace, {
    get: () => () => {
      throw new Error("KV is gone");
    },
  });
  const silent = { get: () => new Promise(() => {}), put: () => new Promise(() => {}) } as unknown as KVNamespace;

  test.each([
    ["fails", broken],
    ["throws", throwing],
    ["does not answer", silent],
  ])("when it %s: the posts come from the Ghost, in time", async (_, cache) => {
    const blog = startBlog({ cache });
    const began = performance.now();
    expect(await blog.begin().seen).toEqual(["first"]);
    expect(performance.now() - began).toBeLessThan(500);
    expect(log.join()).toContain("blog-cache-failed");
  });

  test("when it does not answer, and the Ghost does not either: nothing is shown, in time", async () => {
    const blog = startBlog({ cache: silent });
    blog.answer = silence;
    const began = performance.now();
    expect(await blog.begin().seen).toBeNull();
    expectWait(performance.now() - began);
    expect(blog.calls).toBe(1);
  });

  test("the owner is told that nothing is known", async () => {
    expect(await startBlog({ cache: broken }).report()).toEqual({ state: "unknown" });
  });

  test("an isolate remembers its own list for a minute", async () => {
    const blog = startBlog({ cache: broken });
    await blog.visit();
    blog.now += 59 * SECOND;
    expect(await blog.visit()).toEqual(["first"]);
    expect(blog.calls).toBe(1);
    blog.now += 2 * SECOND;
    await blog.visit();
    expect(blog.calls).toBe(2);
  });
});

/** Less than a quarter of a second, and what a busy machine adds to it. */
function expectWait(milliseconds: number): void {
  expect(milliseconds).toBeGreaterThan(190);
  expect(milliseconds).toBeLessThan(500);
}
