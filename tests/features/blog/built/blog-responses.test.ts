import { beforeEach, expect, test, vi } from "vitest";
import badKey from "#tests/support/ghost/ghost-5.130-bad-key.json";
import recorded from "#tests/support/ghost/ghost-5.130-posts.json";
import { read } from "#tests/support/pool/built.ts";
import { freshStorageForEachTest, needs } from "#tests/support/pool/start.ts";

needs("blog");

const log = freshStorageForEachTest();

const [post] = recorded.posts;
const listOf = (...changes: object[]) => Response.json({ posts: changes.map((change) => ({ ...post, ...change })) });
const json = { headers: { "Content-Type": "application/json" } };

/** Of its own, because the isolate remembers what the last one said. */
let ghost = { GHOST_URL: "", GHOST_CONTENT_KEY: "22444f78447824223cefc48062" };
let blogs = 0;

beforeEach(() => {
  blogs += 1;
  ghost = { ...ghost, GHOST_URL: `https://responses-${blogs}.blog.example` };
});

function answerWith(respond: (url: string) => Response | Promise<Response>): string[] {
  const requested: string[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    const { url } = new Request(input);
    requested.push(url);
    return respond(url);
  });
  return requested;
}

/** The titles that the landing page shows. */
async function shown(): Promise<string[]> {
  const { status, body } = await read("/", ghost);
  expect(status).toBe(200);
  const [, section = ""] = /<section[^>]*aria-labelledby="blog"(.*?)<\/section>/s.exec(body) ?? [];
  return Array.from(section.matchAll(/<h3[^>]*>(.*?)<\/h3>/g), ([, title = ""]) => title.replace(/<[^>]+>/g, ""));
}

test.each<[string, () => Response, string[]]>([
  [
    "three posts without a picture",
    () => listOf({ title: "One" }, { title: "Two" }, { title: "Three" }),
    ["One", "Two", "Three"],
  ],
  ["the recorded post of a real Ghost", () => Response.json(recorded), ["Coming soon"]],
  [
    "one valid post among posts without a title or web URL",
    () =>
      listOf(
        { title: undefined },
        { title: "  " },
        { title: "Run this", url: "javascript:alert(document.domain)" },
        { title: "No address", url: null },
        { title: "Valid" },
      ),
    ["Valid"],
  ],
  [
    "fields of the wrong types",
    () => listOf({ title: "Bare", excerpt: 7, published_at: "yesterday", tags: null, authors: [{}], feature_image: 1 }),
    ["Bare"],
  ],
])("shows of a Ghost with %s what can be shown", async (_, respond, titles) => {
  answerWith(respond);
  expect(await shown()).toEqual(titles);
  expect(log).toEqual([]);
});

test.each<[string, (url: string) => Response | Promise<Response>, object]>([
  ["fails", () => new Response("<h1>Oops</h1>", { status: 500 }), { code: "not-ok", status: 500 }],
  [
    "refuses the key",
    () => Response.json(badKey, { status: 401 }),
    { code: "not-ok", status: 401, ghostCode: "UNKNOWN_CONTENT_API_KEY" },
  ],
  ["sends broken JSON", () => new Response('{"posts":[{"title":"Half', json), { code: "malformed" }],
  ["sends HTML", () => new Response("<!doctype html><p>Hello"), { code: "malformed" }],
  ["sends JSON without posts", () => new Response("[]", json), { code: "malformed" }],
  ["sends too much", () => new Response(" ".repeat(300_000), json), { code: "too-large" }],
  ["refuses the connection", () => Promise.reject(new TypeError("refused")), { code: "unreachable" }],
  ["redirects in a circle", (url) => redirect(url), { code: "too-many-redirects" }],
  ["redirects to a private network", () => redirect("http://127.0.0.1:1/"), { code: "forbidden-address" }],
])("shows no section for a Ghost that %s, and logs and reports why", async (_, respond, reason) => {
  answerWith(respond);
  expect(await shown()).toEqual([]);
  expect(log.map((line) => JSON.parse(line))).toMatchObject([{ event: "Error fetching blog posts", ...reason }]);
  const { blog } = JSON.parse((await read("/healthcheck", ghost)).body);
  expect(blog).toMatchObject({ state: "Failed to load blog posts", code: (reason as { code: string }).code });
});

test("a card has the excerpt, the day in the United Kingdom, authors and public tags, and one link to the post", async () => {
  answerWith(() =>
    listOf({
      excerpt: "Words ".repeat(90),
      published_at: "2026-07-01T23:30:00.000+00:00",
      feature_image: "https://pictures.example/fair.png",
      feature_image_alt: ' A "fair" ',
      tags: [{ name: "News" }, { name: "#hidden", visibility: "internal" }],
      authors: [{ name: "Ada" }, { name: "Grace" }],
    }),
  );
  const { body } = await read("/", ghost);
  const [, section = ""] = /<section[^>]*aria-labelledby="blog"(.*?)<\/section>/s.exec(body) ?? [];
  expect(section).toMatch(/(Words )+Words…/);
  expect(section).toMatch(/<time dateTime="2026-07-02"[^>]*>2 July 2026/i);
  for (const text of ["Ada, Grace", "News", 'alt="A &quot;fair&quot;"']) expect(section).toContain(text);
  expect(section).not.toContain("#hidden");
  expect(section.match(/href="[^"]+"/g)).toEqual(['href="http://localhost:2368/coming-soon/"']);
});

test("the request to Ghost asks for what the cards show, in its version of the API", async () => {
  const requests: Request[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    requests.push(new Request(input, init));
    return listOf({});
  });
  await read("/", ghost);
  const [request] = requests;
  expect(Object.fromEntries(new URL(request?.url ?? "").searchParams)).toEqual({
    key: "22444f78447824223cefc48062",
    limit: "3",
    include: "tags,authors",
    fields: "title,excerpt,feature_image,url,published_at",
  });
  expect(request?.headers.get("Accept-Version")).toBe("v5.0");
  expect(request?.headers.get("User-Agent")).toMatch(/^[\w-]+\/1\.0$/);
});

function redirect(to: string): Response {
  return new Response(null, { status: 302, headers: { Location: to } });
}
