import { hydrate } from "#scripts/lib/hydrated.ts";
import type { RunningSite } from "#scripts/lib/running-site.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { sharedSite } from "#tests/support/browser/sites.ts";
import { expect, test } from "#tests/support/browser/test.ts";

let configuredSite: RunningSite;

test.beforeAll(async ({ shared }) => {
  configuredSite = await sharedSite(shared, "dressed");
});

test.beforeEach(({ context }) =>
  context.route("https://forms.example/**", (route) =>
    route.fulfill({ contentType: "text/html", body: "<!doctype html><title>A form</title><p>Questions" }),
  ),
);

test("entering and leaving the survey page loads a document: only its CSP allows the frame", async ({ page }) => {
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
