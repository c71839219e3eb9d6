import { letters } from "#app/switches.ts";
import { paths } from "#scripts/lib/site-paths.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { slow } from "#tests/support/browser/slow.ts";
import { expect, test } from "#tests/support/browser/test.ts";

test.use({ javaScriptEnabled: false });

test("links lead to every page of the site", async ({ page, site }) => {
  // The letters are linked once there are some, which tests/built/proof.test.ts shows.
  const queue = letters ? ["/", "/letters"] : ["/"];
  const reached = new Set(queue);
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    await page.goto(`${site.url}${path}`);
    for (const href of await page
      .locator("a[href^='/']")
      .evaluateAll((links) => links.map((link) => link.getAttribute("href")))) {
      const target = new URL(href ?? "/", site.url).pathname;
      if (reached.has(target)) continue;
      reached.add(target);
      queue.push(target);
    }
  }
  expect([...reached].toSorted()).toEqual(paths.slice(0, -1).toSorted());
});

test("the menu opens at 320 px, and its links work", async ({ page, site }) => {
  needs("roadmap");
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(site.url);
  const header = page.getByRole("banner");
  await header.locator("summary, button").first().click();
  await header.getByRole("link", { name: "Roadmap" }).click();
  await expect(page).toHaveURL(`${site.url}/roadmap`);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
});

test("the accordion opens one group at a time", slow, async ({ page, site }) => {
  needs("features");
  await page.goto(site.url);
  const groups = page.locator("details[name]");
  await expect(groups).toHaveCount(3);
  await groups.nth(0).locator("summary").click();
  await expect(groups.nth(0)).toHaveAttribute("open", "");
  await groups.nth(2).locator("summary").click();
  await expect(groups.nth(2)).toHaveAttribute("open", "");
  await expect(groups.nth(0)).not.toHaveAttribute("open", "");
});

test("the second form shows its own message and records its own source", async ({ page, site }) => {
  needs("waysToHelp");
  await page.goto(`${site.url}/?utm_source=leaflet`);
  const form = page.locator("form#join-help");
  await form.getByPlaceholder("Enter your email").fill("helper@example.com");
  await form.getByRole("button", { name: "Join Waitlist" }).click();
  await expect(form.getByRole("status")).toHaveText("Thanks for joining! Please check your email.");
  await expect(form.getByRole("status")).toBeInViewport();
  await expect(page.locator("form#join").getByRole("status")).toHaveText("");
  const entries = (await site.rows("waitlist_emails")).filter((row) => row["email"] === "helper@example.com");
  expect(entries).toMatchObject([{ source: "ways_to_help_section", utm_source: "leaflet" }]);
});

test("sharing works through plain links", slow, async ({ page, site }) => {
  needs("share", "waysToHelp");
  await page.goto(site.url);
  const links = page.locator(
    "a[href^='mailto:?'], a[href*='facebook.com/sharer'], a[href*='wa.me'], a[href*='whatsapp']",
  );
  await expect(links.first()).toBeVisible();
});
