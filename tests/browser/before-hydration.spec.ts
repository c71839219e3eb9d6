import { hydrate, untilHydrated } from "#scripts/lib/hydrated.ts";
import { bannerOn, savedChoice } from "#tests/support/browser/consent.ts";
import { holdScripts, openHeld } from "#tests/support/browser/hydration-control.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { untilDrawn } from "#tests/support/browser/settled.ts";
import { formOn, REFUSED_BY_SERVER } from "#tests/support/browser/sign-up-form.ts";
import { expect, test } from "#tests/support/browser/test.ts";

/* Hydration must not undo or lose what the visitor does before it. */

test("hydration keeps the scroll position, even if the browser restored another one", async ({ page, site }) => {
  await page.goto(site.url);
  await hydrate(page);
  await page.evaluate(() => scrollTo(0, 600));
  const release = await holdScripts(page);
  await page.reload();
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(600);
  await page.evaluate(() => scrollTo(0, 1500));
  release();
  await hydrate(page);
  await untilDrawn(page);
  expect(await page.evaluate(() => scrollY)).toBe(1500);
});

test("the cookie choice is saved at once, without hydration or a page load", async ({ page, context, site }) => {
  const { form } = await openHeld(page, site.url);
  await page.evaluate(() => Object.assign(window, { isSameDocument: true }));
  await form.email.fill("typed@example.com");
  await bannerOn(page).accept.click();
  await expect(bannerOn(page).region).toBeHidden();
  await expect(page.locator("a[href='#consent']")).toBeHidden();
  await expect(form.email).toHaveValue("typed@example.com");
  expect(await page.evaluate(() => "isSameDocument" in window)).toBe(true);
  await expect.poll(() => savedChoice(context)).toMatchObject({ analytics: true, marketing: true });
});

test("a page from the back/forward cache does not ask again", async ({ page, site }) => {
  needs("roadmap");
  await page.goto(`${site.url}/roadmap`);
  await expect(bannerOn(page).region).toBeVisible();
  await page.getByRole("contentinfo").getByRole("link", { name: "Privacy policy" }).click();
  await expect(page).toHaveURL(`${site.url}/privacy`);
  await bannerOn(page).decline.click();
  await page.goBack();
  await expect(page).toHaveURL(`${site.url}/roadmap`);
  await expect(bannerOn(page).region).toBeHidden();
});

test("Join Waitlist scrolls to the form and keeps the campaign and typed text", async ({ page, site }) => {
  const { form } = await openHeld(page, `${site.url}/?utm_source=fair&utm_medium=poster`);
  await page.evaluate(() => Object.assign(window, { isSameDocument: true }));
  await form.email.fill("campaign@example.com");
  await page.evaluate(() => scrollTo(0, 3000));
  await page.getByRole("banner").getByRole("link", { name: "Join Waitlist" }).click();
  await expect(page).toHaveURL(`${site.url}/?utm_source=fair&utm_medium=poster#join`);
  expect(await page.evaluate(() => "isSameDocument" in window)).toBe(true);
  await expect(form.email).toHaveValue("campaign@example.com");
  await form.button.click();
  await expect(form.message).toHaveText("Thanks for joining! Please check your email.");
  const [row] = (await site.rows("waitlist_emails")).filter(({ email }) => email === "campaign@example.com");
  expect(row).toMatchObject({ utm_source: "fair", utm_medium: "poster" });
});

for (const [what, change] of [
  [
    "an extension added an element to",
    (form: Element) => form.querySelector("input")?.after(document.createElement("i")),
  ],
  ["a translation changed", (form: Element) => form.querySelector("label")?.replaceChildren("Ihre Adresse")],
] as const) {
  test(`a form that ${what} keeps its focus and text, and works`, async ({ page, site }) => {
    const errors: string[] = [];
    page.on("pageerror", ({ message }) => errors.push(message));
    const { release, form } = await openHeld(page, site.url);
    const address = `${what.split(" ")[1]}@example.com`;
    await form.email.fill(address);
    await page.locator("#join").evaluate(change);
    release();
    await untilHydrated(page);
    await expect(form.email).toHaveValue(address);
    await expect(form.email).toBeFocused();
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await form.button.click();
    await expect(form.message).toHaveText("Thanks for joining! Please check your email.");
    // React reports that it rendered the page again; there are no other errors.
    expect(errors.filter((message) => !/Minified React error #418/.test(message))).toEqual([]);
  });
}

test("clicks on two buttons of a changed page both take effect", async ({ page, context, site }) => {
  needs("share", "waysToHelp");
  await page.addInitScript(() => {
    Object.assign(navigator, { share: async () => Object.assign(window, { isShared: true }) });
  });
  const release = await holdScripts(page);
  await page.goto(site.url);
  await page.evaluate(() => Object.assign(window, { isSameDocument: true }));
  await page.locator("#join .sign-up-label").evaluate((label) => label.replaceChildren("Ihre Adresse"));
  await bannerOn(page).decline.click();
  await page.getByRole("button", { name: "Share" }).click();
  release();
  await expect(bannerOn(page).region).toBeHidden();
  await page.waitForFunction(() => "isShared" in window);
  await expect.poll(() => savedChoice(context)).toMatchObject({ analytics: false, marketing: false });
  expect(await page.evaluate(() => "isSameDocument" in window)).toBe(true);
});

test("a rejected address stays in its field after a link to the same page", async ({ page, site }) => {
  const { release, form } = await openHeld(page, site.url);
  await form.email.fill(REFUSED_BY_SERVER);
  await form.button.click();
  await expect(form.message).not.toHaveText("");
  release();
  await untilHydrated(page);
  await page.evaluate(() => scrollTo(0, 3000));
  await page.getByRole("banner").getByRole("link", { name: "Join Waitlist" }).click();
  await page.waitForFunction(() => window.__reactRouterDataRouter.state.actionData === null);
  await untilDrawn(page);
  await expect(form.email).toHaveValue(REFUSED_BY_SERVER);
});

test("a form is sent once if its button is clicked twice", async ({ page, site }) => {
  await page.route("**/assets/*.js", (route) => route.abort());
  const posts: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(`${site.url}/`, async (route) => {
    if (route.request().method() === "POST") {
      posts.push(route.request().url());
      await promise;
    }
    await route.continue();
  });
  await page.goto(site.url);
  const form = formOn(page);
  await form.email.fill("twice@example.com");
  const clickedTwice = page.waitForEvent("console", (message) => message.text() === "clicked twice");
  await page.evaluate(() => {
    const button = document.querySelector<HTMLElement>("#join button");
    button?.click();
    // Later, because the browser itself ignores an immediate second click.
    setTimeout(() => {
      button?.click();
      console.log("clicked twice");
    }, 100);
  });
  await clickedTwice;
  resolve();
  await expect(form.message).toHaveText("Thanks for joining! Please check your email.");
  expect(posts).toHaveLength(1);
});
