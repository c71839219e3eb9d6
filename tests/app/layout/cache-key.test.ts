import { expect, test } from "vitest";
import { cacheKey } from "#app/layout/cache-key.server.ts";

const SITE = "https://waitlist-site.example";

function keyOf(path: string, headers: Record<string, string> = {}, method = "GET") {
  const request = new Request(new URL(path, SITE), { method, headers });
  return cacheKey(request, SITE, { paths: new Set(["/", "/privacy"]), collections: [] });
}

function preferences(analytics: boolean, marketing: boolean) {
  const value = encodeURIComponent(JSON.stringify({ necessary: true, analytics, marketing }));
  return { Cookie: `a=b; cookiePreferences=${value}` };
}

test("the key depends on path, cookie preferences and Global Privacy Control", () => {
  const keys = ["/", "/privacy"].flatMap((path) =>
    [
      {},
      preferences(false, false),
      preferences(true, false),
      preferences(false, true),
      preferences(true, true),
    ].flatMap((cookie) => ["0", "1"].map((gpc) => keyOf(path, { ...cookie, "Sec-GPC": gpc }))),
  );
  expect(keys).not.toContain(null);
  expect(new Set(keys).size).toBe(20);
});

test("unreadable preference cookies share one key, which is not that of a visitor without one", () => {
  const [first, second] = ["%7B", "%E0%A4%A"].map((value) => keyOf("/", { Cookie: `cookiePreferences=${value}` }));
  expect(first).toBe(second);
  expect([null, keyOf("/")]).not.toContain(first);
});

test("campaign parameters and other cookies do not change the key", () => {
  expect(keyOf("/?utm_source=my%20cookies&fbclid=1", { Cookie: "_ga=1; session=2" })).toBe(keyOf("/"));
});

test("with a friend’s link the landing page has one key more, whatever the code, and other pages have none", () => {
  const invited = keyOf("/?via=abcd2345");
  expect([null, keyOf("/")]).not.toContain(invited);
  const spellings = ["/?utm_source=x&via=zzzz9999", "/?v%69a=ABCD2345", "/?via=%28abcd2345%29."];
  for (const path of spellings) expect(keyOf(path), path).toBe(invited);
  for (const path of ["/?via=", "/?via=abcd", "/?via=abcd2345x", "/?via=abcdl0o1", "/?xvia=abcd2345"])
    expect(keyOf(path), path).toBe(keyOf("/"));
  expect(keyOf("/privacy?via=abcd2345")).toBe(keyOf("/privacy"));
});

test.each([
  ["an unknown path", "/no-such-page"],
  ["another host", "https://www.waitlist-site.example/"],
  ["a host with the same prefix", "https://waitlist-site.example.evil.example/"],
  ["http", "http://waitlist-site.example/"],
  ["a page with a token", "/your-data/token"],
  ["the owner's page", "/owner"],
  ["a data request", "/privacy.data"],
  ["an opened cookie banner", "/?cookies=settings"],
  ["an opened cookie banner after another parameter", "/?utm_source=a%20b&x?&cookies=settings"],
  ["an opened cookie banner, encoded", "/?%63ookies=settings"],
  ["a POST", "/", {}, "POST"],
  ["a HEAD request", "/", {}, "HEAD"],
] as [string, string, Record<string, string>?, string?][])("%s is not cached", (_name, path, headers, method) => {
  expect(keyOf(path, headers, method)).toBeNull();
});
