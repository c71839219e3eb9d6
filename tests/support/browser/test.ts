import { type BrowserContext, test as base, expect } from "@playwright/test";
import { recordHydration } from "#scripts/lib/hydrated.ts";
import { type RunningSite, startSite } from "#scripts/lib/running-site.ts";

interface Fixtures {
  /** What the browser refused by a page's content policy; nothing, after every test that does not expect it. */
  refused: string[];
  expectsRefusals: boolean;
}

interface WorkerFixtures {
  site: RunningSite;
}

let clients = 0;

/** Playwright's test with a site that the tests of one worker share, and no violation of a policy in any of them. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  // Every test is a client of its own, or the tests of one minute would use up each other's tries.
  extraHTTPHeaders: async ({ extraHTTPHeaders }, use) => {
    clients += 1;
    await use({ ...extraHTTPHeaders, "CF-Connecting-IP": `192.0.2.${clients}` });
  },
  expectsRefusals: [false, { option: true }],
  refused: [
    async ({ context, expectsRefusals }, use) => {
      const refused = watchRefusals(context);
      await recordHydration(context);
      await use(refused);
      if (!expectsRefusals) expect(refused).toEqual([]);
    },
    { auto: true },
  ],
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

/** Chromium tells every violation in the console, be it reported or not. */
function watchRefusals(context: BrowserContext): string[] {
  const refused: string[] = [];
  context.on("console", (message) => {
    if (/Content Security Policy|Trusted(HTML|Script|ScriptURL)\b/.test(message.text())) refused.push(message.text());
  });
  return refused;
}

export { expect };
