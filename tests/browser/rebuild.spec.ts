import { rebuild } from "#scripts/lib/local-site.ts";
import { nightly } from "#tests/support/browser/slow.ts";
import { expect, test } from "#tests/support/browser/test.ts";

test("a build leaves the files of a running site alone", nightly, async ({ site, page }) => {
  await page.goto(site.url);
  const style = await page.locator("link[rel=stylesheet]").first().getAttribute("href");
  let built = false;
  const building = rebuild().finally(() => {
    built = true;
  });
  const statuses = new Set<number>();
  while (!built) statuses.add((await page.request.get(`${site.url}${style}`)).status());
  await building;
  statuses.add((await page.request.get(`${site.url}${style}`)).status());
  expect([...statuses]).toEqual([200]);
});
