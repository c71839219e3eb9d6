import { reset } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Post } from "#app/pages/blog/post.server.ts";
import { blogPost as post, startBlog } from "#tests/support/pool/blog.ts";
import { captureLog } from "#tests/support/pool/log.ts";

const log = captureLog();
// The clock of the time limits is the test's, so that a busy machine changes nothing.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(async () => {
  vi.useRealTimers();
  await reset();
});

const SECOND = 1_000;

/** A Ghost that has been asked, and answers when told to. */
function heldGhost(blog: ReturnType<typeof startBlog>) {
  const asked = Promise.withResolvers<void>();
  const { promise, resolve } = Promise.withResolvers<Post[]>();
  blog.answer = () => {
    asked.resolve();
    return promise;
  };
  return { asked: asked.promise, answer: resolve };
}

describe("a page does not wait", () => {
  test("longer than a quarter of a second for a silent Ghost, whose answer is kept when it comes", async () => {
    const blog = startBlog();
    const ghost = heldGhost(blog);
    const visit = blog.begin();
    await ghost.asked;
    expect(await seenInTime(visit)).toBeNull();
    ghost.answer([post("late")]);
    await visit.done();
    expect(await startBlog().visit()).toEqual(["late"]);
  });

  test("for a refresh that was cut off: another one is begun", async () => {
    const blog = startBlog();
    const ghost = heldGhost(blog);
    const visit = blog.begin();
    await ghost.asked;
    expect(await seenInTime(visit)).toBeNull();
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
  ])("when it %s: the posts come from the Ghost, at once", async (_, cache) => {
    expect(await startBlog({ cache }).begin().seen).toEqual(["first"]);
    expect(log.join()).toContain("blog-cache-failed");
  });

  test("when it does not answer: the posts come from the Ghost, in time", async () => {
    const visit = startBlog({ cache: silent }).begin();
    await vi.advanceTimersByTimeAsync(PATIENCE.least);
    expect(await visit.seen).toEqual(["first"]);
    expect(log.join()).toContain("blog-cache-failed");
  });

  test("when it does not answer, and the Ghost does not either: nothing is shown, in time", async () => {
    const blog = startBlog({ cache: silent });
    heldGhost(blog);
    expect(await seenInTime(blog.begin())).toBeNull();
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

/** Milliseconds that a page waits for posts. */
const PATIENCE = { least: 190, most: 250 };

/** What a visit shows that has to wait: nothing before the least wait is over, something before the most is. */
async function seenInTime({ seen }: { seen: Promise<string[] | null> }): Promise<string[] | null> {
  const shown = vi.fn();
  seen.then(shown);
  await vi.advanceTimersByTimeAsync(PATIENCE.least);
  expect(shown).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(PATIENCE.most - PATIENCE.least);
  expect(shown).toHaveBeenCalledOnce();
  return seen;
}
