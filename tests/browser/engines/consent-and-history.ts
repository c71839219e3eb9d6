import { expect } from "@playwright/test";
import { desktop, type EngineBrowser, until } from "#tests/support/engines/engine.ts";
import {
  parts,
  untilHydrated,
  untilPath,
  untilText,
  untilVisible,
  type Visit,
} from "#tests/support/engines/engine-test.ts";

export async function bannerAndCookie({ browser, url }: Visit): Promise<void> {
  await browser.open(url);
  await untilVisible(browser, parts.banner);
  await browser.click(parts.decline);
  await untilVisible(browser, parts.banner, false);
  await untilSaved(browser, { analytics: false, marketing: false });
  await browser.open(`${url}/privacy`);
  await untilVisible(browser, parts.banner, false);
  await browser.newVisit(desktop);
  await browser.open(url);
  await browser.click(parts.categories);
  await browser.click("#consent-analytics");
  await browser.click(parts.selected);
  await untilVisible(browser, parts.banner, false);
  await untilSaved(browser, { analytics: true, marketing: false });
}

/** A choice made on another page holds on the page that Back shows, which the browser may have kept as it was. */
export async function backAfterChoice({ browser, url }: Visit): Promise<void> {
  await browser.open(url);
  await untilVisible(browser, parts.banner);
  await browser.open(`${url}/privacy`);
  await browser.click(parts.decline);
  await untilSaved(browser, { analytics: false, marketing: false });
  await browser.back();
  await untilPath(browser, "/");
  await untilVisible(browser, parts.banner, false);
}

export async function backAndForward({ browser, url }: Visit): Promise<void> {
  await browser.open(url);
  await browser.click(parts.decline);
  await browser.click("main a[href='/roadmap']");
  await untilPath(browser, "/roadmap");
  await untilText(browser, "h1", "oadmap");
  await browser.back();
  await untilPath(browser, "/");
  // Back where the link was.
  await until(
    () => browser.evaluate(() => scrollY),
    (top) => top > 200,
  );
  await browser.forward();
  await untilText(browser, "h1", "oadmap");
}

/** The link is copied, or shown where the browser refuses that. */
export async function share({ browser, url, proxy }: Visit): Promise<void> {
  await browser.open(url);
  await browser.click(parts.decline);
  await browser.click(parts.share);
  await untilShared({ browser, proxy });
}

export async function pressBeforeHydration({ browser, url, proxy }: Visit): Promise<void> {
  const release = proxy.holdScripts();
  await browser.open(url);
  await browser.type(parts.field, "typed@example.com");
  await browser.click(parts.decline);
  await browser.click(parts.share);
  release();
  await untilHydrated(browser);
  await untilVisible(browser, parts.banner, false);
  await untilSaved(browser, { analytics: false, marketing: false });
  await untilShared({ browser, proxy });
  const typed = await browser.evaluate(
    () => document.querySelector<HTMLInputElement>("#join input[name=email]")?.value,
  );
  expect(typed).toBe("typed@example.com");
}

function untilShared({ browser, proxy }: Pick<Visit, "browser" | "proxy">): Promise<unknown> {
  const shown = () => browser.evaluate(() => document.querySelector(".share input") !== null);
  return until(
    async () => (await shown()) || proxy.recorded.some((line) => line.endsWith("alert Link copied to clipboard!")),
    (isShared) => isShared,
  );
}

function untilSaved(browser: EngineBrowser, choice: object): Promise<unknown> {
  return until(
    () => browser.evaluate(() => decodeURIComponent(document.cookie)),
    (cookies) => {
      const [, value = "{}"] = /cookiePreferences=([^;]*)/.exec(cookies) ?? [];
      return Object.entries(choice).every(([category, isOn]) => JSON.parse(value)[category] === isOn);
    },
  );
}
