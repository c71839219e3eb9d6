import { pages } from "#app/layout/pages.ts";
import * as switches from "#app/switches.ts";
import { hydrate } from "#scripts/lib/hydrated.ts";
import { slow } from "#tests/support/browser/slow.ts";
import { expect, test } from "#tests/support/browser/test.ts";

test("pages open directly and through links without an error", async ({ page, site }) => {
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  for (const { path } of pages) {
    await page.goto(site.url + path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  }
  await page.goto(`${site.url}/privacy`);
  await page.getByRole("main").getByRole("link", { name: "cookie policy" }).first().click();
  await expect(page).toHaveURL(`${site.url}/cookie-policy`);
  await page.getByRole("link", { name: "Back to home" }).first().click();
  await expect(page).toHaveURL(`${site.url}/`);
  await expect(page.locator('script[type="application/ld+json"]')).toHaveCount(1);
  expect(errors).toEqual([]);
});

test("metadata is the same after client-side navigation as after a page load", slow, async ({ page, site }) => {
  const metadata = () =>
    page.evaluate(() =>
      ["title", "meta[name=description]", "meta[property]", "meta[name^=twitter]", "link[rel=canonical]"]
        .flatMap((selector) => [...document.head.querySelectorAll(selector)])
        .map((element) => element.textContent || element.outerHTML.replace(/ nonce="[^"]*"/, ""))
        .toSorted(),
    );
  const follow = (name: string) => page.getByRole("contentinfo").getByRole("link", { name, exact: true }).click();
  for (const [name, path] of [
    ...(switches.roadmap ? ([["Roadmap", "/roadmap"]] as const) : []),
    ["Privacy policy", "/privacy"],
    ["Cookie policy", "/cookie-policy"],
  ] as const) {
    await page.goto(site.url + path);
    const loaded = await metadata();
    expect(loaded.length).toBeGreaterThan(10);
    await page.goto(site.url);
    await hydrate(page);
    await page.evaluate(() => Object.assign(window, { isSameDocument: true }));
    await follow(name);
    await expect(page).toHaveURL(site.url + path);
    await expect.poll(metadata).toEqual(loaded);
    expect(await page.evaluate(() => "isSameDocument" in window)).toBe(true);
  }
});
