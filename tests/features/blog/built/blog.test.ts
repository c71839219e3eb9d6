import { createExecutionContext, env, waitOnExecutionContext } from "cloudflare:test";
import { beforeEach, expect, test, vi } from "vitest";
import { cardPicture } from "#app/features/blog/card-post.server.ts";
import { ghostSource } from "#app/features/blog/ghost.server.ts";
import { brotli, firstViewBytes } from "#scripts/lib/first-view.ts";
import { blogPost } from "#tests/features/blog/pool/blog.ts";
import { firstViewBudget, pageBudget } from "#tests/support/browser/budgets.ts";
import { builtWorker, read } from "#tests/support/pool/built.ts";
import { turnstileKeys } from "#tests/support/pool/failures.ts";
import { playedKv } from "#tests/support/pool/played-kv.ts";
import { freshStorageForEachTest, needs, stopClock } from "#tests/support/pool/start.ts";
import { storeLetter } from "#tests/support/pool/stored-letter.ts";

needs("blog");

const log = freshStorageForEachTest();

const ghost = { GHOST_URL: "https://blog.example", GHOST_CONTENT_KEY: "22444f78447824223cefc48062" };

const { cacheId } = ghostSource(ghost.GHOST_URL, ghost.GHOST_CONTENT_KEY);

/** The browser tests cover the network and Ghost's responses. */
beforeEach(() => void vi.spyOn(globalThis, "fetch").mockRejectedValue(new Error("no network")));

const failing = {
  get: () => Promise.reject(new Error("KV GET failed: 500")),
  put: () => Promise.reject(new Error("KV PUT failed: 500")),
};

test.each([
  ["no configuration", {}, []],
  ["an incomplete configuration", { GHOST_URL: ghost.GHOST_URL }, ["GHOST_CONTENT_KEY"]],
])("KV fails and Ghost has %s: sample posts, and the missing variable in the log", async (_, vars, missing) => {
  const { status, text } = await read("/", { CACHE: failing, ...vars });
  expect(status).toBe(200);
  expect(text).toContain("How far along are we?");
  expect(log.map((line) => JSON.parse(line))).toMatchObject(missing.map((name) => ({ event: "config-problem", name })));
});

test.each<[string, unknown[], heading: string | null, object]>([
  ["no posts: samples", [], "While you wait", { state: "samples" }],
  [
    "posts that are all unusable: no section",
    [{ title: "First", url: "javascript:alert(1)" }, { url: "https://blog.example/second" }],
    null,
    { state: "Failed to load blog posts", code: "unusable-posts" },
  ],
])("a blog with %s", async (_, posts, heading, blog) => {
  // Of its own, because the isolate remembers the last one.
  const vars = { ...ghost, GHOST_URL: `https://${posts.length}.blog.example` };
  vi.mocked(fetch).mockImplementation(async () => Response.json({ posts }));
  const { text } = await read("/", vars);
  expect(/While you wait|From the blog/.exec(text)?.[0] ?? null).toBe(heading);
  expect(text.includes("How far along are we?")).toBe(heading !== null);
  expect(JSON.parse((await read("/healthcheck", vars)).body).blog).toMatchObject(blog);
});

test("all spellings of a picture's path lead to one, which is fetched once", async () => {
  const featureImage = "https://pictures.example/fair.jpg";
  const posts = [{ ...blogPost("first"), featureImage }];
  await env.CACHE.put("blog:posts", JSON.stringify({ source: await cacheId(), fetchedAt: Date.now(), posts }));
  const fetched = vi.mocked(fetch).mockImplementation(async () => {
    return new Response("a picture", { headers: { "Content-Type": "image/webp" } });
  });
  const { src } = await cardPicture(featureImage);
  const spellings = [`/Blog/Pictures${src.slice(14)}`, src.replace("b", "%62"), src.replace(/.$/, hex), `${src}?again`];
  for (const spelling of spellings) {
    const { status, headers } = await read(spelling, ghost);
    expect([status, headers.get("Location")], spelling).toEqual([301, src]);
  }
  // React Router's own spelling of a page's data.
  expect((await read(`${src}.data`, ghost)).body).not.toContain("a picture");
  expect(fetched).not.toHaveBeenCalled();
  for (let n = 0; n < 3; n += 1) expect((await read(src, ghost)).body).toBe("a picture");
  expect(fetched).toHaveBeenCalledTimes(1);
  await env.CACHE.delete("blog:posts");
});

test("a page whose posts came too late is served for two seconds", async () => {
  stopClock();
  const held = Promise.withResolvers<Response>();
  vi.mocked(fetch).mockReturnValue(held.promise);
  // With caches of its own, which other tests have not filled.
  const own = { CACHE: playedKv(Date.now).location()(), VERSION: { ...env.VERSION, id: "late-posts" } };
  const isolate = { ...env, ...ghost, ...own, RENDER_CACHE: "on" };
  const execution = createExecutionContext();
  const visit = async () => {
    const response = await builtWorker.fetch(new Request(`${env.SITE_URL}/`), isolate, execution);
    return response.text();
  };
  expect(await visit()).not.toContain("From the blog");
  held.resolve(Response.json({ posts: [{ title: "Late", url: "https://blog.example/late" }] }));
  await waitOnExecutionContext(execution);
  vi.setSystemTime(Date.now() + 2_000);
  expect(await visit()).toContain("Late");
});

test("without Ghost or without KV, pictures are 404", async () => {
  for (const replaced of [{}, { ...ghost, CACHE: failing }]) {
    const { status, headers } = await read(`/blog/pictures/${"0".repeat(32)}`, replaced);
    expect(status).toBe(404);
    expect(headers.get("Cache-Control")).toBe("no-store");
  }
});

function hex(sign: string): string {
  return `%${sign.charCodeAt(0).toString(16).padStart(2, "0")}`;
}

test("the landing page stays within its budget with everything that an owner sets, and three long posts", async () => {
  const [GHOST_URL, GHOST_CONTENT_KEY] = ["https://blog.market.example", "22444f78447824223cefc48062"];
  const titles = [
    "How we ran our first winter fair in the old town hall",
    "Seven questions to ask before you book a pitch",
    "Why makers come back to the same market each year",
  ];
  const posts = titles.map((title, n) => ({
    ...blogPost(title),
    url: `${GHOST_URL}/${title.toLowerCase().replaceAll(" ", "-")}/`,
    excerpt:
      "Forty stalls, two hundred visitors an hour and one broken kettle: what went well on the day, what did not, and what we would do in another order next time we open the doors.",
    featureImage: `${GHOST_URL}/content/images/2026/11/winter-fair-${n}.jpg`,
    publishedAt: "2026-11-21T00:20:08.000+00:00",
    tags: ["News"],
    authors: ["Ada Example"],
  }));
  await env.CACHE.put(
    "blog:posts",
    JSON.stringify({ source: await ghostSource(GHOST_URL, GHOST_CONTENT_KEY).cacheId(), fetchedAt: Date.now(), posts }),
  );
  const counts = { count: 1_640, host: 512, stallholder: 1_033 };
  await env.DB.prepare("INSERT INTO stats (key, value, computed_at) VALUES ('pioneers', ?, 0)")
    .bind(JSON.stringify(counts))
    .run();
  const founder = {
    FOUNDER_NAME: "Ada Example",
    FOUNDER_NOTE: "I sold pots at fairs for nine years.\nThis is the site that I wanted each April.",
    FOUNDER_PHOTO: `/pictures/${"0123456789abcdef".repeat(2)}-320x320.jpg`,
    LAUNCH_SENTENCE: "We plan to open the beta to our first hosts and stallholders in the spring of 2027.",
  };
  await env.DB.prepare("INSERT OR REPLACE INTO settings VALUES (1, ?, 0)").bind(JSON.stringify(founder)).run();
  const subject = "What a good pitch looks like, and what it costs";
  await storeLetter({
    subject,
    preview_line: "Power, shelter and somewhere to park the van.",
    is_public: true,
    started_at: 1,
  });
  const vars = {
    ...turnstileKeys,
    GHOST_URL,
    GHOST_CONTENT_KEY,
    GA_MEASUREMENT_ID: "G-ABCDEFGH12",
    META_PIXEL_ID: "123456789012345",
    CF_BEACON_TOKEN: "0123456789abcdef0123456789abcdef",
    SUPPORT_URL: "https://www.buymeacoffee.com/stallwright",
    FACEBOOK_URL: "https://www.facebook.com/stallwright",
    SURVEY_URL: "https://docs.google.com/forms/d/e/1FAIpQLSd0123456789abcdefghijklmnopqrstuvwxyz/viewform",
  };
  for (const path of ["/", "/?via=abcd2345"]) {
    const { body } = await read(path, vars);
    for (const text of [...titles, ...Object.values(founder).map((text) => text.split("\n")[0]), subject, "1,500+"])
      expect(body, path).toContain(text);
    expect.soft(brotli(body).length, path).toBeLessThanOrEqual(pageBudget.firstFlight);
    expect.soft(firstViewBytes(body), path).toBeLessThanOrEqual(firstViewBudget);
  }
});
