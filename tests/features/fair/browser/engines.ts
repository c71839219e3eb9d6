import { expect } from "@playwright/test";
import { fair } from "#app/switches.ts";
import { addFairDevice } from "#tests/features/fair/browser/fair.ts";
import { until } from "#tests/support/engines/engine.ts";
import { type Journey, untilText, untilVisible, type Visit } from "#tests/support/engines/engine-test.ts";

/** A tablet is set up, signs two people up, and asks about a misspelt domain. */
async function signUpAtFair({ browser, site, url }: Visit): Promise<void> {
  await browser.open(`${url}/fair#${await addFairDevice(site)}`);
  await untilVisible(browser, "#entry");
  expect(await browser.evaluate(() => location.hash)).toBe("");
  await browser.type("#email", "fair-one@example.com");
  await browser.click("#form [type=submit]");
  await untilVisible(browser, "#thanks");
  // A second tap on the same place must not end the thanks, so the first moments do not count.
  await until(
    async () => {
      await browser.click("#thanks .button").catch(() => {});
      return browser.evaluate(() => document.getElementById("entry")?.hidden);
    },
    (isHidden) => isHidden === false,
  );
  expect(await browser.evaluate(() => document.querySelector("input")?.value)).toBe("");
  await browser.type("#email", "fair-two@gmial.com");
  await browser.click("#form [type=submit]");
  await untilText(browser, "#suggested", "fair-two@gmail.com");
  await browser.click("#use-suggestion");
  await untilVisible(browser, "#thanks");
  await until(
    async () => Number((await site.rows("fair_devices")).at(-1)?.["received"]),
    (received) => received === 2,
  );
  await untilText(browser, "#backlog", "All sent");
}

/** What `tests/browser/engines` tests in each engine, if the feature is switched on. */
export const journeys: Journey[] = fair ? [["sign-up at a fair", signUpAtFair]] : [];
