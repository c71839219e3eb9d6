import { reset } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Post } from "#app/features/blog/post.server.ts";
import { blogPost as post, startBlog } from "#tests/features/blog/pool/blog.ts";
import { captureLog } from "#tests/support/pool/log.ts";

const log = captureLog();
// Fake timers for the timeouts, so that a busy machine changes nothing.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(async () => {
  vi.useRealTimers();
  await reset();
});

/** A Ghost that responds only when told to. */
function pausedGhost(blog: ReturnType<typeof startBlog>) {
  const requested = Promise.withResolvers<void>();
  const { promise, resolve } = Promise.withResolvers<Post[]>();
  blog.respond = () => {
    requested.resolve();
    return promise;
  };
  return { requested: requested.promise, respond: resolve };
}

test("a page does not wait longer than a quarter of a second for a silent Ghost, whose late response is still cached", async () => {
  const blog = startBlog();
  const ghost = pausedGhost(blog);
  const visit = blog.startVisit();
  await ghost.requested;
  expect(await seenAfterWait(visit)).toBeNull();
  ghost.respond([post("late")]);
  await visit.done();
  // By another isolate, which does not ask Ghost.
  expect(await startBlog().visit()).toEqual(["late"]);
});

describe("without KV, pages are served uncached", () => {
  const broken = {
    get: () => Promise.reject(new Error("KV GET failed: 500")),
    put: () => Promise.reject(new Error("KV PUT failed: 500")),
  } as unknown as KVNamespace;
  const silent = { get: () => new Promise(() => {}), put: () => new Promise(() => {}) } as unknown as KVNamespace;

  test.each([
    ["fails", broken],
    ["hangs", silent],
  ])("when it %s, the posts come from Ghost, in time", async (_, cache) => {
    const visit = startBlog({ cache }).startVisit();
    await vi.advanceTimersByTimeAsync(PAGE_WAIT.min);
    expect(await visit.seen).toEqual(["first"]);
    expect(log.join()).toContain("blog-cache-failed");
  });

  test("when Ghost hangs too, nothing is shown, in time", async () => {
    const blog = startBlog({ cache: silent });
    pausedGhost(blog);
    expect(await seenAfterWait(blog.startVisit())).toBeNull();
    expect(blog.calls).toBe(1);
  });
});

/** Milliseconds a page waits for posts. */
const PAGE_WAIT = { min: 190, max: 250 };

/** Asserts that a visit waits at least the minimum and at most the maximum. Returns the posts shown. */
async function seenAfterWait({ seen }: { seen: Promise<string[] | null> }): Promise<string[] | null> {
  const shown = vi.fn();
  seen.then(shown);
  await vi.advanceTimersByTimeAsync(PAGE_WAIT.min);
  expect(shown).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(PAGE_WAIT.max - PAGE_WAIT.min);
  expect(shown).toHaveBeenCalledOnce();
  return seen;
}
