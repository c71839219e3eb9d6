import { hydrate } from "#scripts/lib/hydrated.ts";
import { paths } from "#scripts/lib/site-paths.ts";
import { slowUnless } from "#tests/support/browser/slow.ts";
import { expect, test } from "#tests/support/browser/test.ts";

/** Server-rendered elements are marked; elements that React creates are not. */
type Marked = Element & { isFromServer?: boolean };

/** What is inside a drawing of `server-drawn.tsx`, which hydration leaves alone. */
const DRAWN = ".market *, .shared-parts *";

for (const path of paths) {
  test(
    `hydration reuses every server-rendered element of ${path}`,
    slowUnless(path === "/"),
    async ({ page, site }) => {
      const errors: string[] = [];
      page.on("pageerror", ({ message }) => errors.push(message));
      await page.goto(site.url + path);
      const rendered = await page.evaluate(() => {
        const all = document.querySelectorAll<Marked>("header *, main *, footer *");
        for (const element of all) element.isFromServer = true;
        return all.length;
      });
      await hydrate(page);
      const found = await page.evaluate((drawn) => {
        const outerHtml = (element: Element) => element.outerHTML.slice(0, 200);
        const all = [...document.querySelectorAll<Marked>("header *, main *, footer *")];
        const isHydrated = (element: Element) => Object.keys(element).some((key) => key.startsWith("__react"));
        return {
          elements: all.length,
          created: all.filter((element) => element.isFromServer !== true).map(outerHtml),
          notHydrated: all.filter((element) => !isHydrated(element) && !element.matches(drawn)).map(outerHtml),
        };
      }, DRAWN);
      expect(found).toEqual({ elements: rendered, created: [], notHydrated: [] });
      expect(errors).toEqual([]);
    },
  );
}
