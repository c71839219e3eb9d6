import { untilHydrated } from "#scripts/lib/hydrated.ts";
import type { RunningSite } from "#scripts/lib/running-site.ts";
import { emailedLink } from "#tests/support/browser/emailed-link.ts";
import { sharedSite } from "#tests/support/browser/sites.ts";
import { expect, test } from "#tests/support/browser/test.ts";
import { holderLine, holderOn, sided, ticketOn } from "#tests/support/browser/ticket.ts";

let site: RunningSite;

test.beforeAll(async ({ shared }) => {
  site = await sharedSite(shared, "dressed");
});

const subjectsTo = async (address: string) =>
  (await site.sentEmails()).filter(({ to }) => to.includes(address)).map(({ subject }) => subject);

for (const javaScriptEnabled of [true, false]) {
  test.describe(`${javaScriptEnabled ? "with" : "without"} JavaScript`, () => {
    test.use({ javaScriptEnabled });

    test("a visitor signs up, confirms by the link in the email, and is sent the welcome email", async ({ page }) => {
      const address = `confirms-${javaScriptEnabled}@example.com`;
      await page.goto(site.url);
      const form = page.locator("form.sign-up").first();
      await form.getByRole("textbox", { name: /mail/ }).fill(address);
      await form.getByRole("button").click();
      await expect(form.getByRole("status")).toHaveText("Thanks for joining! Please check your email.");
      await expect(ticketOn(page)).toContainText("confirm your address");
      await page.goto(await emailedLink(site, address, "confirm"));
      await page.getByRole("button", { name: "Confirm my address" }).click();
      await expect(page.getByRole("status").filter({ hasText: "confirmed" })).toHaveText(
        "Thank you. Your address is confirmed.",
      );
      await expect(holderOn(page)).toBeVisible();
      await expect(holderOn(page)).toHaveText(holderLine());
      if (sided) {
        const answer = ticketOn(page).getByRole("group", { name: sided.wording }).getByRole("button");
        // Without a touch, so that the first answer loads no other page.
        if (javaScriptEnabled) await untilHydrated(page);
        await answer.filter({ hasText: sided.words }).first().click();
        await expect(holderOn(page)).toHaveText(holderLine(sided.words));
        if (javaScriptEnabled) await expect(page).toHaveURL(/\?done=confirm$/);
      }
      await expect(ticketOn(page)).not.toContainText("confirm your address");
      await expect.poll(() => subjectsTo(address)).toHaveLength(2);
      expect((await subjectsTo(address))[0]).toContain("You’re on the");
    });
  });
}
