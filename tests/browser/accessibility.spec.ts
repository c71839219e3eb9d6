import { declineCookies } from "#scripts/lib/decline-cookies.ts";
import { paths, schemes } from "#scripts/lib/site-paths.ts";
import { violations } from "#tests/support/browser/measure.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { openHydrated } from "#tests/support/browser/sign-up-form.ts";
import { slow, slowUnless } from "#tests/support/browser/slow.ts";
import { expect, test } from "#tests/support/browser/test.ts";

for (const path of paths) {
  test(`axe finds no violations on ${path}, light, 360 px`, slowUnless(path === "/"), async ({ page, site }) => {
    await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
    await page.setViewportSize({ width: 360, height: 800 });
    await page.goto(`${site.url}${path}`);
    expect(await violations(page)).toEqual([]);
  });

  test(`axe finds no violations on ${path}, dark or 1280 px`, slow, async ({ page, site }) => {
    await page.goto(`${site.url}${path}`);
    for (const [colorScheme, width] of [
      ["light", 1280],
      ["dark", 360],
      ["dark", 1280],
    ] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.setViewportSize({ width, height: 800 });
      expect(await violations(page), `${colorScheme}, ${width} px`).toEqual([]);
    }
  });
}

for (const colorScheme of schemes) {
  test(
    `axe finds no violations with an accordion open and an error shown, ${colorScheme}`,
    slow,
    async ({ page, site }) => {
      needs("features");
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await openHydrated(page, site.url);
      await page.locator("details[name] > summary").first().click();
      const form = page.locator("form#join");
      await form.getByPlaceholder("Enter your email").fill("ada@example");
      await form.getByRole("button").click();
      await expect(form.getByRole("status")).not.toBeEmpty();
      expect(await violations(page)).toEqual([]);
    },
  );

  test(
    `axe finds no violations after joining with a misspelt address, ${colorScheme}`,
    slow,
    async ({ page, site }) => {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.goto(site.url);
      const form = page.locator("form#join");
      await form.getByPlaceholder("Enter your email").fill(`axe-${colorScheme}@gmial.com`);
      await form.getByRole("button").click();
      await expect(form.getByRole("status")).toContainText("Thanks for joining!");
      await expect(page.locator(".ticket")).toContainText("Did you mean");
      expect(await violations(page)).toEqual([]);
    },
  );

  for (const width of [320, 1280]) {
    test(
      `axe finds no violations with the categories open, ${colorScheme}, ${width} px`,
      slow,
      async ({ page, site }) => {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        await page.setViewportSize({ width, height: 800 });
        await page.setExtraHTTPHeaders({ "Sec-GPC": "1" });
        await page.goto(`${site.url}/privacy`);
        await page.getByRole("region", { name: "Cookie preferences" }).locator("summary").click();
        await expect(page.getByRole("checkbox", { name: "Analytics" })).toBeVisible();
        expect(await violations(page)).toEqual([]);
      },
    );
  }

  test(`axe finds no violations after the cookie choice, ${colorScheme}`, slow, async ({ page, context, site }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await declineCookies(context, site.url);
    for (const path of paths) {
      await page.goto(`${site.url}${path}`);
      expect(await violations(page), path).toEqual([]);
    }
  });

  test(`axe finds no violations with the menu open at 320 px, ${colorScheme}`, slow, async ({ page, site }) => {
    needs("roadmap");
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.setViewportSize({ width: 320, height: 640 });
    await page.goto(site.url);
    await page.getByRole("banner").locator("summary, button").first().click();
    await expect(page.getByRole("banner").getByRole("link", { name: "Roadmap" })).toBeVisible();
    expect(await violations(page)).toEqual([]);
  });
}

for (const path of paths) {
  test(
    `${path} has one h1, no skipped heading levels, and the landmarks`,
    slowUnless(path === "/"),
    async ({ page, site }) => {
      await page.goto(`${site.url}${path}`);
      const levels = await page
        .locator("h1, h2, h3, h4, h5, h6")
        .evaluateAll((all) => all.map(({ tagName }) => Number(tagName[1])));
      expect(levels.filter((level) => level === 1)).toHaveLength(1);
      expect(levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1)).toEqual([]);
      for (const landmark of ["banner", "main", "contentinfo"] as const)
        await expect(page.getByRole(landmark)).toHaveCount(1);
    },
  );
}
