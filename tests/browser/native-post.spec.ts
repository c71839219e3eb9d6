import { chromium, type Page } from "@playwright/test";
import { CHROMIUM_FLAGS, requireChromium } from "#scripts/lib/chromium.ts";
import { holdScripts } from "#tests/support/browser/hydration-control.ts";
import { formOn } from "#tests/support/browser/sign-up-form.ts";
import { expect, test } from "#tests/support/browser/test.ts";

/* A form that is sent before hydration looks as one that is sent after it. */

test("while a native post is under way, the button shows a spinner and 'Joining...'", async ({ page, site }) => {
  await holdScripts(page);
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(`${site.url}/`, async (route) => {
    if (route.request().method() === "POST") await promise;
    await route.continue();
  });
  await page.goto(site.url);
  const shown = page.waitForEvent("console", (line) => line.text().startsWith("{"));
  await page.evaluate(logBusyButton);
  await formOn(page).submit("native-post@example.com");
  const look = JSON.parse((await shown).text());
  resolve();
  expect(look).toEqual({ words: '"Joining..."', visibleWords: "0px", spinner: true, disabled: "true" });
  await expect(formOn(page).message).toHaveText("Thanks for joining! Please check your email.");
});

test("a page from the back/forward cache has an idle button again", async ({ site }) => {
  // Playwright turns the cache off.
  const browser = await chromium.launch({
    executablePath: await requireChromium(),
    args: CHROMIUM_FLAGS,
    ignoreDefaultArgs: ["--disable-back-forward-cache"],
  });
  try {
    const page = await browser.newPage({ extraHTTPHeaders: { "CF-Connecting-IP": "198.51.100.7" } });
    await page.goto(`${site.url}/?utm_source=fair`);
    await page.evaluate(() => {
      addEventListener("pageshow", ({ persisted }) => Object.assign(window, { isRestored: persisted }));
      document.querySelector("#join")?.removeAttribute("data-hydrate");
      document.querySelector<HTMLInputElement>("#join input")?.removeAttribute("data-hydrate");
    });
    await formOn(page).submit("bfcache@example.com");
    await expect(formOn(page).message).toHaveText("Thanks for joining! Please check your email.");
    await page.goBack();
    await page.waitForFunction(() => "isRestored" in window && window.isRestored === true);
    await expect(page.locator("[data-busy], [aria-disabled]")).toHaveCount(0);
    await expect(formOn(page).button).toBeEnabled();
  } finally {
    await browser.close();
  }
});

/** Logs how the form's button looks as soon as it is busy. In the page, because Playwright waits for the next document. */
function logBusyButton(): void {
  const button = document.querySelector("#join button") as HTMLElement;
  requestAnimationFrame(function check() {
    if (!button.hasAttribute("data-busy")) return void requestAnimationFrame(check);
    const spinner = getComputedStyle(button, "::before");
    const look = {
      words: getComputedStyle(button, "::after").content,
      visibleWords: getComputedStyle(button).fontSize,
      spinner: Number.parseFloat(spinner.width) > 10 && spinner.borderRightColor === "rgba(0, 0, 0, 0)",
      disabled: button.getAttribute("aria-disabled"),
    };
    console.log(JSON.stringify(look));
  });
}
