import { setTimeout } from "node:timers/promises";
import { type BrowserContext, test as base, expect, type Route } from "@playwright/test";
import { recordHydration } from "#scripts/lib/hydrated.ts";
import { type RunningSite, startSite } from "#scripts/lib/running-site.ts";

interface Fixtures {
  site: RunningSite;
  /** Violations of the content security policy so far. Any violation fails the test unless it expects some. */
  cspViolations: string[];
  expectsCspViolations: boolean;
}

interface Stoppable {
  stop(): Promise<void>;
}

/**
 * Returns the site of a name, which the first test that asks for it starts for all tests of the worker. With a worker
 * fixture for each kind of site, Playwright would start another worker and browser wherever the kind changes.
 */
export type Shared = <Site extends Stoppable>(name: string, start: () => Promise<Site>) => Promise<Site>;

interface WorkerFixtures {
  shared: Shared;
}

let clients = 0;

/** By how many milliseconds each post of a page is held back. */
const postDelay = Number(process.env["POST_DELAY"] ?? 0);

/** Playwright's `test` with a site that the tests of a worker share, and a check for CSP violations after each test. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  // Give each test its own client address, so that tests do not share a rate limit.
  extraHTTPHeaders: async ({ extraHTTPHeaders }, use) => {
    clients += 1;
    await use({ ...extraHTTPHeaders, "CF-Connecting-IP": `192.0.2.${clients}` });
  },
  context: async ({ context }, use) => {
    if (postDelay > 0) await context.route("**", holdPost);
    await use(context);
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
      const started = new Map<string, Promise<Stoppable>>();
      await use(<Site extends Stoppable>(name: string, start: () => Promise<Site>) => {
        const site = started.get(name) ?? start();
        started.set(name, site);
        return site as Promise<Site>;
      });
      for (const result of await Promise.allSettled(started.values())) {
        if (result.status === "fulfilled") await result.value.stop();
      }
    },
    { scope: "worker" },
  ],
  site: [async ({ shared }, use) => use(await shared("site", startSite)), { scope: "test", timeout: 120_000 }],
});

async function holdPost(route: Route): Promise<void> {
  if (route.request().method() === "POST") await setTimeout(postDelay);
  // The page may have gone meanwhile.
  await route.fallback().catch(() => {});
}

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
