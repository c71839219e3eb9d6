import type { Page } from "@playwright/test";
import { questions } from "#app/site.ts";
import { statuses } from "#app/waitlist/confirmation/confirmation.ts";
import { answerField } from "#app/waitlist/questions/answers.ts";
import { median } from "#scripts/bench/measurement.ts";

/** Time that each page may take, measured by the browser from navigation to the last byte (milliseconds). */
export const viewLimits = {
  "computed overview": 3_000,
  "stored overview": 100,
  "list or entry": 500,
  /** Beyond 10,000, and only on request. */
  "exact count": 1_000,
  "list of the API": 500,
};

interface View {
  kind: keyof typeof viewLimits;
  /** Path and query. */
  name: string;
  /** What is done there, which ends with the document that is timed. */
  act?: (page: Page) => Promise<void>;
}

/** Times every view: by one load, or by three if the first exceeds its limit (milliseconds). @param page signed in, or with the API's key */
export async function timeViews(page: Page, url: string, views: View[]) {
  const viewTimes: (Pick<View, "name" | "kind"> & { median: number; quickest: number })[] = [];
  for (const { kind, name, act } of views) {
    const load = async () => {
      const response = await page.goto(url + name);
      if (response?.ok() !== true) throw new Error(`${name} returned ${response?.status() ?? "nothing"}`);
      await act?.(page);
      return responseTime(page);
    };
    const first = await load();
    const times = first <= viewLimits[kind] ? [first] : [first, await load(), await load()];
    viewTimes.push({ name, kind, median: median(times), quickest: Math.min(...times) });
  }
  return viewTimes;
}

/** Filters by the questions that have answers to choose from. */
const answers = questions.flatMap((question) => {
  const field = answerField(question);
  const [first, second] = Object.keys(question.answers ?? {});
  return first === undefined ? [] : [`${field}=${first}`, `${field}=${first}&${field}=${second}`, `without=${field}`];
});

/** Values of each parameter. The seed has none that are called `nowhere`. */
const values = {
  status: Object.keys(statuses),
  confirmation: ["unconfirmed"],
  source: ["fair_tablet", "nowhere"],
  imported: ["yes", "no"],
  invited: ["yes", "no"],
  friends: ["3"],
  milestone: ["no"],
  utm_campaign: ["makers_post", "nowhere"],
  utm_source: ["newsletter"],
  referrer_host: ["www.facebook.com"],
  without: ["utm_campaign"],
  until: [dayAgo(330), dayAgo(30)],
  email: ["dead", "waiting", "dead.complaint", "sent"],
  disposable: ["yes"],
};

/**
 * Filters of the list. The worst are those that scan the whole list both for a page and for the count: few entries match,
 * or the page is in the order of addresses.
 */
const filters = [
  ...Object.entries(values).flatMap(([name, all]) => all.map((value) => `${name}=${value}`)),
  ...answers,
  ...answers.map((answer) => `email=sent&utm_campaign=makers_post&${answer}`),
  `from=${dayAgo(60)}&until=${dayAgo(30)}`,
  `email=sent&referrer_host=www.facebook.com&until=${dayAgo(30)}`,
  "email=sent&without=utm_campaign&status=active",
];

function dayAgo(days: number): string {
  return new Date(Date.now() - days * 24 * 3_600_000).toISOString().slice(0, 10);
}

/** The API's list with each filter, in the order that finds the few newest matches last. */
export const apiViews = ["", ...filters].map((filter): View => {
  return { kind: "list of the API", name: `/api/v1/entries?limit=100&order=oldest&${filter}` };
});

/** All of the owner's views, including deep pages of the list and each kind of search and filter. */
export function ownerViews(entries: number): View[] {
  const pages = [
    "/owner/links",
    "/owner/groups?by=utm_campaign&days=365",
    "/owner/referrals",
    "/owner/referrals?list=counted",
    "/owner/entries/views?source=fair_tablet",
    "/owner/webhooks",
    `/owner/entries/${entries}`,
    "/owner/entries?before=1",
    `/owner/entries?after=${Math.ceil(entries / 2) + 1}`,
    "/owner/entries?order=address-down",
    ...["", ...filters].flatMap((filter) =>
      ["", "&order=address", "&count=all"].map((rest) => `/owner/entries?${filter}${rest}`),
    ),
    // Where few entries match, and those are the newest.
    ...["", "status=unconfirmed", "confirmation=unconfirmed"].map((filter) => `/owner/entries?${filter}&order=oldest`),
  ];
  return [
    // Updating also stores the overview of these days, and ends with the redirect to it.
    ...[30, 365].flatMap((days): View[] => [
      {
        kind: "computed overview",
        name: `/owner?days=${days}`,
        act: (page) => page.getByRole("button", { name: "Update now" }).click(),
      },
      { kind: "stored overview", name: `/owner?days=${days}` },
    ]),
    ...pages.map((name): View => ({ kind: name.endsWith("count=all") ? "exact count" : "list or entry", name })),
    ...["w", "willow4@example.com", "zz"].map(
      (text): View => ({ kind: "list or entry", name: "/owner/entries", act: (page) => search(page, text) }),
    ),
  ];
}

async function search(page: Page, text: string): Promise<void> {
  await page.getByLabel("Address or note").fill(text);
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
