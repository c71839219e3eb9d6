import { stripVTControlCharacters } from "node:util";
import { expect, test } from "#tests/support/browser/test.ts";

test("a page is fetched while the pointer rests on its link, and the click loads it from there", async ({
  page,
  site,
}) => {
  // An application that does not come, so that links load documents.
  await page.route("**/assets/*.js", (route) => route.abort());
  await page.goto(site.url);
  // Playwright sees no prefetched request where it stands between, so that the site is asked what it answered.
  const answered = () => stripVTControlCharacters(site.output()).split("GET /roadmap 200").length - 1;
  const before = answered();
  const link = page.getByRole("banner").getByRole("link", { name: "Roadmap" });
  await link.hover();
  await expect.poll(answered).toBe(before + 1);
  await link.click();
  await expect(page).toHaveURL(`${site.url}/roadmap`);
  const delivery = await page.evaluate(() =>
    performance.getEntriesByType("navigation").map((entry) => entry.toJSON().deliveryType as string),
  );
  expect(delivery).toEqual(["navigational-prefetch"]);
});
