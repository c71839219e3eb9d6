import { env, reset } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Post } from "#app/blog/post.server.ts";
import { blogPost as post, startBlog } from "#tests/support/pool/blog.ts";
import { captureLog } from "#tests/support/pool/log.ts";

const log = captureLog();
// Local KV is slow to its first touch, and no page waits for it.
beforeEach(() => env.CACHE.get("first touch"));
afterEach(() => reset());

const SECOND = 1_000;

function silence(): Promise<Post[]> {
  return new Promise(() => {});
}

/** A promise and what settles it. */
function held() {
  return Promise.withResolvers<Post[]>();
}

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
