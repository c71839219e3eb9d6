import { type RunningSite, startSite } from "#scripts/lib/running-site.ts";
import { schemes } from "#scripts/lib/site-paths.ts";
import { sidewaysScroll } from "#tests/support/browser/measure.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { slow } from "#tests/support/browser/slow.ts";
import { expect, test } from "#tests/support/browser/test.ts";

/* Print, forced colours, wide spacing and other ways to look at a page that designs forget. */

for (const colorScheme of schemes) {
  test(
    `printed without backgrounds every heading is dark, and closed groups are open, ${colorScheme}`,
    slow,
    async ({ page, site }) => {
      needs("features");
      await page.emulateMedia({ media: "print", colorScheme });
      await page.goto(site.url);
      const light = await page
        .locator(":is(h1, h2, h3, h4, .group-tagline, .group-contents, dt, dd)")
        .evaluateAll((all) =>
          all
            .filter((element) => element.checkVisibility({ contentVisibilityAuto: true }) && element.textContent !== "")
            .filter((element) =>
              (getComputedStyle(element).color.match(/\d+/g) ?? []).slice(0, 3).some((part) => Number(part) > 110),
            )
            .map((element) => element.textContent),
        );
      expect(light).toEqual([]);
      for (const details of await page.locator("details.group:not([open]) .group-features").all()) {
        const box = await details.boundingBox();
        expect(box?.height).toBeGreaterThan(100);
        expect(await details.evaluate((element) => element.checkVisibility({ contentVisibilityAuto: true }))).toBe(
          true,
        );
      }
    },
  );
}

test("lists keep their bullets in forced colours", slow, async ({ page, site }) => {
  needs("product");
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto(site.url);
  const item = page.locator(".gains li").first();
  const [bullet, canvas] = await item.evaluate((element) => [
    getComputedStyle(element, "::before").backgroundColor,
    getComputedStyle(document.body).backgroundColor,
  ]);
  expect(bullet).not.toBe(canvas);
  expect(bullet).toBe(await item.evaluate((element) => getComputedStyle(element).color));
});

test.describe("with the text spacing of WCAG 1.4.12", () => {
  test.use({ bypassCSP: true });

  test("the policies fit a width of 320 pixels", slow, async ({ page, site }) => {
    await page.setViewportSize({ width: 320, height: 800 });
    for (const path of ["/cookie-policy", "/privacy"]) {
      await page.goto(site.url + path);
      await page.addStyleTag({
        content:
          "* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }",
      });
      expect(await sidewaysScroll(page), path).toBe(0);
    }
  });
});

test("the footer has as much room above its words as below", slow, async ({ page, site }) => {
  await page.goto(site.url);
  await page.getByRole("button", { name: "Decline All" }).click();
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const [above, below] = await page.locator(".footer").evaluate((footer) => {
      const box = footer.getBoundingClientRect();
      const content = [...footer.querySelectorAll("p, li")].map((element) => element.getBoundingClientRect());
      return [
        Math.min(...content.map(({ top }) => top)) - box.top,
        box.bottom - Math.max(...content.map(({ bottom }) => bottom)),
      ];
    });
    expect(Math.abs((above ?? 0) - (below ?? 99))).toBeLessThan(2);
  }
});

test("scripts that wait are data blocks as the standard allows them", async ({ request, site }) => {
  const html = await (await request.get(site.url)).text();
  const waiting = html.match(/<script[^>]* type="[^"]*deferred-[^>]*>/g) ?? [];
  expect(waiting.length).toBeGreaterThan(1);
  for (const script of waiting) {
    // A valid MIME type, and none of the attributes of scripts that run.
    expect(script).toMatch(/type="\w+\/[\w-]+"/);
    expect(script).not.toMatch(/ (?:async|defer|src|nomodule|crossorigin)\b/);
  }
});

test.describe("after the launch", () => {
  let launched: RunningSite;
  test.beforeAll(async () => {
    launched = await startSite({ vars: { LAUNCH_URL: "https://app.market.example/welcome" } });
  });
  test.afterAll(() => launched.stop());

  test("the note below the button is centred, and the roadmap's last milestone is complete", slow, async ({ page }) => {
    needs("roadmap");
    await page.goto(launched.url);
    await expect(page.locator("#join .sign-up-promise")).toHaveCSS("text-align", "center");
    await page.goto(`${launched.url}/roadmap`);
    await expect(page.locator(".timeline-item").last()).toContainText("Completed");
  });
});
