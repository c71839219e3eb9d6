import type { BrowserContext, Route } from "@playwright/test";
import {
  acceptAll,
  bannerOn,
  clickAndReload,
  cookieNames,
  expect,
  open,
  savedChoice,
  test,
} from "#tests/support/browser/consent.ts";
import { untilIdle } from "#tests/support/browser/settled.ts";
import { slow } from "#tests/support/browser/slow.ts";

const analyticsCookies = ["_ga", "_ga_TEST12345", "_gat", "_gat_gtag_UA_1", "_gid"];
const marketingCookies = ["_fbc", "_fbp", "_fbp_extra"];
const unrelated = ["_garden", "session"];

/** A host with a parent domain; every name under .localhost resolves to this machine. */
const HOST = "www.stalls.localhost";

test("withdrawal sets Google's opt-out flag, tells both services, reloads, and sends nothing more", async ({
  page,
  context,
  site,
  thirdParties,
}) => {
  await acceptAll(page, site.url, thirdParties);
  await bannerOn(page).settings.click();
  await clickAndReload(page, bannerOn(page).decline);

  await expect
    .poll(() => thirdParties.calls)
    .toEqual([
      ["disabled", true],
      ["gtag", "consent", "update", { analytics_storage: "denied" }],
      ["fbq", "consent", "revoke"],
    ]);
  expect(thirdParties.requests).toEqual([]);
  await expect.poll(() => savedChoice(context)).toMatchObject({ analytics: false, marketing: false });
  await expect(bannerOn(page).region).toBeHidden();
});

for (const { category, removed, calls } of [
  {
    category: "Analytics",
    removed: marketingCookies,
    calls: [
      ["disabled", false],
      ["fbq", "consent", "revoke"],
    ],
  },
  {
    category: "Marketing",
    removed: analyticsCookies,
    calls: [
      ["disabled", true],
      ["gtag", "consent", "update", { analytics_storage: "denied" }],
    ],
  },
] as const) {
  test(`withdrawing all but ${category} only affects the other category's cookies and service`, async ({
    page,
    context,
    site,
    thirdParties,
  }) => {
    await acceptAll(page, site.url, thirdParties);
    await plant(context, site.url, "localhost");
    const banner = bannerOn(page);
    await banner.settings.click();
    await banner.toggle(category === "Analytics" ? "Marketing" : "Analytics").uncheck();
    await clickAndReload(page, banner.acceptSelected);
    await expect.poll(() => thirdParties.calls.slice(0, 2)).toEqual(calls);
    const isRemoved = (name: string) => (removed as readonly string[]).includes(name);
    await expect.poll(async () => (await cookieNames(context)).filter(isRemoved)).toEqual([]);
    expect(await cookieNames(context)).toEqual(
      expect.arrayContaining([...unrelated, category === "Analytics" ? "_ga" : "_fbp"]),
    );
  });
}

test("declining removes only the listed cookies, from the host and its parent domain", async ({
  page,
  context,
  site,
}) => {
  const url = site.url.replace("localhost", HOST);
  await plant(context, url, HOST);
  await open(page, url);
  await page.getByRole("button", { name: "Decline All" }).click();
  await expect(bannerOn(page).region).toBeHidden();
  await expect.poll(() => cookieNames(context)).toEqual(["cookiePreferences", ...unrelated, ...unrelated].toSorted());
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("consent can be withdrawn in the banner, which the footer link reopens", async ({ page, context, site }) => {
    await page.goto(`${site.url}/privacy`);
    await plant(context, site.url, "localhost");
    await page.getByRole("button", { name: "Accept All" }).click();
    await expect(bannerOn(page).region).toBeHidden();
    await bannerOn(page).settings.click();
    await expect(bannerOn(page).toggle("Marketing")).toBeChecked();
    await clickAndReload(page, bannerOn(page).decline);
    await expect(bannerOn(page).region).toBeHidden();
    await expect(page).toHaveURL(`${site.url}/privacy`);
    await expect.poll(() => savedChoice(context)).toMatchObject({ analytics: false, marketing: false });
    expect(await cookieNames(context)).toEqual(["cookiePreferences", ...unrelated].toSorted());
  });
});

test("withdrawal stops the scripts of another tab once that tab becomes visible", async ({
  page,
  context,
  site,
  thirdParties,
}) => {
  await acceptAll(page, site.url, thirdParties);
  const second = await context.newPage();
  await open(second, site.url);
  await bannerOn(second).settings.click();
  await clickAndReload(second, bannerOn(second).decline);
  thirdParties.requests.length = 0;
  const reloadedHere = page.waitForEvent("load");
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await reloadedHere;
  await page.waitForLoadState("networkidle");
  expect(thirdParties.requests).toEqual([]);
});

for (const isLoaded of [true, false]) {
  const what = `a withdrawal stays on a slow network, where the services have ${isLoaded ? "" : "not yet "}loaded`;
  test(what, isLoaded ? {} : slow, async ({ page, context, site, thirdParties }) => {
    const held = Promise.withResolvers<void>();
    const hold = (route: Route) => held.promise.then(() => route.continue()).catch(() => {});
    await page.route("**/cookie-policy", hold, { times: 1 });
    if (!isLoaded) await page.route("**/assets/tags-*.js", hold);
    await open(page, site.url);
    const banner = bannerOn(page);
    await banner.accept.click();
    if (isLoaded) await expect.poll(() => thirdParties.calls.length).toBe(12);
    await banner.settings.click();
    if (isLoaded) await clickAndReload(page, banner.decline);
    else await banner.decline.click();
    thirdParties.requests.length = 0;
    const loaded = isLoaded ? null : page.waitForResponse("**/assets/tags-*.js");
    held.resolve();
    // A second import waits for the page's own.
    await page.evaluate((url) => url && import(url), (await loaded)?.url());
    await untilIdle(page);
    await open(page, site.url);
    expect(thirdParties.requests).toEqual([]);
    expect(await savedChoice(context)).toMatchObject({ analytics: false, marketing: false });
  });
}

test("a page cached before the withdrawal starts no services", async ({ page, context, site, thirdParties }) => {
  await acceptAll(page, site.url, thirdParties);
  const response = await page.request.get(site.url);
  const cached = { status: 200, headers: response.headers(), body: await response.body() };
  await page.request.post(`${site.url}/cookie-policy`, { form: { choice: "decline" } });
  await expect.poll(() => savedChoice(context)).toMatchObject({ analytics: false, marketing: false });
  await page.route(`${site.url}/`, (route) => route.fulfill(cached));
  await open(page, site.url);
  expect(thirdParties.requests).toEqual([]);
  await bannerOn(page).settings.click();
  await expect(bannerOn(page).toggle("Analytics")).not.toBeChecked();
});

/** Sets all these cookies on the host and on its parent domain, if it has one. */
async function plant(context: BrowserContext, url: string, host: string): Promise<void> {
  const names = [...analyticsCookies, ...marketingCookies, ...unrelated];
  const parent = host.split(".").slice(1).join(".");
  await context.addCookies(names.map((name) => ({ name, value: "planted", url })));
  if (parent === "") return;
  await context.addCookies(names.map((name) => ({ name, value: "planted", domain: `.${parent}`, path: "/" })));
}
