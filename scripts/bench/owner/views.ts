import type { Page } from "@playwright/test";
import type { RunningSite } from "#scripts/lib/running-site.ts";

/** Time that each page may take, measured by the browser from navigation to the last byte (milliseconds). */
const LIST_LIMIT = 500;
const STORED_OVERVIEW_LIMIT = 100;
const COMPUTED_OVERVIEW_LIMIT = 3_000;

export interface ViewTime {
  view: string;
  /** Of all runs (milliseconds). */
  median: number;
  quickest: number;
  slowest: number;
  limit: number;
}

/** Times every view over a number of runs. The page must be signed in. */
export async function timeViews(page: Page, site: RunningSite, runs: number): Promise<ViewTime[]> {
  const viewTimes: ViewTime[] = [];
  for (const [view, open] of Object.entries(await viewsOf(page, site))) {
    const times: number[] = [];
    for (let run = 0; run < runs; run += 1) {
      await open();
      times.push(await responseTime(page));
    }
    times.sort((a, b) => a - b);
    viewTimes.push({
      view,
      median: times[Math.floor(runs / 2)] ?? 0,
      quickest: times[0] ?? 0,
      slowest: times.at(-1) ?? 0,
      limit: limitOf(view),
    });
  }
  return viewTimes;
}

function limitOf(view: string): number {
  if (view === COMPUTED || view === COMPUTED_YEAR) return COMPUTED_OVERVIEW_LIMIT;
  return view.startsWith("overview") ? STORED_OVERVIEW_LIMIT : LIST_LIMIT;
}

const COMPUTED = "overview, computed now";
const COMPUTED_YEAR = "overview of a year, computed now";

/**
 * Filters of the list. The worst are those that scan the whole list both for a page and for the count: few entries match,
 * or the page is in the order of addresses.
 */
const filters = {
  active: "status=active",
  unsubscribed: "status=unsubscribed",
  unconfirmed: "confirmation=unconfirmed",
  hosts: "role=host",
  "without a role": "role=none",
  "a source": "source=fair_tablet",
  "a source without entries": "source=nowhere",
  "a campaign": "utm_campaign=makers_post",
  "a campaign without entries": "utm_campaign=nowhere",
  "without a campaign": "without=utm_campaign",
  "a campaign source": "utm_source=newsletter",
  "a referring site": "referrer_host=www.facebook.com",
  "the first days": `until=${dayAgo(330)}`,
  "a month": `from=${dayAgo(60)}&until=${dayAgo(30)}`,
  "dead emails": "email=dead",
  "waiting emails": "email=waiting",
  "a reason": "email=dead.complaint",
  "sent emails": "email=sent",
  "throwaway addresses": "disposable=yes",
  "sent emails, a campaign and a role": "email=sent&utm_campaign=makers_post&role=both",
  "sent emails, a referring site and a period": `email=sent&referrer_host=www.facebook.com&until=${dayAgo(30)}`,
  "sent emails, without a campaign and active": "email=sent&without=utm_campaign&status=active",
};

function dayAgo(days: number): string {
  return new Date(Date.now() - days * 24 * 3_600_000).toISOString().slice(0, 10);
}

/** All views, including deep pages of the list and each kind of search and filter. */
async function viewsOf(page: Page, { url }: RunningSite): Promise<Record<string, () => Promise<unknown>>> {
  const go = (path: string) => () => page.goto(url + path);
  const views: Record<string, () => Promise<unknown>> = {
    [COMPUTED]: () => computeOverview(page, url, 30),
    [COMPUTED_YEAR]: () => computeOverview(page, url, 365),
    "overview, 30 days": go("/owner"),
    "overview of a year": go("/owner?days=365"),
    links: go("/owner/links?page=/&utm_source=poster"),
    "list, newest": go("/owner/entries"),
    "list, Z to A": go("/owner/entries?order=address-down"),
  };
  for (const [name, query] of Object.entries(filters)) {
    views[`list, ${name}`] = go(`/owner/entries?${query}`);
    views[`list, ${name}, by address`] = go(`/owner/entries?${query}&order=address`);
  }
  await page.goto(`${url}/owner/entries`);
  const entry = await page
    .locator(".entry-table tbody th a")
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

/**
 * Presses the button that computes what the overview shows; the time includes the redirect to it. Without entries there is
 * nothing to compute.
 */
async function computeOverview(page: Page, url: string, days: number) {
  const overview = `${url}/owner?days=${days}`;
  if (page.url() !== overview) await page.goto(overview);
  const button = page.getByRole("button", { name: "Update now" });
  await ((await button.count()) > 0 ? button.click() : page.reload());
}

async function search(page: Page, url: string, start: string) {
  if (!page.url().startsWith(`${url}/owner/entries`)) await page.goto(`${url}/owner/entries`);
  await page.getByLabel("Address contains").fill(start);
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await page.locator(".owner-searched strong").getByText(start, { exact: true }).waitFor();
}

/** Response time of the current document, including redirects. */
function responseTime(page: Page): Promise<number> {
  return page.evaluate(() => {
    const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
    return navigation === undefined ? Number.NaN : Math.round(navigation.responseEnd - navigation.startTime);
  });
}
