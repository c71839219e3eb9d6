import { needs } from "#tests/support/browser/needs.ts";
import { expect, test } from "#tests/support/browser/owner-test.ts";

needs("referrals");

test("a referral that waits is accepted with the keyboard, and refused on the friend’s entry", async ({
  owner: page,
  site,
}) => {
  await page.goto(`${site.url}/owner/entries/63`);
  const address = (await page.getByRole("heading", { level: 1 }).textContent()) ?? "";
  await page.goto(`${site.url}/owner`);
  await page.getByRole("navigation", { name: "Owner" }).getByRole("link", { name: "Referrals" }).click();
  const row = page.getByRole("row", { name: address });
  await expect(row).toContainText("Waits for you");
  await row.locator("summary").focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.type("They run a club together");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status")).toHaveText("The friend counts now.");
  await expect(page.getByRole("row", { name: address })).toHaveCount(0);
  await page.getByRole("navigation", { name: "Referrals" }).getByRole("link", { name: "Counted" }).click();
  await page.goto(`${site.url}/owner/entries/63`);
  const friends = page.getByRole("region", { name: "Friends" });
  await expect(friends).toContainText("Accepted by an owner");
  await expect(friends).toContainText("They run a club together");
  await friends.locator("summary").click();
  await friends.getByRole("button", { name: "Refuse this friend" }).click();
  await expect(page.getByRole("status")).toContainText("The friend does not count.");
  await expect(friends).toContainText("Refused by an owner");
});

test("the navigation shows all its links on a phone", async ({ owner: page, site }) => {
  for (const width of [360, 390, 720, 768]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`${site.url}/owner/referrals`);
    const links = page.getByRole("navigation", { name: "Owner" }).getByRole("link");
    for (const link of await links.all()) await expect(link).toBeInViewport({ ratio: 1 });
  }
});

test("referrers are downloaded as a file", async ({ owner: page, site }) => {
  await page.goto(`${site.url}/owner/referrals`);
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download all referrers (CSV)" }).click();
  expect((await download).suggestedFilename()).toMatch(/^referrers-\d{4}-\d\d-\d\d\.csv$/);
});
