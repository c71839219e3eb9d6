import { needs } from "#tests/support/browser/needs.ts";
import { slow } from "#tests/support/browser/slow.ts";
import { expect, test } from "#tests/support/browser/test.ts";

needs("product", "features", "waysToHelp", "survey", "share");

test("a sample match shows a date in the future and says that it is a sample", async ({ page, site }) => {
  await page.goto(site.url);
  const slip = page.getByRole("figure", { name: "What a match could look like" });
  const [date = ""] = /\d+ June \d{4}/.exec(await slip.innerText()) ?? [];
  expect(Date.parse(`${date} UTC`)).toBeGreaterThan(Date.now());
  await expect(slip.getByRole("listitem")).toHaveText([/free/, /near/, /fits/]);
});

test("the sample match is tilted, and straight for people who want less motion", slow, async ({ page, site }) => {
  await page.goto(site.url);
  const paper = page.locator(".slip-paper");
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await expect(paper).toHaveCSS("rotate", "-2deg");
  await page.emulateMedia({ reducedMotion: "reduce" });
  await expect(paper).toHaveCSS("rotate", "none");
});

test("a survey that is not open is not offered as one; its questions are", slow, async ({ page, site }) => {
  await page.goto(site.url);
  const row = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "Answer four questions" }) });
  await expect(row).toContainText("The survey opens soon");
  await expect(page.getByText("Take the survey")).toHaveCount(0);
  await row.getByRole("link", { name: "Read the questions" }).click();
  await expect(page.getByRole("heading", { name: "The survey opens soon" })).toBeVisible();
  await expect(page.locator(".survey-soon ol > li")).toHaveCount(4);
});

test("sample posts are not headed as a blog, and say where they lead", async ({ page, site }) => {
  needs("blog", "roadmap");
  await page.goto(site.url);
  const section = page.getByRole("region", { name: "While you wait" });
  await expect(section.getByRole("listitem")).toContainText(["See the roadmap", "See the survey", "Join the waitlist"]);
});

test("a closed group of features names what is in it", async ({ page, site }) => {
  await page.goto(site.url);
  await expect(page.locator(".group summary").first()).toContainText("Availability · Travel distance · Requirements");
});

test("the chalkboard's button leads to the form, without JavaScript", async ({ browser, site }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(site.url);
  await page.locator(".board").getByRole("link", { name: "Join Waitlist" }).click();
  await expect(page).toHaveURL(/\/#join$/);
  await expect(page.getByLabel("Your email address").first()).toBeInViewport();
  await context.close();
});

for (const width of [360, 768, 1280, 1920])
  test(
    `at ${width} px each way to help is a card with a drawing and its control beside its text`,
    slow,
    async ({ page, site }) => {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(site.url);
      const ways = page.locator(".way");
      expect(await ways.count()).toBeGreaterThanOrEqual(3);
      for (const way of await ways.all()) {
        await expect(way.locator("svg").first()).toBeVisible();
        const text = await way.locator("p").first().boundingBox();
        const control = await way.locator("a, button, input:visible").first().boundingBox();
        const across = (control?.x ?? NaN) - (text?.x ?? NaN) - (text?.width ?? NaN);
        const down = (control?.y ?? NaN) - (text?.y ?? NaN) - (text?.height ?? NaN);
        expect(Math.max(across, down)).toBeLessThan(64);
      }
    },
  );
