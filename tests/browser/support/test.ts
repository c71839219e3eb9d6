import { test as base } from "@playwright/test";
import { type RunningSite, startSite } from "#tests/browser/support/running-site.ts";

interface Fixtures {
  site: RunningSite;
}

/** Playwright's test with a site that the tests of one worker share. */
export const test = base.extend<object, Fixtures>({
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
