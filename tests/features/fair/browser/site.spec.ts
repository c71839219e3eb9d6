import { paths } from "#scripts/lib/site-paths.ts";
import { openArmed, untilPrecached } from "#tests/features/fair/browser/fair.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { expect, test } from "#tests/support/browser/test.ts";

test.beforeEach(() => needs("fair"));

test("the public pages have no service worker, and nothing of the form", async ({ page, site }) => {
  await openArmed(page, site);
  for (const path of paths) {
    const response = await page.goto(site.url + path);
    expect(response?.fromServiceWorker(), path).toBe(false);
    expect(await page.evaluate(() => navigator.serviceWorker.controller), path).toBe(null);
    expect(await page.content(), path).not.toContain("/fair");
    expect(response?.headers()["permissions-policy"], path).toContain("screen-wake-lock=()");
  }
  const scopes = await page.evaluate(async () =>
    (await navigator.serviceWorker.getRegistrations()).map(({ scope }) => new URL(scope).pathname),
  );
  expect(scopes).toEqual(["/fair"]);
});

test("the service worker answers for its files alone", async ({ page, site, context }) => {
  await openArmed(page, site);
  const reached = async (path: string) =>
    page.evaluate(
      (url) =>
        fetch(url).then(
          ({ ok }) => ok,
          () => false,
        ),
      path,
    );
  await context.setOffline(true);
  for (const path of ["/fair", "/fair/form.js", "/fair/manifest.webmanifest", "/icon-192.png"]) {
    expect(await reached(path), path).toBe(true);
  }
  for (const path of ["/", "/privacy", "/fair?a=b", "/fair/", "/fairground", "/api/v1/entries", "/robots.txt"]) {
    expect(await reached(path), path).toBe(false);
  }
});

test("Chromium can install it, and counts no visit", async ({ page, site, context }) => {
  const response = await page.goto(`${site.url}/fair`);
  await untilPrecached(page);
  const session = await context.newCDPSession(page);
  const { errors, data } = await session.send("Page.getAppManifest");
  expect(errors).toEqual([]);
  expect(JSON.parse(data ?? "null")).toMatchObject({
    id: "/fair",
    start_url: "/fair",
    scope: "/fair",
    display: "fullscreen",
  });
  const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
  // Tests run in a private window.
  expect(installabilityErrors.filter(({ errorId }) => errorId !== "in-incognito")).toEqual([]);
  expect(response?.headers()["x-robots-tag"]).toBe("noindex");
  expect(await site.rows("page_visits")).toEqual([]);
});
