import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { createPageCache, KEEP, MAX_PAGES } from "#app/server/page-cache.server.ts";
import { captureLog } from "#tests/support/pool/log.ts";

const log = captureLog();

let now = 0;
let renders = 0;
let version = 0;
beforeEach(() => {
  now = 1_000_000;
  renders = 0;
  // What an earlier test left in the Cache API is another deployment's.
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
  const pages = createPageCache({ cache, version: `v${version}`, now: () => now });
  return async (key: string, nonce: string, rendering = render(nonce)) => {
    const work: Promise<unknown>[] = [];
    const kept = await pages.recall(key, () => nonce);
    const response = kept ?? (await pages.keep(key, await rendering(), nonce, (promise) => void work.push(promise)));
    const { status, headers } = response;
    const answer = { status, policy: headers.get("Content-Security-Policy"), body: await response.text() };
    await Promise.all(work);
    return answer;
  };
}

const body = (nonce: string, n: number) => `<script nonce="${nonce}">one</script><p>${n}</p><style nonce="${nonce}">`;

test("a page is rendered once a minute, and given out with a nonce of its own each time", async () => {
  const ask = isolate();
  expect((await ask("/", "aaa")).body).toBe(body("aaa", 1));
  now += KEEP - 1;
  expect(await ask("/", "bbb")).toEqual({ status: 200, policy: "script-src 'nonce-bbb'", body: body("bbb", 1) });
  now += 1;
  expect((await ask("/", "ccc")).body).toBe(body("ccc", 2));
});

test("each key has a page of its own", async () => {
  const ask = isolate();
  await ask("/?undecided", "aaa");
  await ask("/?analytics=true", "bbb");
  expect(renders).toBe(2);
});

test("another isolate of the same location takes it from the Cache API, for what is left of the minute", async () => {
  // The time limit of a read is another test's: on a busy machine it would be over here too.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  await isolate(shared())("/", "aaa");
  now += KEEP - 1;
  const other = isolate(shared());
  expect(await other("/", "bbb")).toEqual({ status: 200, policy: "script-src 'nonce-bbb'", body: body("bbb", 1) });
  now += 1;
  expect((await other("/", "ccc")).body).toBe(body("ccc", 2));
});

test("what another deployment rendered is not given out", async () => {
  await isolate(shared())("/", "aaa");
  version += 1;
  expect((await isolate(shared())("/", "bbb")).body).toBe(body("bbb", 2));
});

test.each<[string, ResponseInit]>([
  ["a failure", { status: 500 }],
  ["a page that is not there", { status: 404 }],
  ["a redirect", { status: 302 }],
  ["what is no page", { headers: { "Content-Type": "application/json" } }],
  ["what sets a cookie", { headers: { "Content-Type": "text/html", "Set-Cookie": "a=b" } }],
])("%s is not kept", async (_what, init) => {
  const ask = isolate(shared());
  await ask("/", "aaa", render("aaa", init));
  await ask("/", "bbb", render("bbb", init));
  expect(renders).toBe(2);
});

test("memory is bounded: the page that was rendered first goes first", async () => {
  const ask = isolate();
  for (let n = 0; n <= MAX_PAGES; n += 1) await ask(`/${n}`, "aaa");
  await ask(`/${MAX_PAGES}`, "aaa");
  await ask("/1", "aaa");
  expect(renders).toBe(MAX_PAGES + 1);
  await ask("/0", "aaa");
  expect(renders).toBe(MAX_PAGES + 2);
});

test.each<[string, Pick<Cache, "match" | "put">]>([
  [
    "fails",
    {
      match: () => Promise.reject(new Error("no cache today")),
      put: () => Promise.reject(new Error("no cache today")),
    },
  ],
  ["is silent", { match: () => new Promise(() => {}), put: async () => {} }],
  ["answers nonsense", { match: async () => new Response("<p>nonsense"), put: async () => {} }],
])("a Cache API that %s costs a rendering, and no more", async (what, cache) => {
  const ask = isolate(cache);
  expect((await ask("/", "aaa")).body).toBe(body("aaa", 1));
  expect((await ask("/", "bbb")).body).toBe(body("bbb", 1));
  const lines = log.map((line) => JSON.parse(line));
  const doing = { fails: ["read", "write"], "is silent": ["read"], "answers nonsense": [] }[what];
  expect(lines.map(({ event, doing }) => [event, doing])).toEqual(doing?.map((step) => ["page-cache-failed", step]));
});
