import { expect } from "@playwright/test";
import { paths, schemes } from "#scripts/lib/site-paths.ts";
import { desktop, type EngineBrowser, phone, until } from "#tests/support/engines/engine.ts";
import {
  hydrate,
  parts,
  untilHydrated,
  untilPath,
  untilText,
  untilVisible,
  type Visit,
} from "#tests/support/engines/engine-test.ts";

/** Every route in both schemes, on a phone and a desktop. */
export async function everyPage({ browser, launch, proxy, url }: Visit): Promise<void> {
  for (const scheme of schemes) {
    const schemed = scheme === "light" ? browser : await launch(scheme);
    try {
      for (const size of [phone, desktop]) await everyPageIn(schemed, { scheme, size, url });
    } finally {
      if (schemed !== browser) await schemed.close();
    }
  }
  expect(proxy.recorded).toEqual([]);
}

async function everyPageIn(
  browser: EngineBrowser,
  { scheme, size, url }: { scheme: string; size: typeof phone; url: string },
): Promise<void> {
  await browser.newVisit(size);
  for (const path of paths) {
    await browser.open(url + path);
    await hydrate(browser);
    const page = await browser.evaluate(() => ({
      scheme: matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light",
      width: innerWidth,
      sideways: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      heading: document.querySelector("h1")?.textContent !== "",
    }));
    expect({ path, ...page }).toEqual({ path, scheme, width: size.width, sideways: 0, heading: true });
  }
}

export async function signUp({ browser, site, url, proxy }: Visit): Promise<void> {
  await browser.open(`${url}/?utm_source=fair`);
  await browser.click(parts.decline);
  await browser.type(parts.field, "ada@no-dot");
  await untilHydrated(browser);
  await browser.click(parts.join);
  await untilText(browser, parts.message, "Please enter a valid email address");
  await browser.evaluate((field) => {
    for (const input of document.querySelectorAll<HTMLInputElement>(field)) input.value = "";
  }, parts.field);
  await browser.type(parts.field, "ada@example.com");
  await browser.click(parts.join);
  await untilText(browser, parts.message, "Thanks for joining! Please check your email.");
  const [row] = (await site.rows("waitlist_emails")).filter(({ email }) => email === "ada@example.com");
  expect(row).toMatchObject({ utm_source: "fair" });
  expect(proxy.recorded).toEqual([]);
}

export async function signUpWithoutScripts({ browser, site, url, proxy }: Visit): Promise<void> {
  proxy.withoutScripts = true;
  await browser.open(url);
  await browser.click(parts.decline);
  await untilVisible(browser, parts.banner, false);
  await browser.type(parts.field, "grace@example.com");
  await browser.click(parts.join);
  await untilText(browser, parts.message, "Thanks for joining! Please check your email.");
  expect((await site.rows("waitlist_emails")).map(({ email }) => email)).toContain("grace@example.com");
  await untilVisible(browser, "noscript a[href^='mailto:']");
  // WebKitGTK crashes when a blank page follows one without scripts.
  proxy.withoutScripts = false;
  await browser.open(url);
}

export async function accordion({ browser, url }: Visit): Promise<void> {
  await browser.open(url);
  await browser.click(parts.decline);
  const openGroups = () =>
    browser.evaluate(() =>
      Array.from(document.querySelectorAll<HTMLDetailsElement>("details[name]"), ({ open }) => open),
    );
  expect(await openGroups()).toEqual([false, false, false]);
  await browser.click("details[name]:nth-child(1) > summary");
  await until(openGroups, ([first]) => first === true);
  await browser.click("details[name]:nth-child(2) > summary");
  await until(openGroups, (open) => open.join() === "false,true,false");
  await browser.press("Enter");
  await until(openGroups, (open) => open.join() === "false,false,false");
}

/** The name is not there beside the large logo, nor the button beside the form, if the browser has scroll timelines. */
export async function bar({ browser, url }: Visit): Promise<void> {
  for (const path of ["/", "/privacy"]) {
    await browser.open(url + path);
    // A scroll timeline takes effect with a frame that is drawn after the layout.
    await until(
      () =>
        browser.evaluate(() => ({
          opacities: [".bar-home", ".bar-join"].map((part) => {
            const element = document.querySelector(part);
            return element && getComputedStyle(element).opacity;
          }),
          fades: CSS.supports("timeline-scope: --words"),
        })),
      ({ opacities, fades }) => opacities.join() === (path === "/" ? (fades ? "0,0" : "0,1") : "1,1"),
    );
  }
}

export async function menu({ browser, url }: Visit): Promise<void> {
  await browser.open(url);
  await browser.click(parts.menuButton);
  await untilVisible(browser, parts.menu);
  await browser.press("Escape");
  await untilVisible(browser, parts.menu, false);
  await browser.click(parts.menuButton);
  await browser.click(`${parts.menu} a[href='/roadmap']`);
  await untilPath(browser, "/roadmap");
  await untilVisible(browser, parts.menu, false);
}

/** Tabbing back from the page's end: the focused element is never under the fixed bar. */
export async function tabbingBack({ browser, url }: Visit): Promise<void> {
  await browser.open(url);
  await browser.click(parts.decline);
  await untilVisible(browser, parts.banner, false);
  await browser.evaluate(() => {
    const links = document.querySelectorAll<HTMLElement>("footer a");
    links[links.length - 1]?.focus();
  });
  let isInPage = true;
  let presses = 0;
  for (; isInPage && presses < 40; presses += 1) {
    await browser.press("Shift+Tab");
    // WebKit scrolls to a text field only in a frame after the one that focused it.
    ({ isInPage } = await until(
      () => browser.evaluate(focusedElement),
      (focused) => !focused.isInPage || !focused.isCovered,
    ));
  }
  expect(presses).toBeGreaterThan(10);
}

/** Runs in the page. */
function focusedElement() {
  const { activeElement } = document;
  const bar = document.querySelector("header")?.getBoundingClientRect().bottom ?? 0;
  const { top, bottom, height } = activeElement?.getBoundingClientRect() ?? new DOMRect();
  return {
    html: activeElement?.outerHTML.slice(0, 80) ?? "",
    isInPage: activeElement?.closest("main, footer") != null,
    // WCAG 2.4.11. Firefox does not scroll if any part shows below `scroll-padding-top`, which ends 24 px under the bar.
    isCovered: bottom - Math.max(top, bar) < Math.min(height, 24),
  };
}
