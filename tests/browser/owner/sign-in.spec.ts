import { expect, type Page } from "@playwright/test";
import { createLocalSignInLink } from "#scripts/lib/local-sign-in.ts";
import { OWNER, startOwnerSite } from "#scripts/lib/owner-site.ts";
import type { RunningSite } from "#scripts/lib/running-site.ts";
import { slow } from "#tests/support/browser/slow.ts";
import { test } from "#tests/support/browser/test.ts";
import { runScript } from "#tests/support/run-script.ts";

const signInField = (page: Page) => page.locator("main input[name=email]");

/** Opens a link, and presses its button. */
async function follow(page: Page, site: RunningSite, link: string | null): Promise<void> {
  await page.goto(link ?? "no link");
  await page.getByRole("main").getByRole("button").click();
  await page.waitForURL(`${site.url}/owner`);
}

test(
  "a link from the command line signs in beside the running site; after signing out, Back shows nothing",
  slow,
  async ({ page, browser, shared }) => {
    const site = await shared("site to sign out of", () => startOwnerSite(0));
    const run = await runScript("owner", ["sign-in", "--persist-to", site.persistTo]);
    expect(run).toMatchObject({ code: 0, err: "" });
    // The test's site reserves no database, so the link has the port of npm start.
    const link = new URL(new URL(run.out.split("\n")[0] ?? "").pathname, site.url).href;
    await page.context().addCookies([{ name: "cookiePreferences", value: "{}", url: site.url }]);
    await follow(page, site, link);
    expect((await page.goto(link))?.status()).toBe(403);

    const laptop = await browser.newPage();
    for (const [path, leave] of [
      ["/owner/entries", "sign-out"],
      ["/owner/log", "sign-out-everywhere"],
    ]) {
      for (const each of [page, laptop]) {
        await follow(each, site, await createLocalSignInLink(site.persistTo, site.url, OWNER));
      }
      await page.goto(site.url + path);
      await page.evaluate(() => {
        for (const key of ["owner-typed:1", "others"]) localStorage.setItem(key, "x");
      });
      await page.locator(`form[action='/owner/${leave}'] button`).click();
      await expect(page.getByRole("heading", { name: "You are signed out" })).toBeVisible();
      // What was typed and not saved goes, too.
      expect(await page.evaluate(() => Object.keys(localStorage))).toEqual(["others"]);
      const kept = (await page.context().cookies()).map(({ name }) => name);
      expect(kept.toSorted()).toEqual(["cookiePreferences", "owner-browser"]);
      await page.goBack();
      await expect(signInField(page)).toBeVisible();
    }
    await laptop.reload();
    await expect(signInField(laptop)).toBeVisible();
    await laptop.close();
  },
);
