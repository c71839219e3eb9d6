import { createExecutionContext, env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { createApp } from "#worker/app.ts";

const SITE_URL = "https://stallwright.example";

/** Asks the front door of a site at {@link SITE_URL} for an address, whatever its host. */
async function ask(url: string, method = "GET", siteUrl = SITE_URL) {
  const app = createApp(async () => new Response("a page"));
  const response = await app.fetch(
    new Request(url, { method }),
    { ...env, SITE_URL: siteUrl },
    createExecutionContext(),
  );
  return {
    status: response.status,
    location: response.headers.get("Location"),
    robots: response.headers.get("X-Robots-Tag"),
  };
}

describe("leads to the canonical address", () => {
  test.each([
    ["another host", "https://www.stallwright.example/privacy?a=b&c", "/privacy?a=b&c"],
    ["http", "http://stallwright.example/roadmap", "/roadmap"],
    ["another port", "https://stallwright.example:8443/", "/"],
    ["a trailing slash", "https://stallwright.example/privacy/?a=b", "/privacy?a=b"],
    ["all at once", "http://www.stallwright.example//privacy//", "/privacy"],
    ["a host that only ends like a local one", "https://notlocalhost/", "/"],
  ])("%s", async (_, url, path) => {
    for (const method of ["GET", "HEAD"]) {
      expect(await ask(url, method)).toMatchObject({ status: 301, location: `${SITE_URL}${path}` });
    }
  });

  test.each([
    "https://stallwright.example//evil.example/",
    "https://stallwright.example///evil.example/%2f..",
    "https://stallwright.example/\\evil.example/",
    "https://stallwright.example/@evil.example/",
    "http://127.0.0.1:8787//evil.example/",
    "https://evil.example/",
    "https://stallwright.example@evil.example/",
  ])("%s, and never away from it", async (url) => {
    const { location } = await ask(url);
    expect([SITE_URL, "http://127.0.0.1:8787"]).toContain(new URL(location ?? "").origin);
  });
});

describe("serves", () => {
  test("the canonical host, for search engines too", async () => {
    expect(await ask(`${SITE_URL}/privacy?a=b`)).toEqual({ status: 200, location: null, robots: null });
  });

  test.each([
    "http://localhost:8787/privacy",
    "http://127.0.0.1:8787/privacy",
    "http://[::1]:8787/privacy",
    "http://192.168.1.20:8787/privacy",
    "https://4f2a-stallwright.owner.workers.dev/privacy",
  ])("%s for trying out, hidden from search engines", async (url) => {
    expect(await ask(url)).toEqual({ status: 200, location: null, robots: "noindex" });
  });

  test("a workers.dev address that is the canonical one, for search engines too", async () => {
    const own = "https://stallwright.owner.workers.dev";
    expect(await ask(`${own}/`, "GET", own)).toEqual({ status: 200, location: null, robots: null });
    expect(await ask("https://4f2a-stallwright.owner.workers.dev/", "GET", own)).toMatchObject({ robots: "noindex" });
  });

  test.each(["/healthcheck", "/api/nothing"])("%s on every host, since programs call it", async (path) => {
    expect((await ask(`https://www.stallwright.example${path}`)).location).toBeNull();
  });

  test("a trailing slash on a trial host stays on that host", async () => {
    expect((await ask("http://localhost:8787/privacy/")).location).toBe("http://localhost:8787/privacy");
  });

  test("a form post where it arrives: a redirect would lose it", async () => {
    expect((await ask(`${SITE_URL}/privacy/`, "POST")).location).toBeNull();
  });
});
