import type { Locator } from "@playwright/test";
import { pages } from "#app/pages.server.ts";
import type { PageRecord } from "#app/server/page-record.ts";
import { acceptAll, bannerOn, expect, open, signUp, test } from "#tests/support/browser/consent.ts";
import { holdRequests } from "#tests/support/browser/hydration-control.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { slow } from "#tests/support/browser/slow.ts";
import {
  BEACON_TOKEN,
  MEASUREMENT_ID,
  PIXEL_ID,
  SUPPORT_URL,
  scriptUrls,
  type ThirdParties,
} from "#tests/support/browser/third-parties.ts";
import { JOINED } from "#tests/support/browser/ticket.ts";

const denied = {
  ad_storage: "denied",
  ad_user_data: "denied",
  ad_personalization: "denied",
  analytics_storage: "denied",
};

const [landingPage, privacyPage, roadmapPage] = ["/", "/privacy", "/roadmap"].map(
  (path) => pages.find((page) => page.path === path) ?? { path, title: "" },
) as [PageRecord, PageRecord, PageRecord];

const gtagStart = [
  ["consent", "default", denied],
  ["consent", "update", { analytics_storage: "granted" }],
  ["js", "date"],
  ["config", MEASUREMENT_ID, { send_page_view: false }],
];

const pixelStart = [
  ["disablePushState", true],
  ["consent", "grant"],
  ["set", "autoConfig", false, PIXEL_ID],
  ["init", PIXEL_ID],
];

test("each service loads once and receives consent, then the page view", async ({ page, site, thirdParties }) => {
  // Without hydration, which the choice starts.
  await page.goto(site.url);
  await bannerOn(page).accept.click();
  await expect.poll(() => thirdParties.calls.length).toBe(12);

  expect(thirdParties.callsOf("gtag")).toEqual([...gtagStart, pageView(site.url, landingPage)]);
  expect(thirdParties.callsOf("fbq")).toEqual([...pixelStart, ["track", "PageView"]]);
  expect(thirdParties.callsOf("beacon")).toEqual([[{ token: BEACON_TOKEN, spa: false }]]);
  expect(thirdParties.callsOf("disabled")).toEqual([[false]]);
  expect(scriptRequests(thirdParties)).toEqual(scriptUrls.toSorted());
});

test("each route change, Back included, sends one page view and loads nothing again", async ({
  page,
  site,
  thirdParties,
}) => {
  needs("roadmap");
  await acceptAll(page, site.url, thirdParties);
  await page.getByRole("banner").getByRole("link", { name: "Roadmap" }).click();
  await expect(page).toHaveTitle(roadmapPage.title);
  await page.getByRole("contentinfo").getByRole("link", { name: "Privacy policy" }).click();
  await expect(page).toHaveTitle(privacyPage.title);
  await page.goBack();
  await expect(page).toHaveTitle(roadmapPage.title);
  // An anchor on the same page is not a page view.
  await page.locator("a[href='#main']").press("Enter");
  await expect(page).toHaveURL(/#main$/);

  await expect
    .poll(() => thirdParties.calls)
    .toEqual([
      ["gtag", ...pageView(site.url, roadmapPage)],
      ["fbq", "track", "PageView"],
      ["gtag", ...pageView(site.url, privacyPage)],
      ["fbq", "track", "PageView"],
      ["gtag", ...pageView(site.url, roadmapPage)],
      ["fbq", "track", "PageView"],
    ]);
  expect(scriptRequests(thirdParties)).toEqual([]);
});

test("a sign-up sends WaitlistSignup with its source to both services, a refused one nothing", async ({
  page,
  site,
  thirdParties,
}) => {
  await acceptAll(page, site.url, thirdParties);
  await signUp(page, "ada@example");
  await expect(page.locator("#join").getByRole("status")).not.toBeEmpty();
  expect(thirdParties.calls).toEqual([]);

  await signUp(page, "tracked@example.com");
  await expect(page.locator("#join").getByRole("status")).toHaveText(JOINED);
  const fields = { event_category: "User", event_action: "Joined Waitlist", event_label: "landing_page" };
  await expect
    .poll(() => thirdParties.calls)
    .toEqual([
      ["gtag", "event", "WaitlistSignup", fields],
      ["fbq", "trackCustom", "WaitlistSignup", fields],
    ]);
  expect(thirdParties.requests.join()).not.toContain("example.com");
});

test("a visit from an advert sends ViewContent with its source to the pixel, once for each page load", async ({
  page,
  site,
  thirdParties,
}) => {
  const tracked = () => thirdParties.callsOf("fbq").filter(([command]) => command === "track");
  const events = () => tracked().map(([, name]) => name);
  await open(page, `${site.url}/?utm_source=${encodeURIComponent("Paid-fb & <more>")}`);
  await bannerOn(page).accept.click();
  await expect.poll(events).toEqual(["PageView", "ViewContent"]);
  const content = { content_name: "Landing Page View", campaign_source: "Paid-fb & <more>", content_type: "website" };
  expect(tracked()[1]).toEqual(["track", "ViewContent", content]);
  await page.getByRole("contentinfo").getByRole("link", { name: "Privacy policy" }).click();
  await expect.poll(events).toEqual(["PageView", "ViewContent", "PageView"]);
  await page.goBack();
  await expect.poll(events).toEqual(["PageView", "ViewContent", "PageView", "PageView"]);
  await page.reload();
  await expect.poll(() => events().slice(4)).toEqual(["PageView", "ViewContent"]);
  expect(thirdParties.callsOf("gtag").flat().join()).not.toContain("ViewContent");
});

test(
  "visits from elsewhere, to other pages or with another campaign send no ViewContent",
  slow,
  async ({ page, site, thirdParties }) => {
    await acceptAll(page, site.url, thirdParties);
    for (const path of ["/?utm_source=newsletter", "/privacy?utm_source=fb_ads", "/?utm_medium=fb"]) {
      thirdParties.calls.length = 0;
      await open(page, site.url + path);
      await expect.poll(() => thirdParties.callsOf("fbq"), path).toEqual([...pixelStart, ["track", "PageView"]]);
    }
  },
);

test("clicks on the survey, on sharing and on support send their events to both services", async ({
  page,
  site,
  thirdParties,
}) => {
  needs("survey", "share", "waysToHelp");
  page.on("dialog", (dialog) => dialog.accept());
  await acceptAll(page, site.url, thirdParties);
  const clicks: [event: string, action: string, control: Locator][] = [
    ["ShareClick", "Clicked Share", page.getByRole("button", { name: /^Share/ })],
    ["SurveyClick", "Clicked Survey", page.locator("[aria-labelledby=ways] a[href='/survey']")],
    ["SupportClick", "Clicked Support", page.locator(`a[href="${SUPPORT_URL}"]`)],
  ];
  for (const [name, action, control] of clicks) {
    if (name === "SupportClick") await open(page, site.url);
    await expect(control).toBeVisible();
    thirdParties.calls.length = 0;
    await control.click();
    const fields = { event_category: "User", event_action: action, event_label: "ways_to_help_section" };
    const sent = () => thirdParties.calls.filter(([, , event]) => event === name);
    await expect.poll(sent).toEqual([
      ["gtag", "event", name, fields],
      ["fbq", "trackCustom", name, fields],
    ]);
  }
  await expect(page).toHaveURL(SUPPORT_URL);
});

test("events from before the tracking code has loaded are sent in order once it has", async ({
  page,
  site,
  thirdParties,
}) => {
  needs("roadmap");
  const release = await holdRequests(page, "**/assets/tags-*.js");
  await open(page, site.url);
  await bannerOn(page).accept.click();
  await page.getByRole("banner").getByRole("link", { name: "Roadmap" }).click();
  await expect(page).toHaveTitle(roadmapPage.title);
  release();
  await expect.poll(() => thirdParties.callsOf("fbq").length).toBe(6);
  const views = [pageView(site.url, landingPage), pageView(site.url, roadmapPage)];
  await expect.poll(() => thirdParties.callsOf("gtag")).toEqual([...gtagStart, ...views]);
});

function pageView(siteUrl: string, { path, title }: PageRecord): [string, string, object] {
  return ["event", "page_view", { page_title: title, page_location: `${siteUrl}${path}`, page_path: path }];
}

function scriptRequests({ requests }: ThirdParties): string[] {
  return requests.filter((request) => scriptUrls.includes(request)).toSorted();
}
