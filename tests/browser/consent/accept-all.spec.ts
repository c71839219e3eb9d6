import type { Page } from "@playwright/test";
import { landingPage } from "#app/pages/landing/page.ts";
import { privacyPage } from "#app/pages/legal/privacy-page.ts";
import { roadmapPage } from "#app/pages/roadmap/page.ts";
import type { PageRecord } from "#app/ui/page-record.ts";
import { acceptAll, bannerOn, expect, JOINED, open, signUp, test } from "#tests/support/browser/consent.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { slow, slowUnless } from "#tests/support/browser/slow.ts";
import {
  BEACON_TOKEN,
  MEASUREMENT_ID,
  PIXEL_ID,
  SUPPORT_URL,
  scriptUrls,
  type ThirdParties,
} from "#tests/support/browser/third-parties.ts";

const denied = {
  ad_storage: "denied",
  ad_user_data: "denied",
  ad_personalization: "denied",
  analytics_storage: "denied",
};

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

test("a choice in the spelling of js-cookie counts in the page, its scripts and its services", async ({
  page,
  site,
  thirdParties,
}) => {
  const saved = "{%22necessary%22:true%2C%22analytics%22:true,%22marketing%22:true}";
  await page.goto(`${site.url}/roadmap`);
  await page.evaluate((value) => {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API would encode the value
    document.cookie = `cookiePreferences=${value}; Path=/`;
    // The document is older than the choice, as one from the browser's history.
    dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
  }, saved);
  await expect(bannerOn(page).region).toBeHidden();
  await expect.poll(() => thirdParties.calls.length).toBe(12);

  thirdParties.calls.length = 0;
  await page.goto(site.url);
  await expect(bannerOn(page).region).toHaveCount(0);
  // Without a press or a focus.
  await expect.poll(() => thirdParties.calls.length).toBe(12);
});

test("a later visit loads the services again without a banner", slow, async ({ page, site, thirdParties }) => {
  needs("roadmap");
  await acceptAll(page, `${site.url}/roadmap`, thirdParties);
  await page.reload();
  await expect.poll(() => thirdParties.calls.length).toBe(12);
  await expect(bannerOn(page).region).toBeHidden();
  expect(thirdParties.callsOf("gtag")).toEqual([...gtagStart, pageView(site.url, roadmapPage)]);
  expect(thirdParties.callsOf("fbq")).toEqual([...pixelStart, ["track", "PageView"]]);
  expect(thirdParties.callsOf("beacon")).toHaveLength(1);
});

test(
  "each route change, Back included, sends one page view and loads nothing again",
  slow,
  async ({ page, site, thirdParties }) => {
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
  },
);

for (const [form, source] of [
  ["join", "landing_page"],
  ["join-help", "ways_to_help_section"],
] as const) {
  test(
    `a sign-up from #${form} sends WaitlistSignup with the label ${source} to both services`,
    slowUnless(form === "join"),
    async ({ page, site, thirdParties }) => {
      await acceptAll(page, site.url, thirdParties);
      await signUp(page, "ada@example", form);
      await expect(page.locator(`#${form}`).getByRole("status")).not.toBeEmpty();
      expect(thirdParties.calls).toEqual([]);

      await signUp(page, `tracked-${form}@example.com`, form);
      await expect(page.locator(`#${form}`).getByRole("status")).toHaveText(JOINED);
      const fields = { event_category: "User", event_action: "Joined Waitlist", event_label: source };
      await expect
        .poll(() => thirdParties.calls)
        .toEqual([
          ["gtag", "event", "WaitlistSignup", fields],
          ["fbq", "trackCustom", "WaitlistSignup", fields],
        ]);
      expect(thirdParties.requests.join()).not.toContain("example.com");
    },
  );
}

for (const source of ["fb_ads", "Paid-fb & <more>"]) {
  test(
    `a visit with utm_source=${source} sends ViewContent with the source unchanged to the pixel`,
    slow,
    async ({ page, site, thirdParties }) => {
      await open(page, `${site.url}/?utm_source=${encodeURIComponent(source)}`);
      await bannerOn(page).accept.click();
      await expect.poll(() => thirdParties.callsOf("fbq").length).toBe(6);
      expect(thirdParties.callsOf("fbq").slice(4)).toEqual([
        ["track", "PageView"],
        [
          "track",
          "ViewContent",
          { content_name: "Landing Page View", campaign_source: source, content_type: "website" },
        ],
      ]);
      await expect.poll(() => thirdParties.callsOf("gtag")).toHaveLength(5);
    },
  );
}

test("ViewContent is sent once for each page load, however often the visitor returns", async ({
  page,
  site,
  thirdParties,
}) => {
  const events = () => thirdParties.callsOf("fbq").flatMap(([command, name]) => (command === "track" ? [name] : []));
  await open(page, `${site.url}/?utm_source=fb`);
  await bannerOn(page).accept.click();
  await expect.poll(events).toEqual(["PageView", "ViewContent"]);
  await page.getByRole("contentinfo").getByRole("link", { name: "Privacy policy" }).click();
  await expect.poll(events).toEqual(["PageView", "ViewContent", "PageView"]);
  await page.goBack();
  await expect.poll(events).toEqual(["PageView", "ViewContent", "PageView", "PageView"]);
  await page.reload();
  await expect.poll(() => events().slice(4)).toEqual(["PageView", "ViewContent"]);
});

for (const path of ["/?utm_source=newsletter", "/roadmap?utm_source=fb_ads", "/?utm_medium=fb"]) {
  test(`a visit to ${path} sends no ViewContent`, slow, async ({ page, site, thirdParties }) => {
    await open(page, `${site.url}${path}`);
    await bannerOn(page).accept.click();
    await expect.poll(() => thirdParties.callsOf("fbq")).toEqual([...pixelStart, ["track", "PageView"]]);
  });
}

for (const { name, action, click } of [
  {
    name: "SurveyClick",
    action: "Clicked Survey",
    click: (page: Page) => page.locator("[aria-labelledby=ways] a[href='/survey']").click(),
  },
  {
    name: "SupportClick",
    action: "Clicked Support",
    click: (page: Page) => page.locator(`a[href="${SUPPORT_URL}"]`).click(),
  },
  {
    name: "ShareClick",
    action: "Clicked Share",
    click: (page: Page) => page.getByRole("button", { name: /^Share/ }).click(),
  },
]) {
  test(`a click sends ${name} to both services`, slow, async ({ page, site, thirdParties }) => {
    page.on("dialog", (dialog) => dialog.accept());
    await acceptAll(page, site.url, thirdParties);
    await click(page);
    const fields = { event_category: "User", event_action: action, event_label: "ways_to_help_section" };
    await expect
      .poll(() => thirdParties.calls.slice(0, 2))
      .toEqual([
        ["gtag", "event", name, fields],
        ["fbq", "trackCustom", name, fields],
      ]);
    if (name === "SupportClick") await expect(page).toHaveURL(SUPPORT_URL);
    expect(thirdParties.calls.filter(([, , event]) => event === name)).toHaveLength(2);
  });
}

test(
  "events from before the tracking code has loaded are sent in order once it has",
  slow,
  async ({ page, site, thirdParties }) => {
    needs("roadmap");
    const held = Promise.withResolvers<void>();
    await page.route("**/assets/tags-*.js", async (route) => {
      await held.promise;
      await route.continue();
    });
    await open(page, site.url);
    await bannerOn(page).accept.click();
    await page.getByRole("banner").getByRole("link", { name: "Roadmap" }).click();
    await expect(page).toHaveTitle(roadmapPage.title);
    held.resolve();
    await expect.poll(() => thirdParties.callsOf("fbq").length).toBe(6);
    const views = [pageView(site.url, landingPage), pageView(site.url, roadmapPage)];
    await expect.poll(() => thirdParties.callsOf("gtag")).toEqual([...gtagStart, ...views]);
  },
);

function pageView(siteUrl: string, { path, title }: PageRecord): [string, string, object] {
  return ["event", "page_view", { page_title: title, page_location: `${siteUrl}${path}`, page_path: path }];
}

function scriptRequests({ requests }: ThirdParties): string[] {
  return requests.filter((request) => scriptUrls.includes(request)).toSorted();
}
