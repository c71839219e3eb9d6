import type { Page } from "@playwright/test";
import { questions } from "#app/site.ts";
import { answerField } from "#app/waitlist/questions/answers.ts";
import { median } from "#scripts/bench/measurement.ts";

/** Time that each page may take, measured by the browser from navigation to the last byte (milliseconds). */
export const viewLimits = {
  "computed overview": 3_000,
  "stored overview": 100,
  "list or entry": 500,
  /** Beyond 10,000, and only on request. */
  "exact count": 1_000,
};

interface View {
  name: string;
  kind: keyof typeof viewLimits;
  open: () => Promise<unknown>;
}

/** Milliseconds. */
interface ViewTime extends Pick<View, "name" | "kind"> {
  median: number;
  quickest: number;
}

/** Times every view: by one load, or by three if the first exceeds its limit. The page must be signed in. */
export async function timeViews(page: Page, url: string): Promise<ViewTime[]> {
  const viewTimes: ViewTime[] = [];
  for (const { name, kind, open } of await viewsOf(page, url)) {
    const load = () => open().then(() => responseTime(page));
    const first = await load();
    const times = first <= viewLimits[kind] ? [first] : [first, await load(), await load()];
    viewTimes.push({ name, kind, median: median(times), quickest: Math.min(...times) });
  }
  return viewTimes;
}

/** Filters by the questions that have answers to choose from. */
const answers = questions
  .filter((question) => question.answers !== undefined)
  .flatMap((question) => {
    const field = answerField(question);
    const [first = "", second = ""] = Object.keys(question.answers ?? {});
    return [`${field}=${first}`, `${field}=${first}&${field}=${second}`, `without=${field}`];
  });

/**
 * Filters of the list. The worst are those that scan the whole list both for a page and for the count: few entries match,
 * or the page is in the order of addresses.
 */
const filters = [
  "status=active",
  "status=unconfirmed",
  "status=suppressed",
  "status=unsubscribed",
  "confirmation=unconfirmed",
  ...answers,
  "source=fair_tablet",
  "source=nowhere",
  "imported=yes",
  "imported=no",
  "invited=yes",
  "invited=no",
  "friends=3",
  "milestone=no",
  "utm_campaign=makers_post",
  "utm_campaign=nowhere",
  "without=utm_campaign",
  "utm_source=newsletter",
  "referrer_host=www.facebook.com",
  `until=${dayAgo(330)}`,
  `until=${dayAgo(30)}`,
  `from=${dayAgo(60)}&until=${dayAgo(30)}`,
  "email=dead",
  "email=waiting",
  "email=dead.complaint",
  "email=sent",
  "disposable=yes",
  ...answers.map((answer) => `email=sent&utm_campaign=makers_post&${answer}`),
  `email=sent&referrer_host=www.facebook.com&until=${dayAgo(30)}`,
  "email=sent&without=utm_campaign&status=active",
];

function dayAgo(days: number): string {
  return new Date(Date.now() - days * 24 * 3_600_000).toISOString().slice(0, 10);
}

/** All views, including deep pages of the list and each kind of search and filter. */
async function viewsOf(page: Page, url: string): Promise<View[]> {
  const go = (path: string, kind: View["kind"] = path.includes("count=all") ? "exact count" : "list or entry") => ({
    name: path,
    kind,
    open: () => page.goto(url + path),
  });
  const compute = (days: number) => ({
    name: `/owner?days=${days}, computed now`,
    kind: "computed overview" as const,
    open: () => computeOverview(page, `${url}/owner?days=${days}`),
  });
  const find = (text: string) => ({
    name: `/owner/entries, search for ${text}`,
    kind: "list or entry" as const,
    open: () => search(page, `${url}/owner/entries`, text),
  });
  await page.goto(`${url}/owner/entries`);
  const [entry] = await page
    .locator(".entry-table tbody th a")
    .evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));
  const middle = Math.ceil(Number(entry?.split("/").at(-1)) / 2) + 1;
  return [
    compute(30),
    compute(365),
    go("/owner", "stored overview"),
    go("/owner?days=365", "stored overview"),
    go("/owner/links?page=/&utm_source=poster"),
    go("/owner/referrals"),
    go("/owner/referrals?list=counted"),
    go("/owner/entries"),
    go("/owner/entries?order=address-down"),
    go("/owner/entries?order=oldest"),
    go("/owner/entries?count=all"),
    go("/owner/entries/views?source=fair_tablet"),
    ...filters.flatMap((query) =>
      ["", "&order=oldest", "&order=address", "&count=all"].map((rest) => go(`/owner/entries?${query}${rest}`)),
    ),
    ...(entry === undefined
      ? []
      : [entry, `/owner/entries?after=${middle}`, "/owner/entries?before=1"].map((path) => go(path))),
    ...["w", "willow4@example.com", "zz"].map(find),
  ];
}

/**
 * Presses the button that computes what the overview shows; the time includes the redirect to it. Without entries there is
 * nothing to compute.
 */
async function computeOverview(page: Page, overview: string) {
  if (page.url() !== overview) await page.goto(overview);
  const button = page.getByRole("button", { name: "Update now" });
  await ((await button.count()) > 0 ? button.click() : page.reload());
}

async function search(page: Page, list: string, text: string) {
  if (!page.url().startsWith(list)) await page.goto(list);
  await page.getByLabel("Address contains").fill(text);
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await page.locator(".list-searched strong").getByText(text, { exact: true }).waitFor();
}

/** Response time of the current document, including redirects. */
function responseTime(page: Page): Promise<number> {
  return page.evaluate(() => {
    const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
    return navigation === undefined ? Number.NaN : Math.round(navigation.responseEnd - navigation.startTime);
  });
}
