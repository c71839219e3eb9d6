import { type RunningSite, startSite } from "#scripts/lib/running-site.ts";
import { sidewaysScroll, violations } from "#tests/support/browser/measure.ts";
import { slow, slowUnless } from "#tests/support/browser/slow.ts";
import { expect, test } from "#tests/support/browser/test.ts";

let site: RunningSite;

test.beforeAll(async () => {
  site = await startSite({ vars: { CONFIRM_ADDRESSES: "on" } });
});
test.afterAll(() => site.stop());

const subjectsTo = async (address: string) =>
  (await site.sentEmails()).filter(({ to }) => to.includes(address)).map(({ subject }) => subject);

/** The confirmation link in the email to an address. */
async function emailedLink(address: string): Promise<string> {
  return /\S+\/confirm\/\S+/.exec((await site.emailTo(address)).text)?.[0] ?? "no link";
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(`${javaScriptEnabled ? "with" : "without"} JavaScript`, () => {
    test.use({ javaScriptEnabled });

    test(
      "a visitor signs up, confirms by the link in the email, and is sent the welcome email",
      slowUnless(javaScriptEnabled),
      async ({ page }) => {
        const address = `confirms-${javaScriptEnabled}@example.com`;
        await page.goto(site.url);
        const form = page.locator("form.sign-up").first();
        await form.getByRole("textbox", { name: /mail/ }).fill(address);
        await form.getByRole("button").click();
        await expect(form.getByRole("status")).toHaveText("Thanks for joining! Please check your email.");
        await page.goto(await emailedLink(address));
        await page.getByRole("button", { name: "Confirm my address" }).click();
        await expect(page.getByRole("status").filter({ hasText: "confirmed" })).toHaveText(
          "Thank you. Your address is confirmed.",
        );
        await expect.poll(() => subjectsTo(address)).toHaveLength(2);
        expect((await subjectsTo(address))[0]).toContain("You are on the");
      },
    );
  });
}

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds no violations on the confirmation page in any state, ${colorScheme}`, slow, async ({ page }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      const address = `axe-${colorScheme}-${width}@example.com`;
      await page.request.post(`${site.url}/api/signup`, { data: { email: address } });
      await page.request.post(`${site.url}/api/send-welcome`, { data: { email: address } });
      const link = await emailedLink(address);
      const expectAccessible = async (state: string) => {
        expect(await violations(page), state).toEqual([]);
        expect(await sidewaysScroll(page), state).toBe(0);
      };
      await page.goto(link);
      const button = page.getByRole("button", { name: "Confirm my address" });
      await expect(button).toBeVisible();
      await expectAccessible("unconfirmed");
      await button.click();
      await expect(page.getByRole("status").filter({ hasText: "confirmed" })).toBeVisible();
      await expectAccessible("just confirmed");
      await page.goto(link);
      await expect(button).toHaveCount(0);
      await expectAccessible("confirmed earlier");
    }
  });
}
