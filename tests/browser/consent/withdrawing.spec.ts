import type { BrowserContext } from "@playwright/test";
import {
  acceptAll,
  bannerOn,
  cookieNames,
  expect,
  open,
  savedChoice,
  stopBy,
  test,
} from "#tests/support/browser/consent.ts";

const analyticsCookies = ["_ga", "_ga_TEST12345", "_gat", "_gat_gtag_UA_1", "_gid"];
const marketingCookies = ["_fbc", "_fbp", "_fbp_extra"];
const foreign = ["_garden", "session"];

/** A name with a domain above it that leads to this machine, as every name under .localhost does. */
const HOST = "www.stalls.localhost";

test("withdrawing: Google's switch first, then both are told, then a reload, after which nothing is sent", async ({
  page,
  context,
  site,
  others,
}) => {
  await acceptAll(page, site.url, others);
  await bannerOn(page).settings.click();
  await stopBy(page, bannerOn(page).decline);

  await expect
    .poll(() => others.calls)
    .toEqual([
      ["disabled", true],
      ["gtag", "consent", "update", { analytics_storage: "denied" }],
      ["fbq", "consent", "revoke"],
      // The page behind the reload, with nothing loaded that could look at it.
      ["disabled", true],
    ]);
  expect(others.requests).toEqual([]);
  expect(await savedChoice(context)).toMatchObject({ analytics: false, marketing: false });
  await expect(bannerOn(page).region).toBeHidden();
});

for (const { kept, gone, calls } of [
  {
    kept: "Analytics",
    gone: marketingCookies,
    calls: [
      ["disabled", false],
      ["fbq", "consent", "revoke"],
    ],
  },
  {
    kept: "Marketing",
    gone: analyticsCookies,
    calls: [
      ["disabled", true],
      ["gtag", "consent", "update", { analytics_storage: "denied" }],
    ],
  },
] as const) {
  test(`withdrawing all but ${kept}: only the other's cookies go, and only the other is told`, async ({
    page,
    context,
    site,
    others,
  }) => {
    await acceptAll(page, site.url, others);
    await plant(context, site.url, "localhost");
    const banner = bannerOn(page);
    await banner.settings.click();
    await banner.toggle(kept === "Analytics" ? "Marketing" : "Analytics").uncheck();
    await stopBy(page, banner.acceptSelected);
    expect(others.calls.slice(0, 2)).toEqual(calls);
    const left = await cookieNames(context);
    expect(left.filter((name) => (gone as readonly string[]).includes(name))).toEqual([]);
    expect(left).toEqual(expect.arrayContaining([...foreign, kept === "Analytics" ? "_ga" : "_fbp"]));
  });
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled });

    test("declining removes every name of the list from the host and from the domain above, and no other", async ({
      page,
      context,
      site,
    }) => {
      const url = site.url.replace("localhost", HOST);
      await plant(context, url, HOST);
      await page.goto(url);
      if (javaScriptEnabled) await open(page, url);
      await page.getByRole("button", { name: "Decline All" }).click();
      await expect(bannerOn(page).region).toBeHidden();
      await expect.poll(() => cookieNames(context)).toEqual(["cookiePreferences", ...foreign, ...foreign].toSorted());
    });

    test("consent is withdrawn where it was given: the footer's link brings the banner back", async ({
      page,
      context,
      site,
    }) => {
      await page.goto(`${site.url}/privacy`);
      if (javaScriptEnabled) await open(page, `${site.url}/privacy`);
      await page.getByRole("button", { name: "Accept All" }).click();
      await expect(bannerOn(page).region).toBeHidden();
      await bannerOn(page).settings.click();
      await expect(bannerOn(page).toggle("Marketing")).toBeChecked();
      await stopBy(page, bannerOn(page).decline);
      await expect(bannerOn(page).region).toBeHidden();
      await expect(page).toHaveURL(`${site.url}/privacy`);
      await expect.poll(() => savedChoice(context)).toMatchObject({ analytics: false, marketing: false });
    });
  });
}

test("scripts that are running in another tab stop once that tab is looked at", async ({
  page,
  context,
  site,
  others,
}) => {
  await acceptAll(page, site.url, others);
  const second = await context.newPage();
  await open(second, site.url);
  await bannerOn(second).settings.click();
  await stopBy(second, bannerOn(second).decline);
  others.requests.length = 0;
  const reloadedHere = page.waitForEvent("load");
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await reloadedHere;
  await page.waitForLoadState("networkidle");
  expect(others.requests).toEqual([]);
});

test("a page that the browser had kept from before starts nothing", async ({ page, context, site, others }) => {
  await acceptAll(page, site.url, others);
  const kept = await page.request.get(site.url);
  const old = { status: 200, headers: kept.headers(), body: await kept.body() };
  await page.request.post(`${site.url}/cookie-policy`, { form: { choice: "decline" } });
  expect(await savedChoice(context)).toMatchObject({ analytics: false, marketing: false });
  await page.route(`${site.url}/`, (route) => route.fulfill(old));
  await open(page, site.url);
  expect(others.requests).toEqual([]);
  await bannerOn(page).settings.click();
  await expect(bannerOn(page).toggle("Analytics")).not.toBeChecked();
});

test("a banner that was asked for by its address does not come back once it is answered", async ({
  page,
  context,
  site,
  others,
}) => {
  await acceptAll(page, site.url, others);
  await open(page, `${site.url}/privacy?cookies=settings#consent`);
  await stopBy(page, bannerOn(page).decline);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(bannerOn(page).region).toBeHidden();
  expect(await savedChoice(context)).toMatchObject({ analytics: false, marketing: false });
});

/** Cookies of every name in question, on the host and, where there is one, on the domain above it. */
async function plant(context: BrowserContext, url: string, host: string): Promise<void> {
  const names = [...analyticsCookies, ...marketingCookies, ...foreign];
  const parent = host.split(".").slice(1).join(".");
  await context.addCookies(names.map((name) => ({ name, value: "planted", url })));
  if (parent === "") return;
  await context.addCookies(names.map((name) => ({ name, value: "planted", domain: `.${parent}`, path: "/" })));
}
