import { expect } from "@playwright/test";
import { emailedLink, OWNER } from "#scripts/lib/owner-site.ts";
import { untilPath, untilText, type Visit } from "#tests/support/engines/engine-test.ts";

export async function ownerSignIn({ browser, site, url }: Visit): Promise<void> {
  await browser.open(`${url}/owner`);
  await browser.type("main input[name=email]", OWNER);
  await browser.click("main button");
  await untilPath(browser, "/owner/sign-in");
  await browser.open(await emailedLink(site));
  await browser.click("main button");
  await untilPath(browser, "/owner");
  // The session lasts: this page shows it only to the owner.
  await browser.open(`${url}/owner`);
  await untilText(browser, "header", "Entries");
  expect(await browser.evaluate(() => document.cookie)).not.toContain("owner");
}
