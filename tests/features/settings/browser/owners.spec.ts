import type { Page } from "@playwright/test";
import { expect, test } from "#tests/support/browser/owner-test.ts";

const EVE = "eve@market.example";

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const rowOf = (page: Page, address: string) => page.getByRole("row", { name: address });

test("an owner adds another one, removes them and takes them back, three presses at most from the overview", async ({
  owner: page,
  site,
}) => {
  await page.goto(`${site.url}/owner`);
  await page.getByRole("link", { name: "Settings", exact: true }).click();
  await page.getByRole("link", { name: "Change Owners" }).click();
  await page.getByLabel("Email address").fill(EVE);
  await press(page, "Add this owner");
  await expect(page.getByRole("status")).toContainText("gets an email about it");
  await expect(rowOf(page, EVE)).toContainText("Added here");
  await expect(rowOf(page, EVE)).toContainText("Not signed in");

  await rowOf(page, EVE).locator("summary", { hasText: "Remove" }).click();
  await press(page, `Remove ${EVE}`);
  await expect(page.getByRole("table", { name: "Who can sign in" })).not.toContainText(EVE);
  await press(page, "Add again");
  await expect(rowOf(page, EVE)).toContainText("Added here");
  await rowOf(page, EVE).locator("summary", { hasText: "Remove" }).click();
  await press(page, `Remove ${EVE}`);
});

test("an owner switches alerts off and on", async ({ owner: page, site }) => {
  await page.goto(`${site.url}/owner/settings`);
  await page.getByRole("link", { name: "Change Notifications" }).click();
  const alerts = page.getByRole("checkbox", { name: /^Alerts/ });
  for (const isOn of [false, true]) {
    await alerts.setChecked(isOn);
    await press(page, "Save");
    await expect(page.getByRole("status")).toContainText("Saved");
    await expect(alerts).toBeChecked({ checked: isOn });
  }
});
