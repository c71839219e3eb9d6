import { readFile } from "node:fs/promises";
import { localDate } from "#app/server/time-zone-days.ts";
import { OWNER_TIME_ZONE } from "#scripts/lib/owner-site.ts";
import { expect, test } from "#tests/support/browser/owner-test.ts";
import { slowUnless } from "#tests/support/browser/slow.ts";

for (const javaScriptEnabled of [true, false]) {
  test.describe(`${javaScriptEnabled ? "with" : "without"} JavaScript`, () => {
    test.use({ javaScriptEnabled });

    test(
      "what the list shows is exported, for a service and for a spreadsheet",
      slowUnless(!javaScriptEnabled),
      async ({ owner: page, site }) => {
        await page.goto(`${site.url}/owner/entries`);
        await page.locator(".list-filters summary").click();
        await page.locator("select[name=source]").selectOption("landing_page");
        await page.getByLabel("Joined until", { exact: true }).fill(localDate(Date.now(), OWNER_TIME_ZONE));
        await page.getByRole("button", { name: "Apply" }).click();
        await page.waitForURL(/source=landing_page/);
        const chosen = (await site.rows("waitlist_emails")).filter(({ source }) => source === "landing_page");
        const mayGetEmail = chosen.filter(
          ({ status, confirm_by, confirmed_at }) =>
            status === "active" && (confirm_by === null || confirmed_at !== null),
        );
        await page.getByRole("link", { name: "Export", exact: true }).click();

        const download = async (button: string) => {
          const started = page.waitForEvent("download");
          await page.getByRole("button", { name: button }).click();
          const file = await started;
          return { name: file.suggestedFilename(), text: await readFile(await file.path(), "utf8") };
        };
        await page.getByLabel("Ghost").check();
        const ghost = await download("Download for the service");
        expect(ghost.name).toMatch(/^waitlist-[\d-]+-ghost\.csv$/);
        const lines = ghost.text.trimEnd().split("\r\n");
        expect(lines.slice(1).map((line) => line.split(",")[0])).toEqual(mayGetEmail.map(({ email }) => `"${email}"`));
        await page.getByLabel("Separator").selectOption("semicolon");
        await page.locator("input[name=people][value=all]").check();
        const spreadsheet = await download("Download for a spreadsheet");
        expect(spreadsheet.text.trimEnd().split("\r\n")).toHaveLength(chosen.length + 1);
        expect(spreadsheet.text.split("\r\n")[1]).toContain('";"');
      },
    );
  });
}
