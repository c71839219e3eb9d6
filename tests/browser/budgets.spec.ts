import { firstViewBytes } from "#scripts/lib/first-view.ts";
import { type PageWeight, weigh } from "#scripts/lib/page-weight.ts";
import { paths } from "#scripts/lib/site-paths.ts";
import { type Budget, firstViewBudget, landingBudget, pageBudget } from "#tests/support/browser/budgets.ts";
import { expect, test } from "#tests/support/browser/test.ts";

test("every page stays within its budget", async ({ page, site }) => {
  for (const path of paths) {
    const budget = path === "/" ? landingBudget : pageBudget;
    expect(excess(await weigh(page, `${site.url}${path}`), budget), path).toEqual([]);
  }
});

test("the first view of the landing page is complete within its first bytes", async ({ request, site }) => {
  expect(firstViewBytes(await (await request.get(site.url)).text())).toBeLessThanOrEqual(firstViewBudget);
});

/** One line for each exceeded limit. */
function excess(weight: PageWeight, budget: Budget): string[] {
  const requests = Object.groupBy(weight.early, (request) => request.resourceType());
  const modules = weight.early.map((request) => request.url()).filter((url) => /\.js(\?|$)/.test(url));
  const costs: [name: string, cost: number, limit: number, parts: unknown][] = [
    ["first flight", weight.html + weight.blockingCss, budget.firstFlight, ""],
    ["script before hydration", weight.earlyScript, budget.earlyScript, ""],
    ["all script", weight.allScript, budget.allScript, ""],
    ["fonts", weight.fonts, budget.fonts, ""],
    ["requests that block the first paint", weight.blocking.length, budget.blocking, weight.blocking],
    ["modules before hydration", modules.length, budget.earlyModules, modules],
    ...Object.entries(requests).map(
      ([type, { length } = []]) =>
        [`requests for ${type}`, length, budget.requests[type] ?? 0, ""] as [string, number, number, ""],
    ),
  ];
  return costs
    .filter(([, cost, limit]) => cost > limit)
    .map(([name, cost, limit, parts]) => `${name}: ${cost} exceeds ${limit} ${JSON.stringify(parts)}`);
}
