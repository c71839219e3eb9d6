import { needs } from "#tests/support/browser/needs.ts";
import { expectToFit } from "#tests/support/browser/owner-layout.ts";
import { expect, test } from "#tests/support/browser/owner-test.ts";
import { slow, slowUnless } from "#tests/support/browser/slow.ts";

needs("webhooks");

const devices = { phone: { width: 360, height: 800 }, desktop: { width: 1280, height: 800 } };

for (const [device, viewport] of Object.entries(devices)) {
  for (const javaScriptEnabled of [true, false]) {
    const scripts = javaScriptEnabled ? "with" : "without";
    test(
      `an endpoint is added, tested, changed and deleted on a ${device}, ${scripts} JavaScript`,
      slowUnless(device === "phone" && !javaScriptEnabled),
      async ({ browser, ownerSite: site }) => {
        const context = await browser.newContext({ javaScriptEnabled, viewport, reducedMotion: "reduce" });
        await context.addCookies(site.cookies);
        const page = await context.newPage();
        const status = page.getByRole("status");
        await page.goto(`${site.url}/owner/webhooks`);
        const url = page.getByLabel("URL", { exact: true });
        await url.fill("https://192.168.1.1/hook");
        await page.getByRole("checkbox", { name: "An entry is erased" }).uncheck();
        await page.getByRole("button", { name: "Add the endpoint" }).click();
        await expect(page.getByRole("alert")).toContainText("public host name");
        await expect(url).toHaveValue("https://192.168.1.1/hook");
        await expect(page.getByRole("checkbox", { name: "An entry is erased" })).not.toBeChecked();
        await url.fill("https://hooks.example/catch/1");
        await page.getByRole("button", { name: "Add the endpoint" }).click();
        await expect(status).toContainText("The endpoint is added.");
        await expect(page.getByRole("heading", { level: 1 })).toHaveText("hooks.example");
        const secret = page.getByText(/^whsec_/);
        await expect(secret).toBeHidden();
        await page.getByText("Show the secret").click();
        await expect(secret).toBeVisible();
        // No network here: what matters is that the page says why.
        await page.getByRole("button", { name: "Send a test event" }).click();
        await expect(page.getByRole("alert")).toContainText("The receiver did not accept the test event.");
        await page.getByText("Replace the secret").first().click();
        await page.getByRole("button", { name: "Replace the secret" }).click();
        await expect(status).toContainText("There is a new signing secret.");
        await page.getByRole("button", { name: "Turn off" }).click();
        await expect(status).toContainText("The endpoint is off.");
        await page.getByText("Delete this endpoint").click();
        await page.getByRole("button", { name: "Delete the endpoint" }).click();
        await expect(status).toContainText("The endpoint is deleted.");
        await context.close();
      },
    );
  }
}

test("the pages of endpoints are valid, accessible, and fit every width", slow, async ({ owner: page, site }) => {
  await page.goto(`${site.url}/owner/webhooks`);
  await page.getByLabel("URL", { exact: true }).fill(`https://${"long-name-".repeat(5)}x.example/${"path".repeat(40)}`);
  await page.getByRole("button", { name: "Add the endpoint" }).click();
  await page.getByRole("button", { name: "Send a test event" }).click();
  await expect(page.getByRole("alert")).toContainText("did not accept");
  const { pathname } = new URL(page.url());
  await expectToFit(page, site.url + pathname);
  await expectToFit(page, `${site.url}/owner/webhooks`);
  await page.goto(site.url + pathname);
  await page.getByText("Delete this endpoint").click();
  await page.getByRole("button", { name: "Delete the endpoint" }).click();
});
