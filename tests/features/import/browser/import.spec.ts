import { writeFileSync } from "node:fs";
import { expect, test, uploadList } from "#tests/support/browser/owner-test.ts";

/** Two days ago, because entries that joined too long ago are refused. */
const JOINED = new Date(Date.now() - 2 * 24 * 3_600_000).toISOString().slice(0, 10);

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("a list is uploaded, a question answered, its problems downloaded, its people imported", async ({
    owner: page,
    site,
  }) => {
    await page.goto(`${site.url}/owner/import`);
    const people = ['ada@open.example;VIP;"A barn;\nand a field"', "bob@open.example;cancelled;", "bob@open;active;"];
    await uploadList(page, ["Email address;Status;Where", ...people].join("\n"));
    await page.waitForURL(/\/owner\/import\/\d+$/);
    await page.locator("select[name=c2]").selectOption("owner_note");
    await page.locator("input[name=note]").fill("Ticked the box on the paper list");
    await page.locator("input[name=consent-date]").fill(JOINED);
    await page.locator("button[value=check]").click();
    await expect(page.locator("button[value=confirm]")).toHaveCount(0);
    await page.getByLabel(/vip.? \(1 row\)/).selectOption("active");
    await page.locator("button[value=check]").click();
    await expect(page.locator(".tile dd")).toHaveText(["1", "1", "0", "1"]);
    const download = page.waitForEvent("download");
    await page.locator("form[action$='problems.csv'] button").click();
    expect((await download).suggestedFilename()).toMatch(/\.csv$/);
    const imported = async () =>
      (await site.rows("waitlist_emails")).filter(({ email }) => `${email}`.endsWith("@open.example"));
    expect(await imported()).toEqual([]);
    await page.locator("button[value=confirm]").click();
    const ada = { status: "active", owner_note: "A barn;\nand a field" };
    await expect.poll(imported).toMatchObject([ada, { status: "unsubscribed" }]);
    await expect(async () => {
      await page.reload();
      await page.getByRole("button", { name: "Unsubscribe 1 person" }).click({ timeout: 1_000 });
    }).toPass();
    await page.waitForURL(/\/owner\/bulk\/\d+$/);
  });
});

/** A server that stops reading resets the connection, so that the browser shows an error of its own. */
test("a file of 11 MB is refused with a sentence that the browser shows", async ({ owner: page, site }, info) => {
  const file = info.outputPath("large.csv");
  writeFileSync(file, `email\n${"a@b.example\n".repeat(920_000)}`);
  await page.goto(`${site.url}/owner/import`);
  await page.locator("input[type=file]").setInputFiles(file);
  await page.locator("main button").first().click();
  await expect(page.getByRole("alert")).toContainText("10 MB");
});
