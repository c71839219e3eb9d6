import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { createPageCache } from "#app/server/http/page-cache.server.ts";
import { captureLog } from "#tests/support/pool/log.ts";

const log = captureLog();

let now = 0;
let renders = 0;
let version = 0;
beforeEach(() => {
  now = 1_000_000;
  renders = 0;
  // Entries that earlier tests left in the Cache API belong to another version.
  version += 1;
});

function render(nonce: string, init: ResponseInit = {}) {
  return async () => {
    renders += 1;
    const headers = {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": `script-src 'nonce-${nonce}'`,
    };
    return new Response(`<script nonce="${nonce}">one</script><p>${renders}</p><style nonce="${nonce}">`, {
      headers,
      ...init,
    });
  };
}

function shared(): Pick<Cache, "match" | "put"> {
  const open = () => caches.open("test-pages");
  return {
    match: async (address) => (await open()).match(address),
    put: async (address, page) => (await open()).put(address, page),
  };
}

function isolate(cache: Parameters<typeof createPageCache>[0]["cache"] = null) {
  const pages = createPageCache({
    cache,
    siteUrl: "https://stallwright.example",
    version: `v${version}`,
    now: () => now,
  });
  return async (key: string, nonce: string, rendering = render(nonce)) => {
    const work: Promise<unknown>[] = [];
    const cached = await pages.get(key, () => nonce);
    const response =
      cached ??
      (await pages.put(key, await rendering(), {
        nonce,
        longest: 60_000,
        waitUntil: (promise) => void work.push(promise),
      }));
    const { status, headers } = response;
    const result = { status, policy: headers.get("Content-Security-Policy"), body: await response.text() };
    await Promise.all(work);
    return result;
  };
}

const body = (nonce: string, n: number) => `<script nonce="${nonce}">one</script><p>${n}</p><style nonce="${nonce}">`;

test("a page is rendered once per minute and served with a fresh nonce each time", async () => {
  const visit = isolate();
  expect((await visit("/", "aaa")).body).toBe(body("aaa", 1));
  now += 59_999;
  expect(await visit("/", "bbb")).toEqual({ status: 200, policy: "script-src 'nonce-bbb'", body: body("bbb", 1) });
  now += 1;
  expect((await visit("/", "ccc")).body).toBe(body("ccc", 2));
});

test("another isolate of the location reads the page from the Cache API, for the rest of its minute", async () => {
  // Without fake timers the read timeout could expire on a busy machine.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  await isolate(shared())("/", "aaa");
  now += 59_999;
  const other = isolate(shared());
  expect(await other("/", "bbb")).toEqual({ status: 200, policy: "script-src 'nonce-bbb'", body: body("bbb", 1) });
  now += 1;
  expect((await other("/", "ccc")).body).toBe(body("ccc", 2));
});

test("pages of another version are not served", async () => {
  await isolate(shared())("/", "aaa");
  version += 1;
  expect((await isolate(shared())("/", "bbb")).body).toBe(body("bbb", 2));
});

test.each<[string, ResponseInit]>([
  ["an error page", { status: 500 }],
  ["a page that is not found", { status: 404 }],
  ["a redirect", { status: 302 }],
  ["a JSON response", { headers: { "Content-Type": "application/json" } }],
  ["a response that sets a cookie", { headers: { "Content-Type": "text/html", "Set-Cookie": "a=b" } }],
])("%s is not cached", async (_name, init) => {
  const visit = isolate(shared());
  await visit("/", "aaa", render("aaa", init));
  await visit("/", "bbb", render("bbb", init));
  expect(renders).toBe(2);
});

test.each<[string, Pick<Cache, "match" | "put">]>([
  ["fails", { match: () => Promise.reject(new Error("out")), put: () => Promise.reject(new Error("out")) }],
  ["hangs", { match: () => new Promise(() => {}), put: async () => {} }],
  ["returns an unknown entry", { match: async () => new Response("<p>nonsense"), put: async () => {} }],
])("a Cache API that %s only costs a rendering", async (failure, cache) => {
  const visit = isolate(cache);
  expect((await visit("/", "aaa")).body).toBe(body("aaa", 1));
  expect((await visit("/", "bbb")).body).toBe(body("bbb", 1));
  const lines = log.map((line) => JSON.parse(line));
  const doing = { fails: ["read", "write"], hangs: ["read"], "returns an unknown entry": [] }[failure];
  expect(lines.map(({ event, doing }) => [event, doing])).toEqual(doing?.map((step) => ["page-cache-failed", step]));
});
