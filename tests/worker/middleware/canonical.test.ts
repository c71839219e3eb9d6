import { createExecutionContext, env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { createApp } from "#worker/app.ts";

const SITE_URL = "https://waitlist-site.example";

/** Requests any URL, on any host, from a Worker. */
async function respond(url: string, method: string, siteUrl: string) {
  const app = createApp(async () => new Response("a page"));
  // A public site refuses the secrets of local ones.
  const secrets = { HASH_KEY: "h".repeat(32), LINK_SECRET: "s".repeat(32) };
  return app.fetch(new Request(url, { method }), { ...env, ...secrets, SITE_URL: siteUrl }, createExecutionContext());
}

async function request(url: string, method = "GET", siteUrl = SITE_URL) {
  const response = await respond(url, method, siteUrl);
  return {
    status: response.status,
    location: response.headers.get("Location"),
    robots: response.headers.get("X-Robots-Tag"),
  };
}

describe("redirects to the canonical URL", () => {
  test.each([
    ["another host", "https://www.waitlist-site.example/privacy?a=b&c", "/privacy?a=b&c"],
    ["http", "http://waitlist-site.example/roadmap", "/roadmap"],
    ["another port", "https://waitlist-site.example:8443/", "/"],
    ["a trailing slash", "https://waitlist-site.example/privacy/?a=b", "/privacy?a=b"],
    ["all of these", "http://www.waitlist-site.example//privacy//", "/privacy"],
    ["a host that only ends like a local host", "https://notlocalhost/", "/"],
  ])("%s", async (_, url, path) => {
    for (const method of ["GET", "HEAD"]) {
      expect(await request(url, method)).toMatchObject({ status: 301, location: `${SITE_URL}${path}` });
    }
  });

  test.each([
    "https://waitlist-site.example//evil.example/",
    "https://waitlist-site.example///evil.example/%2f..",
    "https://waitlist-site.example/\\evil.example/",
    "https://waitlist-site.example/@evil.example/",
    "http://127.0.0.1:8787//evil.example/",
    "https://evil.example/",
    "https://waitlist-site.example@evil.example/",
  ])("%s, without leaving the site", async (url) => {
    const { location } = await request(url);
    expect([SITE_URL, "http://127.0.0.1:8787"]).toContain(new URL(location ?? "").origin);
  });
});

test.each([
  ["/roadmap/", "public, max-age=3600"],
  ["//your-data/TOKEN", "no-store"],
  ["//Unsubscribe//TOKEN/", "no-store"],
  ["/confirm/TOKEN/", "no-store"],
  ["//owner/sign-in/TOKEN", "no-store"],
  ["/%6Fwner//sign-in/TOKEN/", "no-store"],
  ["//owner/?q=ada@example.com", "no-store"],
])("caches that keep the redirect of %s: %s", async (path, cacheControl) => {
  expect((await respond(SITE_URL + path, "GET", SITE_URL)).headers.get("Cache-Control")).toBe(cacheControl);
});

describe("serves", () => {
  test("the canonical host, indexable", async () => {
    expect(await request(`${SITE_URL}/privacy?a=b`)).toEqual({ status: 200, location: null, robots: null });
  });

  test.each([
    "http://localhost:8787/privacy",
    "http://127.0.0.1:8787/privacy",
    "http://[::1]:8787/privacy",
    "http://192.168.1.20:8787/privacy",
    "https://4f2a-waitlist-site.owner.workers.dev/privacy",
  ])("%s, with noindex", async (url) => {
    expect(await request(url)).toEqual({ status: 200, location: null, robots: "noindex" });
  });

  test("a canonical workers.dev host, indexable", async () => {
    const siteUrl = "https://waitlist-site.owner.workers.dev";
    expect(await request(`${siteUrl}/`, "GET", siteUrl)).toEqual({ status: 200, location: null, robots: null });
    expect(await request("https://4f2a-waitlist-site.owner.workers.dev/", "GET", siteUrl)).toMatchObject({
      robots: "noindex",
    });
  });

  test.each(["/healthcheck", "/api/nothing"])("%s on every host", async (path) => {
    expect((await request(`https://www.waitlist-site.example${path}`)).location).toBeNull();
  });

  test("a preview host, where a trailing slash redirects to the same host", async () => {
    expect((await request("http://localhost:8787/privacy/")).location).toBe("http://localhost:8787/privacy");
  });

  test("a loopback host by http and https, since a Worker is not told which came", async () => {
    for (const siteUrl of ["http://localhost:8787", "https://localhost:8787", "https://127.0.0.1:8787"])
      for (const protocol of ["http", "https"])
        expect(await request(`${protocol}://${new URL(siteUrl).host}/privacy`, "GET", siteUrl)).toEqual({
          status: 200,
          location: null,
          robots: null,
        });
  });

  test("form posts without a redirect, which would lose the body", async () => {
    expect((await request(`${SITE_URL}/privacy/`, "POST")).location).toBeNull();
  });
});
