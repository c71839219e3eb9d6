import { hydrate } from "#scripts/lib/hydrated.ts";
import { type RunningSite, startSite } from "#scripts/lib/running-site.ts";
import { schemes, widths } from "#scripts/lib/site-paths.ts";
import { sidewaysScroll, smallTargets, violations } from "#tests/support/browser/measure.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { formOn, openHydrated } from "#tests/support/browser/sign-up-form.ts";
import { slow } from "#tests/support/browser/slow.ts";
import { expect, test } from "#tests/support/browser/test.ts";

const LAUNCH_URL = "https://app.market.example/welcome";

let launched: RunningSite;

test.beforeAll(async () => {
  launched = await startSite({ vars: { LAUNCH_URL } });
});

test.afterAll(() => launched.stop());

test.beforeEach(({ context }) =>
  context.route(`${LAUNCH_URL}**`, (route) =>
    route.fulfill({ contentType: "text/html", body: "<!doctype html><title>The product</title>" }),
  ),
);

test(
  "after the launch a button leads to the product, before and after hydration and from every page",
  slow,
  async ({ page }) => {
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
  },
);

test(
  "a form that was opened before the launch says that the product is open, and where",
  slow,
  async ({ page, site }) => {
    await openHydrated(page, site.url);
    await page.route("**/api/signup", async (route) => {
      const headers = { ...route.request().headers(), origin: launched.url };
      await route.fulfill({ response: await route.fetch({ url: `${launched.url}/api/signup`, headers }) });
    });
    await formOn(page).submit("late@example.com");
    await expect(formOn(page).message).toContainText(LAUNCH_URL);
    expect(await launched.rows("waitlist_emails")).toEqual([]);
  },
);

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("the button leads to the product", slow, async ({ page }) => {
    await page.goto(`${launched.url}/#join`);
    await page.locator("#join").getByRole("link").click();
    await expect(page).toHaveURL(LAUNCH_URL);
  });

  test("a form that was opened before the launch leads to the page with the button", slow, async ({ page, site }) => {
    const before = await (await fetch(site.url)).text();
    await page.route(`${launched.url}/`, (route) =>
      route.request().method() === "GET" ? route.fulfill({ contentType: "text/html", body: before }) : route.continue(),
    );
    await page.goto(launched.url);
    const answer = page.waitForResponse((response) => response.request().method() === "POST");
    await formOn(page).submit("late@example.com");
    expect((await answer).status()).toBe(410);
    await expect(page.locator("#join").getByRole("link")).toHaveAttribute("href", LAUNCH_URL);
    expect(await launched.rows("waitlist_emails")).toEqual([]);
  });
});

for (const colorScheme of schemes) {
  test(`after the launch the pages fit every width and pass axe, ${colorScheme}`, slow, async ({ page }) => {
    needs("roadmap", "survey");
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    for (const path of ["/", "/survey", "/roadmap"]) {
      await page.goto(launched.url + path);
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 });
        expect(await sidewaysScroll(page), `${path} at ${width}`).toBe(0);
        expect(await smallTargets(page, width < 768 ? 44 : 36), `${path} at ${width}`).toEqual([]);
      }
      expect(await violations(page)).toEqual([]);
    }
  });
}
