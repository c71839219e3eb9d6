import { beforeEach, expect, test, vi } from "vitest";
import { read } from "#tests/support/pool/built-page.ts";
import { captureLog } from "#tests/support/pool/log.ts";

const log = captureLog();

const ghost = { GHOST_URL: "https://blog.example", GHOST_CONTENT_KEY: "22444f78447824223cefc48062" };

/** KV failures only: the browser tests cover the network and Ghost's responses. */
beforeEach(() => void vi.spyOn(globalThis, "fetch").mockRejectedValue(new Error("no network")));

const failing = {
  get: () => Promise.reject(new Error("KV GET failed: 500")),
  put: () => Promise.reject(new Error("KV PUT failed: 500")),
};
const silent = { get: () => new Promise(() => {}), put: async () => {} };

test.each([
  ["fails", failing],
  ["hangs", silent],
])("KV %s and Ghost is unreachable: the page without the blog section", async (_, CACHE) => {
  const { status, body } = await read("/", { ...ghost, CACHE });
  expect(status).toBe(200);
  expect(body).toContain("Ways you can help");
  expect(body).not.toContain("From the blog");
  const events = log.map((line) => JSON.parse(line).event);
  expect(events).toContain("blog-cache-failed");
  expect(events).toContain("Error fetching blog posts");
});

test("KV fails and no Ghost is configured: sample posts, and nothing in the log", async () => {
  const { status, text } = await read("/", { CACHE: failing });
  expect(status).toBe(200);
  expect(text).toContain("How far along are we?");
  expect(log).toEqual([]);
});

test("an incomplete configuration: sample posts, and the missing variable in the log", async () => {
  const { status, text } = await read("/", { GHOST_URL: ghost.GHOST_URL });
  expect(status).toBe(200);
  expect(text).toContain("How far along are we?");
  expect(JSON.parse(log[0] ?? "")).toMatchObject({ event: "config-problem", name: "GHOST_CONTENT_KEY", fatal: false });
});

test("without Ghost or without KV, pictures are 404", async () => {
  for (const replaced of [{}, { ...ghost, CACHE: failing }]) {
    const { status, headers } = await read(`/blog/pictures/${"0".repeat(32)}`, replaced);
    expect(status).toBe(404);
    expect(headers.get("Cache-Control")).toBe("no-store");
  }
});
