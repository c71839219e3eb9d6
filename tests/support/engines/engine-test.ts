import { expect, test } from "@playwright/test";
import { pressButton } from "#scripts/lib/hydrated.ts";
import { type Engine, type EngineBrowser, phone, type Scheme, until } from "#tests/support/engines/engine.ts";
import { type ProxiedSite, startProxiedSite } from "#tests/support/engines/proxied-site.ts";

/** What each test of an engine gets: a visit without cookies, on a phone, to a site of its own. */
export interface Visit extends ProxiedSite {
  browser: EngineBrowser;
  engine: Engine;
  launch(scheme: Scheme): Promise<EngineBrowser>;
}

/** @param breaks the test breaks the application, which tries to rebuild inline scripts and so violates the policy */
type Define = (title: string, body: (visit: Visit) => Promise<void>, breaks?: "breaks scripts") => void;

/** Runs tests in one engine, or skips them all where it is not installed. @param part when they run */
/** A test that a feature adds. */
export type Journey = [name: string, body: (visit: Visit) => Promise<void>];

export function describeEngine(engine: Engine, part: { tag: string }, define: (test: Define) => void): void {
  test.describe(engine.name, part, () => {
    test.skip(engine.missing() !== null, engine.missing() ?? "");
    let visit: Visit;

    test.beforeAll(async () => {
      test.setTimeout(120_000);
      const [site, browser] = await Promise.all([startProxiedSite(), engine.launch("light")]);
      visit = { ...site, browser, engine, launch: (scheme) => engine.launch(scheme) };
    });

    test.afterAll(async () => {
      await visit?.browser.close();
      await visit?.stop();
    });

    define((title, body, breaks) =>
      test(title, async () => {
        await visit.browser.newVisit(phone);
        visit.proxy.reset();
        const earlier = visit.site.logged("csp-violation").length;
        await body(visit);
        if (breaks === undefined) expect(visit.site.logged("csp-violation").slice(earlier)).toEqual([]);
      }));
  });
}

export function untilHydrated(browser: EngineBrowser): Promise<unknown> {
  return until(
    () => browser.evaluate(() => window.isHydrated === true),
    (isHydrated) => isHydrated,
  );
}

/** Waits until an element is visible, or is not. */
export function untilVisible(browser: EngineBrowser, selector: string, expected = true): Promise<unknown> {
  return until(
    () =>
      browser.evaluate((query) => {
        const box = document.querySelector(query)?.getBoundingClientRect();
        return box !== undefined && box.width > 0 && box.height > 0;
      }, selector),
    (isVisible) => isVisible === expected,
  );
}

export function untilText(browser: EngineBrowser, selector: string, text: string): Promise<unknown> {
  return until(
    () => browser.evaluate((query) => document.querySelector(query)?.textContent ?? "", selector),
    (found) => found.includes(text),
  );
}

export function untilPath(browser: EngineBrowser, path: string): Promise<unknown> {
  return until(
    () => browser.evaluate(() => location.pathname),
    (found) => found === path,
  );
}

/** Parts of the site, by what they are rather than how they look. */
export const parts = {
  banner: "[aria-label='Cookie preferences']",
  categories: "[aria-label='Cookie preferences'] summary",
  decline: "button[value=decline]",
  selected: "button[value=selected]",
  field: "#join input[name=email]",
  join: "#join button",
  message: "#join [role=status]",
  menuButton: "button[popovertarget]",
  menu: "#menu",
  share: ".share > button",
} as const;

/** Starts hydration as a press on a script-only button does, and waits for it. */
export async function hydrate(browser: EngineBrowser): Promise<void> {
  await browser.evaluate(pressButton);
  await untilHydrated(browser);
}
