import { expect, test } from "#tests/support/browser/owner-test.ts";

test("the list is filtered by times, and asks for the number of entries before it erases them", async ({
  owner: page,
  site,
}) => {
  await page.goto(`${site.url}/owner/entries`);
  await expect(page.getByRole("link", { name: "Select all that match" })).toHaveCount(0);
  await page.locator(".list-filters summary").click();
  await page.getByLabel("Joined from", { exact: true }).fill("2020-01-01");
  await page.getByLabel("Joined from, time").fill("14:05");
  await page.getByRole("button", { name: "Apply" }).click();
  await page.waitForURL(/from=2020-01-01&from_time=14%3A05/);
  await page.getByRole("link", { name: "Select all that match" }).click();
  await page.getByRole("link", { name: "Erase", exact: true }).click();
  const count = page.getByRole("textbox", { name: /^To confirm, type the number of entries/ });
  await count.fill("1");
  await page.getByRole("button", { name: "Erase these entries" }).click();
  await expect(page.getByRole("alert")).toContainText("This would erase");
  await expect(count).toHaveAttribute("aria-invalid", "true");
  await expect(count).toHaveValue("1");
  expect((await site.rows("bulk_actions")).filter(({ kind }) => kind === "erase")).toEqual([]);
});
