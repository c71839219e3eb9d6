import type { Page } from "@playwright/test";
import { schemes } from "#scripts/lib/site-paths.ts";
import { armTablet } from "#tests/support/browser/armed-tablet.ts";
import { expectFinePage } from "#tests/support/browser/fine-page.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { onEveryDevice } from "#tests/support/browser/on-every-device.ts";
import { expectToFit } from "#tests/support/browser/owner-layout.ts";
import { expect, test } from "#tests/support/browser/owner-test.ts";
import { scan } from "#tests/support/browser/scan.ts";
import { slow, slowUnless } from "#tests/support/browser/slow.ts";

needs("fair");

const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).press("Enter");
const open = (page: Page, question: string) =>
  page.locator("summary").getByText(question, { exact: true }).press("Enter");
const codeOf = (page: Page) => page.getByRole("img", { name: "QR code that sets up the tablet" });

/** Makes a code, and returns what it leads to. */
async function makeCode(page: Page, url: string, event: string): Promise<string> {
  await page.goto(`${url}/owner/fair`);
  await page.getByLabel("Name of the event").fill(event);
  await page.getByLabel("Name of the event").press("Enter");
  await expect(page.getByRole("status")).toContainText(`The code for “${event}” is ready.`);
  return page.locator(".code-block").innerText();
}

onEveryDevice(({ name, javaScriptEnabled }) => {
  test(
    "a tablet is set up, used and revoked, what comes late is accepted and discarded, and it is closed, with the keyboard",
    slowUnless(name === "phone" && !javaScriptEnabled),
    async ({ owner: page, site }) => {
      const isFine = () => expectFinePage(page, javaScriptEnabled);
      const status = page.getByRole("status");
      const event = `Fair on a ${name}, ${javaScriptEnabled}`;
      const person = (who: string) => `${who}.${name}.${javaScriptEnabled}@example.com`;
      const of = (email: string) => email.endsWith(person(""));

      await page.goto(`${site.url}/owner`);
      await page.getByRole("navigation", { name: "Owner" }).getByRole("link", { name: "Connect" }).press("Enter");
      await page.getByRole("navigation", { name: "Connect" }).getByRole("link", { name: "At the fair" }).press("Enter");
      await page.getByLabel("Name of the event").fill("ada@example.com");
      await press(page, "Make the code");
      await expect(page.getByRole("alert")).toContainText("Leave out email addresses");
      const link = await makeCode(page, site.url, event);
      await isFine();
      const tablet = await armTablet(link);
      await tablet.send([person("early")], 2);
      await page.getByRole("link", { name: "The tablet is set up" }).press("Enter");
      const row = page.getByRole("row", { name: event });
      await expect(row).toContainText("In use until");
      await isFine();

      await row.getByRole("link", { name: event }).press("Enter");
      await open(page, "Revoke");
      await press(page, "Revoke the tablet");
      await expect(status).toHaveText("The tablet is revoked. It can no longer add anyone.");
      await tablet.send([person("ada"), person("bob")], 1);
      await page.reload();
      await expect(page.getByRole("row", { name: person("ada") })).toBeVisible();
      await isFine();
      await open(page, "Accept");
      // The first one too, unless a run of another test has added it.
      await press(page, /^Accept [23] sign-ups$/);
      await expect(status).toContainText("The sign-ups are accepted.");
      // A run adds a few, and first sends what other tests have queued.
      const added = async () => {
        await site.sweep();
        return (await site.rows("waitlist_emails")).flatMap(({ email }) => (of(String(email)) ? [email] : []));
      };
      await expect.poll(added, { timeout: 30_000 }).toEqual([person("early"), person("ada"), person("bob")]);

      await tablet.send([person("eve")], 1);
      await page.reload();
      await open(page, "Discard");
      await press(page, "Discard 1 sign-up");
      await expect(status).toHaveText("The sign-ups are discarded.");
      await open(page, "Close");
      await expect(page.getByText(/1 sign-up was still on the tablet/)).toBeVisible();
      await press(page, "Close the tablet");
      await expect(status).toHaveText("The tablet is closed. Its key is destroyed.");
      await isFine();
    },
  );
});

test("the code can be scanned on every screen in both schemes", async ({ owner: page, site, browser }) => {
  const link = await makeCode(page, site.url, "Harvest Fair");
  expect(link).toMatch(/\/fair#[\da-f]{64}$/);
  // Another page decodes the picture, because this one runs no script and has the owner's content policy.
  const decoder = await browser.newPage();
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme });
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await scan(decoder, await codeOf(page).screenshot()), `${colorScheme}, ${width} px`).toBe(link);
    }
  }
  await decoder.close();
});

test(
  "a tablet's page with a decision to make fits every width in both schemes",
  slow,
  async ({ owner: page, site }) => {
    const tablet = await armTablet(await makeCode(page, site.url, "Wool and Willow Fair"));
    await page.goto(`${site.url}/owner/fair`);
    await page.getByRole("link", { name: "Wool and Willow Fair" }).click();
    const url = page.url();
    await page.locator("summary").getByText("Revoke", { exact: true }).click();
    await page.getByRole("button", { name: "Revoke the tablet" }).click();
    await tablet.send([`${"a-long-name-".repeat(5)}end@${"subdomain.".repeat(8)}example.com`, "bob@example.com"]);
    await expectToFit(page, url);
  },
);
