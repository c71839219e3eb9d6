import { type BrowserContext, test as base, expect } from "@playwright/test";
import { recordHydration } from "#scripts/lib/hydrated.ts";
import { type RunningSite, startSite } from "#scripts/lib/running-site.ts";

interface Fixtures {
  site: RunningSite;
  /** Violations of the content security policy so far. Any violation fails the test unless it expects some. */
  cspViolations: string[];
  expectsCspViolations: boolean;
}

interface WorkerFixtures {
  /**
   * Returns what a name stands for, which its first caller starts for all tests of the worker. A worker's own fixture for
   * each kind of site would start another worker and browser wherever the kind changes.
   */
  shared: <T extends { stop(): Promise<void> }>(name: string, start: () => Promise<T>) => Promise<T>;
}

let clients = 0;

/** Playwright's `test` with a site that the tests of a worker share, and a check for CSP violations after each test. */
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
  shared: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads fixture names from this pattern
    async ({}, use) => {
      const started = new Map<string, Promise<{ stop(): Promise<void> }>>();
      await use(<T extends { stop(): Promise<void> }>(name: string, start: () => Promise<T>) => {
        const known = started.get(name) ?? start();
        started.set(name, known);
        return known as Promise<T>;
      });
      const ended = await Promise.allSettled(started.values());
      await Promise.all(ended.map((result) => (result.status === "fulfilled" ? result.value.stop() : undefined)));
    },
    { scope: "worker" },
  ],
  site: [async ({ shared }, use) => use(await shared("site", startSite)), { scope: "test", timeout: 120_000 }],
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
