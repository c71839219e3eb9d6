import type { Page } from "@playwright/test";
import type { RunningSite } from "#scripts/lib/running-site.ts";

/** Milliseconds that each of the owner's pages may take, as the browser measures them: from asking to the last byte. */
export const LIMIT = 300;

export interface ViewTime {
  view: string;
  /** Milliseconds; the median of all tries, the best and the worst. */
  median: number;
  quickest: number;
  slowest: number;
}

/** Opens every view so many times, and says how long each took. The page must be signed in. */
export async function timeViews(page: Page, site: RunningSite, tries: number): Promise<ViewTime[]> {
  const times: ViewTime[] = [];
  for (const [view, open] of Object.entries(await viewsOf(page, site))) {
    const taken: number[] = [];
    for (let nth = 0; nth < tries; nth += 1) {
      await open();
      taken.push(await responseTime(page));
    }
    taken.sort((a, b) => a - b);
    times.push({
      view,
      median: taken[Math.floor(tries / 2)] ?? 0,
      quickest: taken[0] ?? 0,
      slowest: taken.at(-1) ?? 0,
    });
  }
  return times;
}

/** All views, and for the list its deep ends and each kind of search and filter. */
async function viewsOf(page: Page, { url }: RunningSite): Promise<Record<string, () => Promise<unknown>>> {
  const go = (path: string) => () => page.goto(url + path);
  const views: Record<string, () => Promise<unknown>> = {
    "overview, 30 days": go("/owner"),
    "overview, 365 days": go("/owner?days=365"),
    "list, newest": go("/owner/entries"),
    "list, Z to A": go("/owner/entries?order=address-down"),
    "list, unsubscribed": go("/owner/entries?status=unsubscribed&order=oldest"),
    "list, a source": go("/owner/entries?source=fair_tablet"),
    "list, a source without anybody": go("/owner/entries?source=nowhere&status=active"),
    "list, source and status by address": go("/owner/entries?source=fair_tablet&status=unsubscribed&order=address"),
  };
  await page.goto(`${url}/owner/entries`);
  const entry = await page
    .locator(".entry-table th a")
    .first()
    .getAttribute("href", { timeout: 500 })
    .catch(() => null);
  if (entry !== null) {
    const id = Number(entry.split("/").at(-1));
    views["one entry"] = go(entry);
    views["list, in the middle"] = go(`/owner/entries?after=${Math.ceil(id / 2) + 1}`);
    views["list, at the end"] = go("/owner/entries?before=1");
  }
  for (const [name, start] of Object.entries({
    "one letter": "w",
    "an address": "willow4@example.com",
    nothing: "zz",
  })) {
    views[`list, search for ${name}`] = () => search(page, url, start);
  }
  return views;
}

async function search(page: Page, url: string, start: string) {
  if (!page.url().endsWith("/owner/entries")) await page.goto(`${url}/owner/entries`);
  await page.getByLabel("Address begins with").fill(start);
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByText("in their own order").getByText(start, { exact: true }).waitFor();
}

/** Of the document that is shown, with the redirects that led to it. */
function responseTime(page: Page): Promise<number> {
  return page.evaluate(() => {
    const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
    return navigation === undefined ? Number.NaN : Math.round(navigation.responseEnd - navigation.startTime);
  });
}
