import { stripVTControlCharacters } from "node:util";
import { pages } from "#app/pages.server.ts";
import { letters } from "#app/switches.ts";
import { hydrate } from "#scripts/lib/hydrated.ts";
import { paths } from "#scripts/lib/site-paths.ts";
import { smallTargets } from "#tests/support/browser/measure.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { expect, test } from "#tests/support/browser/test.ts";

test("client-side navigation shows every page with the metadata that it has when loaded", async ({ page, site }) => {
  const metadata = () =>
    page.evaluate(() =>
      ["title", "meta[name=description]", "meta[property]", "meta[name^=twitter]", "link[rel=canonical]"]
        .flatMap((selector) => [...document.head.querySelectorAll(selector)])
        .map((element) => element.textContent || element.outerHTML.replace(/ nonce="[^"]*"/, ""))
        .toSorted(),
    );
  const loaded = new Map<string, string[]>();
  for (const path of paths) {
    await page.goto(site.url + path);
    loaded.set(path, await metadata());
  }
  expect(loaded.get("/")?.length).toBeGreaterThan(10);
  await page.goto(`${site.url}/privacy`);
  await hydrate(page);
  await page.evaluate(() => Object.assign(window, { isSameDocument: true }));
  for (const path of [...paths, "/"]) {
    await page.evaluate((to) => window.__reactRouterDataRouter.navigate(to), path);
    await expect(page).toHaveURL(site.url + path);
    await expect.poll(metadata, path).toEqual(loaded.get(path));
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  }
  expect(await page.evaluate(() => "isSameDocument" in window)).toBe(true);
});

/** Server-rendered elements are marked; elements that React creates are not. */
type Marked = Element & { isFromServer?: boolean };

/** What is inside of what `server-drawn.tsx` leaves alone. */
const DRAWN = ".market *, .shared-parts *, .match *";

test("hydration reuses every server-rendered element of every page", async ({ page, site }) => {
  for (const path of paths) {
    await page.goto(site.url + path);
    const rendered = await page.evaluate(() => {
      const all = document.querySelectorAll<Marked>("header *, main *, footer *");
      for (const element of all) element.isFromServer = true;
      return all.length;
    });
    await hydrate(page);
    const found = await page.evaluate((drawn) => {
      const outerHtml = (element: Element) => element.outerHTML.slice(0, 200);
      const all = [...document.querySelectorAll<Marked>("header *, main *, footer *")];
      const isHydrated = (element: Element) => Object.keys(element).some((key) => key.startsWith("__react"));
      return {
        elements: all.length,
        created: all.filter((element) => element.isFromServer !== true).map(outerHtml),
        notHydrated: all.filter((element) => !isHydrated(element) && !element.matches(drawn)).map(outerHtml),
      };
    }, DRAWN);
    expect(found, path).toEqual({ elements: rendered, created: [], notHydrated: [] });
  }
});

test("a page takes the focus after navigation, and the header does not cover anchors", async ({ page, site }) => {
  needs("roadmap", "survey");
  await page.goto(`${site.url}/roadmap`);
  await hydrate(page);
  await page.getByRole("banner").getByRole("link", { name: "Survey" }).click();
  await expect(page).toHaveURL(`${site.url}/survey`);
  await expect(page.locator("main")).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("main").getByRole("link", { name: "Back to home" })).toBeFocused();

  await page.getByRole("banner").getByRole("link", { name: "Join Waitlist" }).click();
  await expect(page.locator("form#join")).toBeInViewport({ ratio: 1 });
  await expect.poll(async () => (await page.locator("form#join").boundingBox())?.y ?? 0).toBeGreaterThanOrEqual(60);
});

test("hovering over a link prefetches its page, and a choice made since then holds on it", async ({ page, site }) => {
  await page.goto(site.url);
  // Playwright cannot see prefetch requests while it intercepts, so count them in the site's output.
  const countRequests = () => stripVTControlCharacters(site.output()).split("GET /privacy 200").length - 1;
  const before = countRequests();
  const link = page.getByRole("contentinfo").getByRole("link", { name: "Privacy policy" });
  await link.scrollIntoViewIfNeeded();
  await link.hover();
  await expect.poll(countRequests).toBe(before + 1);
  await page.getByRole("button", { name: "Decline All" }).click();
  await link.click();
  await expect(page).toHaveURL(`${site.url}/privacy`);
  await expect(page.getByRole("region", { name: "Cookie preferences" })).toBeHidden();
  expect(countRequests()).toBe(before + 1);
});

test("at 320 px, without JavaScript, the menu opens and its links work", async ({ browser, site }) => {
  needs("roadmap");
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 320, height: 640 } });
  const page = await context.newPage();
  await page.goto(site.url);
  const header = page.getByRole("banner");
  await header.getByRole("button", { name: "Menu" }).click();
  await header.getByRole("link", { name: "Roadmap" }).click();
  await expect(page).toHaveURL(`${site.url}/roadmap`);
  await context.close();
});

test("on a phone held sideways every control has the size for touch", async ({ browser, site }) => {
  const context = await browser.newContext({ viewport: { width: 844, height: 390 }, hasTouch: true, isMobile: true });
  const page = await context.newPage();
  for (const path of paths) {
    await page.goto(site.url + path);
    expect(await smallTargets(page, 44), path).toEqual([]);
  }
  await context.close();
});

test("every internal link, anchor and asset resolves, and links lead to every page", async ({ request, site }) => {
  const seen = new Map<string, string>();
  // The letters are linked once there are some, which tests/built/proof.test.ts shows.
  const starts = letters ? ["/", "/letters"] : ["/"];
  const queue = starts.map((path) => ({ url: site.url + path, from: "the start" }));
  const broken: string[] = [];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const { url, from } = next;
    const { origin, href, hash } = new URL(url);
    const target = href.slice(0, href.length - hash.length);
    if (origin !== site.url) continue;
    if (!seen.has(target)) {
      const response = await request.get(target, { maxRedirects: 0 });
      if (response.status() !== 200) broken.push(`${target} is ${response.status()}, linked from ${from}`);
      const type = response.headers()["content-type"] ?? "";
      const body = /html|css|javascript|json|xml|text/.test(type) ? await response.text() : "";
      seen.set(target, body);
      for (const link of linksIn(type, body)) queue.push({ url: new URL(link, target).href, from: target });
    }
    const anchor = hash.slice(1);
    if (anchor !== "" && !seen.get(target)?.includes(`id="${anchor}"`))
      broken.push(`${url} has no such anchor, linked from ${from}`);
  }
  expect(broken).toEqual([]);
  for (const { path } of pages) expect([...seen.keys()]).toContain(`${site.url}${path}`);
});

const HTML_LINKS = [/\s(?:href|src|action)="([^"]+)"/g, /\scontent="(https?:[^"]+)"/g];
const CSS_LINKS = [/url\(["']?([^)"']+)["']?\)/g];
const FILE_NAMES = [/"(\/assets\/[^"]+|\/[\w-]+\.(?:png|svg|ico|webmanifest|woff2))"/g];

/** URLs in HTML attributes and in CSS, and paths of the site's files in scripts and manifests. */
function linksIn(type: string, text: string): string[] {
  const patterns = type.includes("html") ? HTML_LINKS : type.includes("css") ? CSS_LINKS : FILE_NAMES;
  const found = patterns.flatMap((pattern) => Array.from(text.matchAll(pattern), ([, link]) => link ?? ""));
  return found.map((link) => link.replaceAll("&amp;", "&")).filter((link) => /^(\/|#|https?:)/.test(link));
}
