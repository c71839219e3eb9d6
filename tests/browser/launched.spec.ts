import { hydrate } from "#scripts/lib/hydrated.ts";
import type { RunningSite } from "#scripts/lib/running-site.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { formOn, openHydrated } from "#tests/support/browser/sign-up-form.ts";
import { sharedSite, siteVars } from "#tests/support/browser/sites.ts";
import { expect, test } from "#tests/support/browser/test.ts";

const { LAUNCH_URL } = siteVars.launched;

let launched: RunningSite;

test.beforeAll(async ({ shared }) => {
  launched = await sharedSite(shared, "launched");
});

test.beforeEach(({ context }) =>
  context.route(`${LAUNCH_URL}**`, (route) =>
    route.fulfill({ contentType: "text/html", body: "<!doctype html><title>The product</title>" }),
  ),
);

test("after the launch a button leads to the product, before and after hydration and from every page", async ({
  page,
}) => {
  needs("roadmap");
  const errors: string[] = [];
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  await page.goto(launched.url);
  const inHero = page.locator("#join").getByRole("link");
  await expect(inHero).toBeInViewport();
  await expect(page.getByRole("textbox")).toHaveCount(0);

  await hydrate(page);
  await expect(inHero).toHaveAttribute("href", LAUNCH_URL);
  await page.getByRole("link", { name: "Roadmap" }).first().click();
  await expect(page).toHaveURL(`${launched.url}/roadmap`);
  await page.getByRole("link", { name: "Home", exact: true }).click();
  await expect(page).toHaveURL(`${launched.url}/`);
  await expect(page.getByRole("textbox")).toHaveCount(0);
  await inHero.click();
  await expect(page).toHaveURL(LAUNCH_URL);
  expect(errors).toEqual([]);
});

test("a form that was opened before the launch says that the product is open, and where", async ({ page, site }) => {
  await openHydrated(page, site.url);
  await page.route("**/api/signup", async (route) => {
    const headers = { ...route.request().headers(), origin: launched.url };
    await route.fulfill({ response: await route.fetch({ url: `${launched.url}/api/signup`, headers }) });
  });
  await formOn(page).submit("late@example.com");
  await expect(formOn(page).message).toContainText(LAUNCH_URL);
  expect(await launched.rows("waitlist_emails")).toEqual([]);
});
