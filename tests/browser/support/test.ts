import { test as base } from "@playwright/test";
import { type RunningSite, startSite } from "#tests/browser/support/running-site.ts";

interface Fixtures {
  site: RunningSite;
}

let clients = 0;

/** Playwright's test with a site that the tests of one worker share. */
export const test = base.extend<object, Fixtures>({
  // Every test is a client of its own, or the tests of one minute would use up each other's tries.
  extraHTTPHeaders: async ({ extraHTTPHeaders }, use) => {
    clients += 1;
    await use({ ...extraHTTPHeaders, "CF-Connecting-IP": `192.0.2.${clients}` });
  },
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from this pattern
    async ({}, use) => {
      const site = await startSite();
      await use(site);
      await site.stop();
    },
    { scope: "worker", timeout: 90_000 },
  ],
});

export { expect } from "@playwright/test";
