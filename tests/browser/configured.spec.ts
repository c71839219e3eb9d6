import { hydrate } from "#scripts/lib/hydrated.ts";
import { type RunningSite, startSite } from "#scripts/lib/running-site.ts";
import { schemes, widths } from "#scripts/lib/site-paths.ts";
import { sidewaysScroll, smallTargets, violations } from "#tests/support/browser/measure.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { slow } from "#tests/support/browser/slow.ts";
import { expect, test } from "#tests/support/browser/test.ts";

/** The optional links. */
const vars = {
  SURVEY_URL: "https://forms.example/survey",
  SUPPORT_URL: "https://coffee.example/waitlist-site",
  FACEBOOK_URL: "https://facebook.example/waitlist-site",
};

let configuredSite: RunningSite;

test.beforeAll(async () => {
  configuredSite = await startSite({ vars });
});

test.afterAll(() => configuredSite.stop());

test.beforeEach(({ context }) =>
  context.route("https://forms.example/**", (route) =>
    route.fulfill({ contentType: "text/html", body: "<!doctype html><title>A form</title><p>Questions" }),
  ),
);

for (const colorScheme of schemes) {
  test(
    `the support row, Facebook and the survey frame fit every width and pass axe, ${colorScheme}`,
    slow,
    async ({ page }) => {
      needs("survey");
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      for (const path of ["/", "/survey"]) {
        await page.goto(configuredSite.url + path);
        await expect(page.locator(`a[href="${vars.FACEBOOK_URL}"]`)).toBeVisible();
        for (const width of widths) {
          await page.setViewportSize({ width, height: 800 });
          expect(await sidewaysScroll(page), `${path} at ${width}`).toBe(0);
          expect(await smallTargets(page, width < 768 ? 44 : 36), `${path} at ${width}`).toEqual([]);
        }
        expect(await violations(page)).toEqual([]);
      }
    },
  );
}

test("the survey page shows the survey in a frame and links to it", slow, async ({ page }) => {
  needs("survey");
  await page.goto(`${configuredSite.url}/survey`);
  await expect(page.frameLocator("iframe").getByText("Questions")).toBeVisible();
  await expect(page.getByRole("main").locator(`a[href="${vars.SURVEY_URL}"]`)).toBeVisible();
  await expect(page.getByRole("main").getByRole("link", { name: "Back to home" })).toBeVisible();
});

test("the landing page offers the survey once it is open", slow, async ({ page }) => {
  needs("waysToHelp", "survey");
  await page.goto(configuredSite.url);
  await expect(page.getByRole("heading", { name: "Answer the survey" })).toBeVisible();
  await page.getByRole("link", { name: "Take the survey" }).click();
  await expect(page.frameLocator("iframe").getByText("Questions")).toBeVisible();
});

test("entering and leaving the survey page loads a document: only its CSP allows the frame", slow, async ({ page }) => {
  needs("roadmap", "survey");
  const markDocument = () => page.evaluate(() => Object.assign(window, { isMarked: true }));
  const isMarked = () => page.evaluate(() => "isMarked" in window);
  await page.goto(`${configuredSite.url}/roadmap`);
  for (const [name, path, sameDocument] of [
    ["Survey", "/survey", false],
    ["Roadmap", "/roadmap", false],
    ["Privacy policy", "/privacy", true],
  ] as const) {
    await hydrate(page);
    await markDocument();
    await page.getByRole("link", { name, exact: true }).first().click();
    await expect(page).toHaveURL(`${configuredSite.url}${path}`);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    expect(await isMarked(), path).toBe(sameDocument);
  }
  await page.goBack();
  await page.goBack();
  await expect(page.frameLocator("iframe").getByText("Questions")).toBeVisible();
});

test("the support link leads to SUPPORT_URL", slow, async ({ page }) => {
  await page.goto(configuredSite.url);
  await expect(page.locator(`a[href="${vars.SUPPORT_URL}"]`)).toBeVisible();
});
