import { expect, test } from "vitest";
import { cacheKey } from "#app/layout/cache-key.server.ts";

const SITE = "https://stallwright.example";

function keyOf(path: string, headers: Record<string, string> = {}, method = "GET") {
  const request = new Request(new URL(path, SITE), { method, headers });
  return cacheKey(request, SITE);
}

function choice(analytics: boolean, marketing: boolean) {
  const value = encodeURIComponent(JSON.stringify({ necessary: true, analytics, marketing, v: 1 }));
  return { Cookie: `a=b; cookiePreferences=${value}` };
}

test("pages are told apart by path, choice and Global Privacy Control", () => {
  const keys = ["/", "/privacy"].flatMap((path) =>
    [{}, choice(false, false), choice(true, false), choice(false, true), choice(true, true)].flatMap((cookie) =>
      ["0", "1"].map((gpc) => keyOf(path, { ...cookie, "Sec-GPC": gpc })),
    ),
  );
  expect(keys).not.toContain(null);
  expect(new Set(keys).size).toBe(20);
});

test("campaigns and other cookies make no difference", () => {
  expect(keyOf("/?utm_source=fb&fbclid=1", { Cookie: "_ga=1; session=2" })).toBe(keyOf("/"));
});

test.each([
  ["another address", "/no-such-page"],
  ["another host", "https://www.stallwright.example/"],
  ["a host that begins alike", "https://stallwright.example.evil.example/"],
  ["http", "http://stallwright.example/"],
  ["somebody's entry", "/your-data/token"],
  ["the owner's page", "/owner"],
  ["data", "/privacy.data"],
  ["a banner that is asked for", "/?cookies=settings"],
  ["a form", "/", {}, "POST"],
  ["the head of a page", "/", {}, "HEAD"],
  ["a choice that cannot be read", "/", { Cookie: "cookiePreferences=%7B" }],
] as [string, string, Record<string, string>?, string?][])("%s is rendered anew", (_what, path, headers, method) => {
  expect(keyOf(path, headers, method)).toBeNull();
});
