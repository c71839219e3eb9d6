import { untilHydrated } from "#scripts/lib/hydrated.ts";
import { paths } from "#scripts/lib/site-paths.ts";
import { expect, test } from "#tests/support/browser/test.ts";

/** Set on what the server wrote, which a node that the browser made in its place would not have. */
type Written = Element & { written?: boolean };

for (const path of paths) {
  test(`the application takes over every element of ${path} as the server wrote it`, async ({ page, site }) => {
    const errors: string[] = [];
    page.on("pageerror", ({ message }) => errors.push(message));
    // Never idle, so that nothing starts before what is there is marked.
    await page.addInitScript(() => {
      window.requestIdleCallback = () => 0;
    });
    await page.goto(site.url + path);
    const written = await page.evaluate(() => {
      const all = document.querySelectorAll<Written>("header *, main *, footer *");
      for (const element of all) element.written = true;
      return all.length;
    });
    await page.mouse.move(100, 200);
    await untilHydrated(page);
    const found = await page.evaluate(() => {
      const all = [...document.querySelectorAll<Written>("header *, main *, footer *")];
      const isTakenOver = (element: Element) => Object.keys(element).some((key) => key.startsWith("__react"));
      return {
        elements: all.length,
        madeAnew: all.filter((element) => element.written !== true).map((element) => element.outerHTML),
        leftOut: all.filter((element) => !isTakenOver(element)).map((element) => element.outerHTML),
      };
    });
    expect(found).toEqual({ elements: written, madeAnew: [], leftOut: [] });
    expect(errors).toEqual([]);
  });
}
