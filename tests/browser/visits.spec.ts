import { expect, test } from "@playwright/test";
import { type RunningSite, startSite } from "#scripts/lib/running-site.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { slow } from "#tests/support/browser/slow.ts";

needs("visits");

/** Headless Chromium names itself a bot. */
const userAgent =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";

/** The stored counts of all days, by kind and name. */
async function stored(site: RunningSite): Promise<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const { counts } of await site.rows("page_visits")) {
    for (const [kind, names] of Object.entries<Record<string, number>>(JSON.parse(String(counts)))) {
      for (const [name, count] of Object.entries(names)) {
        sums[`${kind} ${name}`] = (sums[`${kind} ${name}`] ?? 0) + count;
      }
    }
  }
  return sums;
}

test("a visit counts once, is stored, and survives a kill", slow, async ({ browser }) => {
  test.setTimeout(120_000);
  const site = await startSite();
  const context = await browser.newContext({ userAgent });
  try {
    const page = await context.newPage();
    await page.goto(`${site.url}/?utm_source=fair&utm_campaign=autumn_fair`);
    const first = { "page /": 1, "utm_source fair": 1, "utm_campaign autumn_fair": 1 };
    await expect.poll(() => stored(site)).toEqual(first);
    // Navigation within the site, and a page that does not exist.
    await page.evaluate(() => location.assign("/privacy"));
    await page.waitForURL(/privacy/);
    await page.goto(`${site.url}/no-such-page`);
    await page.goto(`${site.url}/survey`);
    const both = { ...first, "page /survey": 1 };
    await expect.poll(() => stored(site), { timeout: 60_000 }).toEqual(both);
    await site.kill();
    expect(await stored(site)).toEqual(both);
    expect(await context.cookies()).toEqual([]);
    expect(await context.storageState()).toEqual({ cookies: [], origins: [] });
  } finally {
    await context.close();
    await site.stop();
  }
});
