import { readFileSync } from "node:fs";
import { launched } from "#app/site.ts";
import * as switches from "#app/switches.ts";
import { hydrate } from "#scripts/lib/hydrated.ts";
import { test as base, expect, type OwnerSite, startSignedIn } from "#tests/support/browser/owner-test.ts";
import { expectSound } from "#tests/support/browser/walk.ts";

/* Owners say that the product is open, sign a note and open the survey, on the pages for settings. */

const test = base.extend<{ ownerSite: OwnerSite }>({
  ownerSite: [
    async ({ browser, shared }, use) =>
      use(await shared("settings", () => startSignedIn(browser, { RENDER_CACHE: "off" }))),
    { scope: "test", timeout: 120_000 },
  ],
});

const PRODUCT = "https://app.market.example/welcome";
/** CSS pixels, without the border. */
const PHOTO = 100;
const save = "button[value=save]";

test("from the overview, the product is open after a look at what changes, and closed again", async ({
  owner,
  site,
}) => {
  await owner.goto(`${site.url}/owner/settings/launch`);
  await owner.locator("#launch-date").fill("2025-12-31");
  await owner.locator(save).click();
  await owner.waitForURL(/done=/);
  await owner.goto(`${site.url}/owner`);
  await owner.getByRole("link", { name: "Change the launch" }).click();
  await owner.locator("#launch-url").fill(PRODUCT);
  await owner.locator(save).click();
  await expect(owner.locator("main")).toContainText(launched.lead);
  await owner.getByRole("button", { name: "Say that it is open" }).click();
  await expect(owner.getByRole("status")).toContainText("Saved");

  const visitor = await owner.context().newPage();
  await visitor.goto(site.url);
  await expect(visitor.locator("#join a")).toHaveAttribute("href", PRODUCT);
  await owner.goto(`${site.url}/owner`);
  await expect(owner.getByText("The launch date")).toHaveCount(0);

  await owner.goto(`${site.url}/owner/settings/launch`);
  await owner.locator("#launch-url").fill("");
  await owner.locator(save).click();
  await owner.getByRole("button", { name: "Take sign-ups again" }).click();
  await visitor.reload();
  await expect(visitor.locator("#join input[name=email]")).toBeVisible();
});

test("a photograph is cut to a square and made small before it is sent, and stands beside the note", async ({
  owner,
  site,
}) => {
  await owner.goto(`${site.url}/owner/settings/founder`);
  await owner.locator("#founder-name").fill("Ada Stallwright");
  await owner
    .locator("#founder-note")
    .fill("I sold pots at fairs for ten years,\nand never found the right ones twice.");
  const buffer = readFileSync("docs/screenshots/home-desktop-light.png");
  await owner.locator("#founder-photo-file").setInputFiles({ name: "ada.png", mimeType: "image/png", buffer });
  await expect(owner.getByRole("status")).toHaveText("The photograph is ready. It is stored when you save.");
  await owner.getByRole("button", { name: "Save" }).click();
  await expect(owner.locator("main")).toContainText("Saved");
  await expect(owner.locator(".photo-field img")).toBeVisible();
  if (!switches.product) return;

  const visitor = await owner.context().newPage();
  for (const [width, colorScheme] of [
    [390, "light"],
    [1_280, "dark"],
  ] as const) {
    await visitor.setViewportSize({ width, height: 800 });
    await visitor.emulateMedia({ colorScheme });
    await visitor.goto(site.url);
    const photo = visitor.getByRole("img", { name: "Ada Stallwright" });
    await photo.scrollIntoViewIfNeeded();
    await expect
      .poll(() =>
        photo.evaluate((img: HTMLImageElement) => [img.naturalWidth, img.naturalHeight, img.width, img.height]),
      )
      .toEqual([320, 320, PHOTO, PHOTO]);
  }
});

test("a survey that opens while someone reads the site is there behind its link", async ({ owner, site, page }) => {
  test.skip(!switches.survey, "the survey is switched off");
  const visitor = await page.context().newPage();
  await visitor.route("https://forms.example/**", (route) => route.fulfill({ body: "The survey" }));
  await visitor.goto(`${site.url}/privacy`);
  await hydrate(visitor);
  await owner.goto(`${site.url}/owner/settings/links`);
  await owner.locator("#survey-url").fill("https://forms.example/s/stalls");
  await owner.getByRole("button", { name: "Save" }).click();
  await expect(owner.locator("main")).toContainText("Saved");
  await visitor.getByRole("link", { name: "Survey" }).first().click();
  await expect(visitor.frameLocator("main iframe").getByText("The survey")).toBeVisible();
});

test("the form of the founder, with a photograph and mistakes, is sound", async ({ owner, site }) => {
  await expectSound(
    owner,
    {
      name: "founder",
      path: "/owner/settings/founder",
      enter: async (page) => {
        await page.locator("#founder-name").fill("x".repeat(90));
        await page.getByRole("button", { name: "Save" }).click();
        await page.locator("#founder-name-problem").waitFor();
      },
    },
    site.url,
  );
});
