import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { recordPictureFailure } from "#app/features/blog/blog-cache.server.ts";
import type { Post } from "#app/features/blog/post.server.ts";
import { planLimits } from "#app/server/config/plan-limits.ts";
import { RemoteError } from "#app/server/pictures/remote-error.server.ts";
import { blogPost as post, startBlog } from "#tests/features/blog/pool/blog.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { playedKv } from "#tests/support/pool/played-kv.ts";

/*
 * The free plan includes 1,000 writes to KV a day. https://developers.cloudflare.com/kv/platform/limits/
 * Other Workers of the account need some, too.
 */

captureLog();
beforeEach(
  () => void vi.useFakeTimers({ now: Date.UTC(2026, 10, 21), toFake: ["Date", "setTimeout", "clearTimeout"] }),
);
afterEach(() => vi.useRealTimers());

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

type Ghost = (minute: number) => Promise<Post[]>;

const well: Ghost = async () => [post("first")];
const dead: Ghost = () => Promise.reject(new RemoteError("unreachable", "the connection failed"));
/** Responds after pages have stopped waiting for it. */
const slow: Ghost = async (minute) => {
  await vi.advanceTimersByTimeAsync(1_500);
  return well(minute);
};
const flapping: Ghost = (minute) => (Math.floor(minute / 7) % 2 === 0 ? well(minute) : dead(minute));

/** Plays a day of six visits a minute, each at a location that looks random, where a cold isolate may start for each. */
async function playDay(ghost: Ghost, { locations = 10, cold = false, writes = 1_000 }) {
  const begin = Date.now();
  const kv = playedKv(Date.now, { writes });
  const places = Array.from({ length: locations }, kv.location);
  const start = (place = kv.location()) => {
    const blog = startBlog({ cache: place(), plan: "free" });
    blog.respond = () => ghost((Date.now() - begin) / MINUTE);
    return blog;
  };
  const warm = places.map(start);
  let calls = 0;
  let empty = 0;
  for (let state = 1; Date.now() < begin + DAY; ) {
    state = (state * 48_271) % 2_147_483_647;
    const index = state % locations;
    const blog = (cold ? undefined : warm[index]) ?? start(places[index]);
    const before = blog.calls;
    blog.now = Date.now();
    if ((await blog.visit()) === null) empty += 1;
    calls += blog.calls - before;
    vi.setSystemTime(Date.now() + 10_000);
  }
  return { kv, calls, empty };
}

test.each<[string, Ghost, Parameters<typeof playDay>[1]]>([
  ["well, with a cold isolate for each visit", well, { cold: true }],
  ["slow", slow, {}],
  ["dead, at one location", dead, { locations: 1 }],
  ["dead, with a cold isolate for each visit", dead, { cold: true }],
  ["flapping", flapping, {}],
])("a day with Ghost %s: at most 150 writes, none refused", async (_, ghost, traffic) => {
  const { kv, calls } = await playDay(ghost, traffic);
  expect(calls).toBeGreaterThan(20);
  expect(kv.writesOf("blog:")).toBeLessThanOrEqual(150);
  expect(kv.refused()).toBe(0);
});

test.each([
  ["at one location a day of visits writes the list at most 96 times", 1_000, 41, 96],
  ["posts that KV refuses to store are shown nevertheless, without more requests to Ghost", 0, 0, 0],
])("%s", async (_, writes, least, most) => {
  const { kv, calls, empty } = await playDay(well, { locations: 1, writes });
  expect(kv.writesOf("blog:posts")).toBeGreaterThanOrEqual(least);
  expect(kv.writesOf("blog:posts")).toBeLessThanOrEqual(most);
  expect(calls).toBeLessThanOrEqual(96);
  expect(empty).toBe(0);
});

test.each(["free", "paid"] as const)(
  "after one failure without posts, a Ghost that is well again is shown within two minutes on the %s plan",
  async (plan) => {
    const kv = playedKv(Date.now);
    const place = kv.location();
    const blogs = [place, place, kv.location()].map((at) => startBlog({ cache: at(), plan }));
    const visitAll = async (ghost: Ghost) => {
      for (const blog of blogs) Object.assign(blog, { now: Date.now(), respond: () => ghost(0) });
      return Promise.all(blogs.map((blog) => blog.visit()));
    };
    expect(await visitAll(dead)).toEqual([null, null, null]);
    for (let second = 0; second < 120; second += 5) {
      vi.setSystemTime(Date.now() + 5_000);
      await visitAll(well);
    }
    expect(await visitAll(well)).toEqual([["first"], ["first"], ["first"]]);
  },
);

test("three pictures that come and go, at ten locations: one write a day for each picture and location", async () => {
  const kv = playedKv(Date.now);
  const places = Array.from({ length: 10 }, kv.location);
  const begin = Date.now();
  for (let minute = 0; minute < 24 * 60; minute += 1) {
    vi.setSystemTime(begin + minute * MINUTE);
    const cache = (places[minute % 10] as () => KVNamespace)();
    for (const hash of ["a", "b", "c"])
      await recordPictureFailure({ cache, plan: planLimits.free }, hash, { code: "not-ok", failedAt: Date.now() });
  }
  expect(kv.writesOf("blog:picture-failure")).toBeLessThanOrEqual(30);
});
