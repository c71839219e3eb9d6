import { stripVTControlCharacters } from "node:util";
import { needs } from "#tests/support/browser/needs.ts";
import { slow } from "#tests/support/browser/slow.ts";
import { expect, test } from "#tests/support/browser/test.ts";

test("hovering over a link prefetches its page, and a click uses the prefetched page", slow, async ({ page, site }) => {
  needs("roadmap");
  // Without the scripts, links load documents.
  await page.route("**/assets/*.js", (route) => route.abort());
  await page.goto(site.url);
  // Playwright cannot see prefetch requests while it intercepts, so count them in the site's output.
  const countRequests = () => stripVTControlCharacters(site.output()).split("GET /roadmap 200").length - 1;
  const before = countRequests();
  const link = page.getByRole("banner").getByRole("link", { name: "Roadmap" });
  await link.hover();
  await expect.poll(countRequests).toBe(before + 1);
  await link.click();
  await expect(page).toHaveURL(`${site.url}/roadmap`);
  const delivery = await page.evaluate(() =>
    performance.getEntriesByType("navigation").map((entry) => entry.toJSON().deliveryType as string),
  );
  expect(delivery).toEqual(["navigational-prefetch"]);
});

test("a page that was prefetched before the choice does not ask again", slow, async ({ page, site }) => {
  await page.goto(site.url);
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
