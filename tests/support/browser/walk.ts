import type { Page, Response } from "@playwright/test";
import { htmlProblems } from "#tests/support/browser/html.ts";
import {
  clippedTexts,
  overlappingTexts,
  placeholderRoom,
  sidewaysScroll,
  smallTargets,
  unreachableControls,
  violations,
} from "#tests/support/browser/measure.ts";
import { expect } from "#tests/support/browser/test.ts";

/**
 * A page in a state. How to use it, in a table of states:
 *
 *     const states: PageState[] = [
 *       { name: "the log", path: "/owner/log" },
 *       { name: "the list, filters open", path: "/owner/entries", enter: (page) => page.locator("summary").first().click() },
 *     ];
 *     for (const state of states)
 *       test(`${state.name} is sound`, async ({ page, site }) => expectSound(page, state, site.url));
 *
 * A state whose address is known only in the test: `expectSound(page, { ...state, path: link }, site.url)`.
 */
export interface PageState {
  name: string;
  /** On the site, or a whole address. */
  path: string;
  /** Brings the open page into its state, such as by clicks. Without it, the page is looked at as it opens. */
  enter?: (page: Page) => Promise<unknown>;
  /** The widest screen that has the state (CSS pixels), such as a menu of narrow ones. Default: the widest of all. */
  upTo?: number;
  /** Little more than another state has: only the nightly tests look at it. */
  isVariant?: boolean;
  /** Has thousands of elements, which axe looks at one by one: its test may take three times as long. */
  isLong?: boolean;
  /** Errors in the console that belong to the state, such as a refused request. That of the page's own status is known. */
  expectedErrors?: RegExp;
}

/** Screens, whose height matters for what stands fixed on them (CSS pixels). The last is 1280 px at 400 % (WCAG 2.2, 1.4.10). */
const screens = [
  { width: 320, height: 568, textSizes: [100, 200] },
  { width: 360, height: 640, textSizes: [100] },
  { width: 768, height: 1024, textSizes: [100, 200] },
  { width: 1280, height: 800, textSizes: [100, 200] },
  { width: 1920, height: 1080, textSizes: [100] },
  { width: 320, height: 256, textSizes: [100] },
];

/** From this width on, targets may have the size for a mouse (CSS pixels). */
const MOUSE_FROM = 768;

/**
 * Opens a page once, brings it into its state, and expects everything that holds for any page: valid HTML, no errors in
 * the console, axe content, contrast in both schemes, and on each screen, with text at 100 and mostly at 200 %, nothing that
 * sticks out, is cut off, overlaps or is covered, and controls large enough to press.
 */
export async function expectSound(page: Page, state: PageState, origin: string): Promise<void> {
  // A transition between two pages is aborted with an error where motion is reduced in between.
  await page.goto("about:blank");
  const errors = recordErrors(page, state.expectedErrors);
  const served = recordDocument(page);
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await page.setViewportSize({ width: 360, height: 640 });
  await page.goto(new URL(state.path, origin).href);
  await state.enter?.(page);
  await page.evaluate(() => void document.fonts.ready);

  const faults = (await htmlProblems((await served()) ?? (await page.content()))).map((fault) => `HTML: ${fault}`);
  // axe is a script. Colours change no sizes, and the width no contrast.
  const runsScripts = await page.evaluate(() => !matchMedia("(scripting: none)").matches);
  if (runsScripts) faults.push(...(await violations(page)).map((fault) => `light, 360 px: ${fault}`));
  const setTextSize = await textSizeOf(page);
  for (const screen of screens.filter(({ width }) => width <= (state.upTo ?? width))) {
    await page.setViewportSize(screen);
    for (const size of screen.textSizes) {
      await setTextSize(size);
      const where = `${screen.width} × ${screen.height} px, text at ${size} %`;
      faults.push(...(await layoutFaults(page, screen, size)).map((fault) => `${where}: ${fault}`));
    }
  }
  await setTextSize(100);
  if (runsScripts) {
    await page.emulateMedia({ colorScheme: "dark" });
    await page.setViewportSize({ width: Math.min(1280, state.upTo ?? 1280), height: 800 });
    faults.push(...(await violations(page, ["color-contrast"])).map((fault) => `dark: ${fault}`));
  }
  expect([...faults, ...errors], state.name).toEqual([]);
}

async function layoutFaults(
  page: Page,
  { width, height }: { width: number; height: number },
  size: number,
): Promise<string[]> {
  const [sideways, small, clipped, overlaps, room, covered] = await Promise.all([
    sidewaysScroll(page),
    smallTargets(page, width < MOUSE_FROM ? 44 : 36),
    clippedTexts(page),
    overlappingTexts(page),
    placeholderRoom(page),
    unreachableControls(page),
  ]);
  const faults = [
    ...(sideways === 0 ? [] : [`scrolls sideways by ${sideways} px`]),
    ...small.map((control) => `too small: ${control}`),
    // Of the header, the menu is for screen readers only, and so is the name where there is no room for it.
    ...clipped.filter((text) => !text.includes('class="bar-')).map((text) => `cut off: ${text}`),
    ...overlaps.map((texts) => `overlap: ${texts}`),
    ...(room < 0 ? [`a placeholder is ${-room} px too long`] : []),
  ];
  // On a screen this low with large text, what stands fixed scrolls inside of itself.
  const isTooLow = height < 300 || size > 100;
  return isTooLow ? faults : [...faults, ...covered.map((control) => `covered: ${control}`)];
}

/** Sets the text size in the settings of the browser, in per cent. */
export async function textSizeOf(page: Page): Promise<(percent: number) => Promise<unknown>> {
  const session = await page.context().newCDPSession(page);
  return (percent) => session.send("Page.setFontSizes", { fontSizes: { standard: 0.16 * percent } });
}

function recordErrors(page: Page, expected?: RegExp): string[] {
  const errors: string[] = [];
  page.on("pageerror", ({ message }) => errors.push(`error: ${message}`));
  page.on("console", (message) => {
    const isOwnStatus = /^Failed to load resource/.test(message.text()) && message.location().url === page.url();
    if (message.type() !== "error" || isOwnStatus || expected?.test(message.text())) return;
    errors.push(`console: ${message.text()} (${message.location().url})`);
  });
  return errors;
}

/** The HTML that the server sent last, as validators see it. */
function recordDocument(page: Page): () => Promise<string | undefined> {
  let last: Response | undefined;
  page.on("response", (response) => {
    const request = response.request();
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) last = response;
  });
  return async () => last?.text();
}
