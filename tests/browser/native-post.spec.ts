import { formOn } from "#tests/support/browser/sign-up-form.ts";
import { expect, test } from "#tests/support/browser/test.ts";

test("while a native post is under way, the button shows 'Joining...' as after hydration, until the page is shown again", async ({
  page,
  site,
}) => {
  await page.route("**/assets/*.js", (route) => route.abort());
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(`${site.url}/`, async (route) => {
    if (route.request().method() === "POST") await promise;
    await route.continue();
  });
  await page.goto(site.url);
  const shown = page.waitForEvent("console", (line) => line.text().startsWith("{"));
  await page.evaluate(logBusyButton);
  const submitted = formOn(page).submit("native-post@example.com");
  const look = JSON.parse((await shown).text());
  resolve();
  await submitted;
  expect(look).toEqual({ words: '"Joining..."', visibleWords: "0px", spinner: true, laterBusy: 0 });
  await expect(formOn(page).message).toHaveText("Thanks for joining! Please check your email.");
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
    };
    // Playwright's Chromium has no back/forward cache.
    dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
    const laterBusy = document.querySelectorAll("[data-busy]").length;
    console.log(JSON.stringify({ ...look, laterBusy }));
  });
}
