import { createExecutionContext, env, reset, waitOnExecutionContext } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { cardPicture, PICTURES_PATH } from "#app/features/blog/card-post.server.ts";
import { serveBlogPicture } from "#app/features/blog/picture.server.ts";
import { heavyPictures, readBlogStatus } from "#app/features/blog/status.server.ts";
import { planLimits } from "#app/server/config/plan-limits.ts";
import { blogPost } from "#tests/features/blog/pool/blog.ts";
import { captureLog } from "#tests/support/pool/log.ts";

const log = captureLog();
afterEach(reset);

const GHOST = "https://blog.example";
const UPLOAD = `${GHOST}/content/images/2026/11/fair.jpg`;
const copyOf = (width: number, format: string) =>
  `${GHOST}/content/images/size/w${width}/format/${format}/2026/11/fair.jpg`;
const RESIZED = copyOf(600, "webp");
const EXTERNAL = "https://pictures.example/fair.jpg";

/** What servers respond, by URL; anything else is 404. Each request is noted. */
const files = new Map<string, () => Response | Promise<Response>>();
/** Bytes of what Cloudflare makes of a picture; null where the owner has not enabled that. */
let transformed: number | null;
const requested: string[] = [];

beforeEach(() => {
  files.clear();
  requested.length = 0;
  transformed = null;
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const url = String(input);
    requested.push(url);
    const original = (await files.get(url)?.()) ?? new Response("not found", { status: 404 });
    const image = (init as RequestInit<RequestInitCfProperties>)?.cf?.image;
    return image === undefined || transformed === null ? original : transform(url, image, original, transformed);
  });
});

/**
 * As Cloudflare answers a request with options for a transformation. The local runtime ignores them, so this stands in for it.
 * https://developers.cloudflare.com/images/reference/troubleshooting/
 */
function transform(url: string, image: RequestInitCfPropertiesImage, original: Response, bytes: number): Response {
  const refuse = (code: number) =>
    new Response(`ERROR ${code}`, {
      status: 415,
      headers: { "Cf-Resized": `err=${code}`, "Content-Type": "text/plain" },
    });
  if (!url.startsWith("https:") || /[^\x21-\x7e]/.test(url)) return refuse(9406);
  if (!Number.isInteger(image.width) || !Number.isInteger(image.height)) return refuse(9401);
  if (image.fit !== "crop" || !["avif", "webp"].includes(image.format ?? "")) return refuse(9401);
  if (!original.ok) return refuse(9404);
  if (bytes === 0) return refuse(9422);
  const headers = {
    "Content-Type": `image/${image.format}`,
    "Cf-Resized": "internal=ok/- q=0 n=0+0 c=0+0 v=2026.11.0 l=1",
  };
  return new Response(new Uint8Array(bytes), { headers });
}

const picture =
  (bytes: number, type = "image/webp") =>
  () =>
    new Response(new Uint8Array(bytes).fill(7), { headers: { "Content-Type": type } });

const KB = 1_024;
const AVIF = "image/avif,image/webp,*/*;q=0.8";
/** Of a crawler or an old browser. */
const NO_AVIF = "image/webp,*/*;q=0.8";

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
    async get(path: string, accept = AVIF) {
      const execution = createExecutionContext();
      const url = new URL(path, siteUrl);
      const name = decodeURIComponent(url.pathname.split("/").at(-1) ?? "");
      const response = await serveBlogPicture(deps(execution), url, { name, accept });
      const body = await response.arrayBuffer();
      await waitOnExecutionContext(execution);
      const { status, headers } = response;
      return { status, type: headers.get("Content-Type"), location: headers.get("Location"), headers, body };
    },
    status: () => readBlogStatus(deps(createExecutionContext())),
    attention: () => heavyPictures(deps(createExecutionContext())),
  };
}

/** Where a phone and a desktop with a usual screen find a picture. */
async function pathsOf(source: string) {
  const { src, srcSet = "" } = await cardPicture(source);
  const [small = "", large = ""] = srcSet.split(", ").map((candidate) => candidate.split(" ")[0] ?? "");
  expect(small).toBe(src);
  return { small, large };
}
const pathOf = async (source: string) => (await pathsOf(source)).large;

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
    // Cloudflare is asked to make it smaller, and then its server.
    expect(requested).toEqual([EXTERNAL, EXTERNAL]);
    expect(await status()).toMatchObject({ failingPictures: 1 });
    files.set(EXTERNAL, picture(10));
    clock.now += 60_000;
    expect((await get(path)).status).toBe(200);
  });
});

describe("an upload", () => {
  test("is requested in the sizes of the layout: small ones as AVIF where the browser shows that, else as WebP", async () => {
    files.set(copyOf(600, "avif"), picture(1, "image/avif"));
    files.set(RESIZED, picture(2));
    files.set(copyOf(1000, "webp"), picture(3));
    const { get } = await startSite([UPLOAD]);
    const { small, large } = await pathsOf(UPLOAD);
    const got = [await get(small), await get(small, NO_AVIF), await get(large)];
    expect(got.map(({ type, body }) => [type, body.byteLength])).toEqual([
      ["image/avif", 1],
      ["image/webp", 2],
      ["image/webp", 3],
    ]);
    for (const { headers } of got) expect(headers.get("Vary")).toBe("Accept");
    expect(requested).toEqual([copyOf(600, "avif"), RESIZED, copyOf(1000, "webp")]);
  });

  test("comes as WebP from a Ghost that makes no AVIF, and leads to the original instead", async () => {
    files.set(copyOf(600, "avif"), () => Response.redirect(UPLOAD));
    files.set(UPLOAD, picture(50 * KB, "image/jpeg"));
    files.set(RESIZED, picture(30 * KB));
    const { get } = await startSite([UPLOAD]);
    expect(await get((await pathsOf(UPLOAD)).small)).toMatchObject({ status: 200, type: "image/webp" });
  });

  test("is shown as it is to desktops where the server makes no other sizes", async () => {
    files.set(UPLOAD, picture(6_000_000));
    const { get } = await startSite([UPLOAD]);
    const { status, body } = await get(await pathOf(UPLOAD));
    expect([status, body.byteLength]).toEqual([200, 6_000_000]);
    expect(requested).toEqual([copyOf(1000, "webp"), UPLOAD]);
  });

  test("in a folder of its own, such as Ghost's in a subfolder or on its storage, has sizes too", async () => {
    const hasSizes = async (url: string) => (await pathOf(url)).endsWith("-1000");
    expect(await hasSizes(`${GHOST}/news/content/images/fair.png`)).toBe(true);
    expect(await hasSizes("https://storage.example/c/1/content/images/fair.png")).toBe(true);
    for (const url of [EXTERNAL, RESIZED, `${GHOST}/wp-content/images/fair.png`]) {
      expect(await hasSizes(url)).toBe(false);
    }
  });
});

test("a photograph of Ghost’s picker comes from Unsplash in the shape and size of the card", async () => {
  const source = "https://images.unsplash.com/photo-1?crop=entropy&cs=tinysrgb&fit=max&fm=jpg&ixid=M3&q=80&w=2000";
  const { get } = await startSite([source]);
  const { small, large } = await pathsOf(source);
  await get(small);
  await get(large);
  const copies = requested.map((url) => new URL(url).searchParams).filter((query) => query.get("w") !== "2000");
  expect(copies.map((query) => ["w", "h", "fit", "fm", "crop", "ixid"].map((name) => query.get(name)).join())).toEqual([
    "600,315,crop,avif,entropy,M3",
    "600,315,crop,webp,entropy,M3",
    "1000,525,crop,webp,entropy,M3",
  ]);
});

describe("a picture of which no server makes copies", () => {
  const heavy = () => files.set(EXTERNAL, picture(410 * KB, "image/jpeg"));

  test("is shown as it is if it weighs at most 60 KB", async () => {
    files.set(EXTERNAL, picture(60 * KB));
    const { get } = await startSite([EXTERNAL]);
    for (const path of Object.values(await pathsOf(EXTERNAL))) expect((await get(path)).status).toBe(200);
  });

  test.each([
    ["whose length is known", { "Content-Length": `${410 * KB}` }, "410 KB"],
    ["whose length is not known", {}, "over 60 KB"],
  ])(
    "and which is heavier, %s, is a drawing on phones, the original on desktops, and a line for the owner",
    async (_, length, size) => {
      const headers = { "Content-Type": "image/jpeg", ...length };
      files.set(EXTERNAL, () => new Response(new Uint8Array(410 * KB), { headers }));
      const { get, status, attention } = await startSite([UPLOAD, EXTERNAL]);
      const { small, large } = await pathsOf(EXTERNAL);
      expect(await get(small)).toMatchObject({ status: 302, location: "/posts/stall-2.svg" });
      expect((await get(large)).body.byteLength).toBe(410 * KB);
      expect(await status()).toMatchObject({ failingPictures: 1, heavyPictures: 1 });
      const [line, ...others] = await attention();
      expect(line?.text).toContain(`“1” is ${size}, too heavy for phones`);
      expect(others).toEqual([]);
    },
  );

  test("is made smaller by Cloudflare where the owner has enabled that", async () => {
    heavy();
    transformed = 30 * KB;
    const { get, attention } = await startSite([EXTERNAL]);
    const { small, large } = await pathsOf(EXTERNAL);
    expect(await get(small)).toMatchObject({ status: 200, type: "image/avif" });
    expect(await get(large)).toMatchObject({ status: 200, type: "image/webp" });
    expect(requested).toEqual([EXTERNAL, EXTERNAL]);
    expect(await attention()).toEqual([]);
  });

  test("is left to what it weighs where Cloudflare refuses, such as beyond the month’s transformations", async () => {
    transformed = 0;
    heavy();
    const { get } = await startSite([EXTERNAL]);
    const { small, large } = await pathsOf(EXTERNAL);
    expect((await get(small)).status).toBe(302);
    expect((await get(large)).body.byteLength).toBe(410 * KB);
  });

  test("without https is not given to Cloudflare, which would refuse it", async () => {
    transformed = 30 * KB;
    const insecure = EXTERNAL.replace("https", "http");
    files.set(insecure, picture(50 * KB));
    const { get } = await startSite([insecure]);
    expect((await get((await pathsOf(insecure)).small)).body.byteLength).toBe(50 * KB);
  });
});

describe("the owner hears that a picture is too heavy for phones", () => {
  const sized = (kilobytes: number, type: string) => () =>
    new Response(new Uint8Array(kilobytes * KB), {
      headers: { "Content-Type": type, "Content-Length": `${kilobytes * KB}` },
    });

  /** What the owner reads after phones have asked for a picture of these copies, and then others. */
  async function linesAfter(copies: Record<string, () => Response | Promise<Response>>, ...accepts: string[]) {
    const { get, attention, clock } = await startSite([UPLOAD]);
    const { small } = await pathsOf(UPLOAD);
    for (const accept of accepts) {
      for (const [url, respond] of Object.entries(copies)) files.set(url, respond);
      await get(small, accept);
      clock.now += 60_000;
    }
    return (await attention()).map(({ text }) => text.split("\n")[0]);
  }

  const avif = copyOf(600, "avif");
  const heavy = {
    [avif]: sized(70, "image/avif"),
    [RESIZED]: sized(80, "image/webp"),
    [UPLOAD]: sized(3_000, "image/jpeg"),
  };
  const line =
    "The picture of your post “0” is 70 KB, too heavy for phones: they show a drawing instead. Give the post a smaller picture in Ghost.";

  test("with the size of the lightest copy", async () => {
    expect(await linesAfter(heavy, AVIF)).toEqual([line]);
  });

  test("but not from a browser without AVIF, which would get a heavier copy", async () => {
    expect(await linesAfter({ ...heavy, [avif]: sized(45, "image/avif") }, NO_AVIF, AVIF)).toEqual([]);
  });

  test("but not while it is unknown what the best copy weighs", async () => {
    const failing = () => new Response("busy", { status: 503 });
    expect(await linesAfter({ ...heavy, [avif]: failing }, AVIF)).toEqual([]);
  });

  test("also if its server failed for a moment before", async () => {
    let isFirst = true;
    const atFirstBusy = () => {
      if (!isFirst) return sized(70, "image/avif")();
      isFirst = false;
      return Promise.reject(new Error("no connection"));
    };
    expect(await linesAfter({ ...heavy, [avif]: atFirstBusy }, AVIF, AVIF)).toEqual([line]);
  });
});

test("a browser without AVIF gets none from a server that chooses by what it is asked for, or sends nothing else", async () => {
  const fetched = vi.mocked(fetch);
  fetched.mockImplementation(async (_, init) => {
    const type = new Headers(init?.headers).get("Accept")?.includes("image/avif") ? "image/avif" : "image/webp";
    return picture(10, type)();
  });
  const { get } = await startSite([EXTERNAL]);
  for (const path of Object.values(await pathsOf(EXTERNAL))) {
    expect(await get(path, NO_AVIF)).toMatchObject({ status: 200, type: "image/webp" });
    expect(await get(path, AVIF)).toMatchObject({ status: 200, type: "image/avif" });
  }
  fetched.mockImplementation(async () => picture(10, "image/avif")());
  const other = await startSite([EXTERNAL]);
  expect((await other.get(await pathOf(EXTERNAL), NO_AVIF)).status).toBe(302);
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
  for (const other of [`${path}-1000`, `${path}-1`, `${PICTURES_PATH}/x`, `${path.toUpperCase()}`]) {
    expect((await get(other)).status).toBe(404);
  }
  expect(requested).toEqual([]);
});
