import type { Page } from "@playwright/test";
import { type RunningSite, startSite } from "#scripts/lib/running-site.ts";

export const OWNER = "owner@waitlist-site.example";
export const OWNER_TIME_ZONE = "Europe/London";

/** Starts a site with an owner, or several, and a number of entries. */
export function startOwnerSite(entries: number, vars: Record<string, string> = {}): Promise<RunningSite> {
  return startSite({ entries, vars: { OWNER_EMAIL: OWNER, OWNER_TIME_ZONE, ...vars } });
}

/** Signs in as the owner: requests the link, opens it from the email and presses its button. */
export async function signIn(page: Page, site: RunningSite): Promise<void> {
  await page.goto(`${site.url}/owner`);
  await page.locator("main input[name=email]").fill(OWNER);
  await page.locator("main button").click();
  await page.waitForURL(`${site.url}/owner/sign-in`);
  await page.goto(await emailedLink(site));
  await page.locator("main button").click();
  await page.waitForURL(`${site.url}/owner`);
}

/** The sign-in link in the newest email to the owner. */
async function emailedLink(site: RunningSite): Promise<string> {
  const { text } = await site.emailTo(OWNER);
  return /\S+\/owner\/sign-in\/\S+/.exec(text)?.[0] ?? "no link";
}
