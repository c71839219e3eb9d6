import { type BrowserContext, test as base, expect } from "@playwright/test";
import { recordHydration } from "#scripts/lib/hydrated.ts";
import { type RunningSite, startSite } from "#scripts/lib/running-site.ts";

interface Fixtures {
  /** Violations of the content security policy so far. Any violation fails the test unless it expects some. */
  cspViolations: string[];
  expectsCspViolations: boolean;
}

interface WorkerFixtures {
  site: RunningSite;
}

let clients = 0;

/** Playwright's `test` with one site per worker and a check for CSP violations after each test. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  // Give each test its own client address, so that tests do not share a rate limit.
  extraHTTPHeaders: async ({ extraHTTPHeaders }, use) => {
    clients += 1;
    await use({ ...extraHTTPHeaders, "CF-Connecting-IP": `192.0.2.${clients}` });
  },
  expectsCspViolations: [false, { option: true }],
  cspViolations: [
    async ({ context, expectsCspViolations }, use) => {
      const violations = recordCspViolations(context);
      await recordHydration(context);
      await use(violations);
      if (!expectsCspViolations) expect(violations).toEqual([]);
    },
    { auto: true },
  ],
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads fixture names from this pattern
    async ({}, use) => {
      const site = await startSite();
      await use(site);
      await site.stop();
    },
    { scope: "worker", timeout: 90_000 },
  ],
});

/** Chromium logs every violation to the console, whether or not the policy reports it. */
function recordCspViolations(context: BrowserContext): string[] {
  const violations: string[] = [];
  context.on("console", (message) => {
    const text = message.text();
    if (/Content Security Policy|Trusted(HTML|Script|ScriptURL)\b/.test(text)) violations.push(text);
  });
  return violations;
}

export { expect };
