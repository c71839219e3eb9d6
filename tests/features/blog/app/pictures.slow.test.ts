import { createExecutionContext, env, reset, waitOnExecutionContext } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { cardPicture, PICTURES_PATH } from "#app/features/blog/card-post.server.ts";
import { serveBlogPicture } from "#app/features/blog/picture.server.ts";
import { readBlogStatus } from "#app/features/blog/status.server.ts";
import { planLimits } from "#app/server/config/plan-limits.ts";
import { blogPost } from "#tests/features/blog/pool/blog.ts";
import { captureLog } from "#tests/support/pool/log.ts";

const log = captureLog();
afterEach(reset);

const GHOST = "https://blog.example";
const UPLOAD = `${GHOST}/content/images/2026/11/fair.jpg`;
const RESIZED = `${GHOST}/content/images/size/w600/format/webp/2026/11/fair.jpg`;
const EXTERNAL = "https://pictures.example/fair.jpg";

/** What servers respond, by URL; anything else is 404. Each request is noted. */
const files = new Map<string, () => Response | Promise<Response>>();
const requested: string[] = [];

beforeEach(() => {
  files.clear();
  requested.length = 0;
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    requested.push(String(input));
    return (await files.get(String(input))?.()) ?? new Response("not found", { status: 404 });
  });
});

const picture = (bytes: number) => () =>
  new Response(new Uint8Array(bytes).fill(7), { headers: { "Content-Type": "image/webp" } });

const sharedCache = {
  match: async (key: string) => (await open()).match(key),
  put: putShared,
  delete: async (key: string) => (await open()).delete(key),
};
const open = () => caches.open(`pictures-${site}`);
async function putShared(key: string, response: Response) {
  await (await open()).put(key, response);
}

/** On workers.dev, where the Cache API does nothing. */
const noCache = {
  match: async () => undefined,
  put: async (_: unknown, response: Response) => void (await response.text()),
};

let site = 0;

/** An isolate of a site whose posts have these pictures. */
async function startSite(pictures: string[], responses: unknown = sharedCache) {
  site += 1;
  const siteUrl = `https://site-${site}.example`;
  const posts = pictures.map((featureImage, n) => ({ ...blogPost(`${n}`), featureImage }));
  await env.CACHE.put("blog:posts", JSON.stringify({ source: GHOST, fetchedAt: Date.now(), posts }));
  const clock = { now: Date.now() };
  const cache = new Proxy(env.CACHE, {
    get: (target, name) => {
      const member = Reflect.get(target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
  const deps = (execution: ExecutionContext) => ({
    source: { url: GHOST, cacheId: async () => GHOST, fetchPosts: () => Promise.reject(new Error("not asked")) },
    cache,
    plan: planLimits.paid,
    now: () => clock.now,
    waitUntil: (work: Promise<unknown>) => execution.waitUntil(work),
    siteUrl,
    responses: responses as Cache,
  });
  return {
    clock,
    async get(path: string) {
      const execution = createExecutionContext();
      const url = new URL(path, siteUrl);
      const name = decodeURIComponent(url.pathname.split("/").at(-1) ?? "");
      const response = await serveBlogPicture(deps(execution), url, name);
      const body = await response.arrayBuffer();
      await waitOnExecutionContext(execution);
      const { status, headers } = response;
      return { status, type: headers.get("Content-Type"), location: headers.get("Location"), headers, body };
    },
    status: () => readBlogStatus(deps(createExecutionContext())),
  };
}

const pathOf = async (source: string) => (await cardPicture(source)).src;

describe("a picture is fetched once", () => {
  test("for 60 requests at the same time", async () => {
    files.set(EXTERNAL, picture(500_000));
    const { get } = await startSite([EXTERNAL]);
    const path = await pathOf(EXTERNAL);
    const responses = await Promise.all(Array.from({ length: 60 }, () => get(path)));
    for (const { status, body } of responses) expect([status, body.byteLength]).toEqual([200, 500_000]);
    expect(requested).toEqual([EXTERNAL]);
  });

  test("a minute long for 60 requests while it fails", async () => {
    const { get, status, clock } = await startSite([EXTERNAL]);
    const path = await pathOf(EXTERNAL);
    for (let round = 0; round < 3; round += 1) await Promise.all(Array.from({ length: 20 }, () => get(path)));
    expect(requested).toEqual([EXTERNAL]);
    expect(await status()).toMatchObject({ failingPictures: 1 });
    files.set(EXTERNAL, picture(10));
    clock.now += 60_000;
    expect((await get(path)).status).toBe(200);
  });
});

describe("an upload", () => {
  test("is requested in the sizes of the layout, as WebP", async () => {
    const { src, srcSet } = await cardPicture(UPLOAD);
    expect(srcSet?.split(", ").map((size) => size.split(" ")[1])).toEqual(["600w", "1000w"]);
    expect(srcSet).toContain(`${src} 600w`);
    files.set(RESIZED, picture(10));
    const { get } = await startSite([UPLOAD]);
    expect(await get(src)).toMatchObject({ status: 200, type: "image/webp" });
    expect(requested).toEqual([RESIZED]);
  });

  test("is shown as it is where the server makes no other sizes", async () => {
    files.set(UPLOAD, picture(6_000_000));
    const { get } = await startSite([UPLOAD]);
    const { status, body } = await get(await pathOf(UPLOAD));
    expect([status, body.byteLength]).toEqual([200, 6_000_000]);
    expect(requested).toEqual([RESIZED, UPLOAD]);
  });

  test("in a folder of its own, such as Ghost's in a subfolder or on its storage, has sizes too", async () => {
    const hasSizes = async (url: string) => (await cardPicture(url)).srcSet?.includes("600w") ?? false;
    expect(await hasSizes(`${GHOST}/news/content/images/fair.png`)).toBe(true);
    expect(await hasSizes("https://storage.example/c/1/content/images/fair.png")).toBe(true);
    for (const url of [EXTERNAL, RESIZED, `${GHOST}/wp-content/images/fair.png`]) {
      expect(await hasSizes(url)).toBe(false);
    }
  });
});

describe("a picture that cannot be had is replaced by a drawing", () => {
  const endless = () =>
    new Response(new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1_000_000)) }), {
      headers: { "Content-Type": "image/png" },
    });

  test.each([
    ["it is gone", undefined, "not-ok"],
    ["its server fails", () => Promise.reject(new Error("no connection")), "unreachable"],
    [
      "it is no picture",
      () => new Response("<svg/>", { headers: { "Content-Type": "image/svg+xml" } }),
      "not-a-picture",
    ],
    ["it is larger than 10 MB", endless, "too-large"],
  ])("when %s", async (_, respond, code) => {
    if (respond !== undefined) files.set(EXTERNAL, respond);
    const { get, status } = await startSite([UPLOAD, EXTERNAL]);
    const response = await get(await pathOf(EXTERNAL));
    expect(response).toMatchObject({ status: 302, location: "/posts/stall-2.svg" });
    expect(response.headers.get("Cache-Control")).toBe("public, max-age=60");
    expect(log.map((line) => JSON.parse(line))).toMatchObject([{ event: "blog-picture-failed", code }]);
    expect(await status()).toMatchObject({ posts: 2, failingPictures: 1 });
  });
});

test("where the Cache API does nothing, pictures are passed on, with one fetch for each request", async () => {
  files.set(EXTERNAL, picture(10));
  const { get } = await startSite([EXTERNAL], noCache);
  const path = await pathOf(EXTERNAL);
  await get(path);
  requested.length = 0;
  for (let n = 0; n < 3; n += 1) expect(await get(path)).toMatchObject({ status: 200, type: "image/webp" });
  expect(requested).toEqual([EXTERNAL, EXTERNAL, EXTERNAL]);
});

test.each<[string, Record<string, string>]>([
  ["has no length", {}],
  ["is compressed", { "Content-Length": "100", "Content-Encoding": "gzip" }],
])("where the Cache API does nothing, a picture larger than 10 MB whose body %s is never begun", async (_, headers) => {
  files.set(
    EXTERNAL,
    () => new Response(new Uint8Array(11 * 1_048_576), { headers: { "Content-Type": "image/png", ...headers } }),
  );
  const { get } = await startSite([EXTERNAL], noCache);
  expect((await get(await pathOf(EXTERNAL))).status).toBe(302);
});

test("names of no current picture are not found, whatever their size", async () => {
  const { get } = await startSite([EXTERNAL]);
  const path = await pathOf(EXTERNAL);
  for (const other of [`${path}-600`, `${path}-1`, `${PICTURES_PATH}/x`, `${path.toUpperCase()}`]) {
    expect((await get(other)).status).toBe(404);
  }
  expect(requested).toEqual([]);
});
