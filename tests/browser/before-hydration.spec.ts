import { untilHydrated } from "#scripts/lib/hydrated.ts";
import { bannerOn, savedChoice } from "#tests/support/browser/consent.ts";
import { holdScripts, neverIdle } from "#tests/support/browser/hydration-control.ts";
import { formOn } from "#tests/support/browser/sign-up-form.ts";
import { expect, test } from "#tests/support/browser/test.ts";

/* What a visitor does before the application has started, and what it must not undo. */

test.beforeEach(({ page }) => neverIdle(page));

test("how far the page is scrolled stays so, on a page that had been scrolled elsewhere before", async ({
  page,
  site,
}) => {
  await page.goto(site.url);
  await page.mouse.move(10, 300);
  await untilHydrated(page);
  await page.evaluate(() => scrollTo(0, 600));
  const release = await holdScripts(page);
  await page.reload();
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(600);
  await page.evaluate(() => scrollTo(0, 1500));
  release();
  await page.mouse.move(10, 310);
  await untilHydrated(page);
  await page.evaluate(() => new Promise(requestAnimationFrame));
  expect(await page.evaluate(() => scrollY)).toBe(1500);
});

test("the cookie choice is saved without loading the page, and what was typed stays", async ({
  page,
  context,
  site,
}) => {
  await page.clock.install();
  const release = await holdScripts(page);
  await page.goto(site.url);
  await page.evaluate(() => Object.assign(window, { isSameDocument: true }));
  const form = formOn(page);
  await form.email.fill("typed@example.com");
  // On a slow machine the application might come too late.
  await page.clock.pauseAt(Date.now() + 60_000);
  await bannerOn(page).accept.click();
  release();
  await expect(bannerOn(page).region).toBeHidden();
  await expect(form.email).toHaveValue("typed@example.com");
  expect(await page.evaluate(() => "isSameDocument" in window)).toBe(true);
  await expect.poll(() => savedChoice(context)).toMatchObject({ analytics: true, marketing: true });
});

test("where the application does not come, the browser sends the cookie choice after all", async ({
  page,
  context,
  site,
}) => {
  await page.clock.install();
  await page.route("**/assets/*.js", (route) => route.abort());
  await page.goto(site.url);
  await bannerOn(page).decline.click();
  await expect(bannerOn(page).region).toBeVisible();
  await page.clock.runFor(4_000);
  await expect(bannerOn(page).region).toBeHidden();
  expect(await savedChoice(context)).toMatchObject({ analytics: false, marketing: false });
});

test("Join Waitlist leads to the form on the same page, with its campaign and what was typed", async ({
  page,
  site,
}) => {
  await holdScripts(page);
  await page.goto(`${site.url}/?utm_source=fair&utm_medium=poster`);
  await page.evaluate(() => Object.assign(window, { isSameDocument: true }));
  const form = formOn(page);
  await form.email.fill("campaign@example.com");
  await page.getByRole("banner").getByRole("link", { name: "Join Waitlist" }).click();
  await expect(page).toHaveURL(`${site.url}/?utm_source=fair&utm_medium=poster#join`);
  expect(await page.evaluate(() => "isSameDocument" in window)).toBe(true);
  await expect(form.email).toHaveValue("campaign@example.com");
  await form.button.click();
  await expect(form.message).toHaveText("Thanks for joining! Please check your email.");
  const [row] = (await site.rows("waitlist_emails")).filter(({ email }) => email === "campaign@example.com");
  expect(row).toMatchObject({ utm_source: "fair", utm_medium: "poster" });
});

test("Join Waitlist keeps the campaign and leads to the form as often as it is pressed, once started", async ({
  page,
  site,
}) => {
  await page.goto(`${site.url}/?utm_source=fair`);
  await page.mouse.move(10, 300);
  await untilHydrated(page);
  const top = () => page.evaluate(() => document.querySelector("#join")?.getBoundingClientRect().top);
  const positions: unknown[] = [];
  for (let n = 0; n < 3; n += 1) {
    await page.evaluate(() => scrollTo(0, 3000));
    await page.getByRole("banner").getByRole("link", { name: "Join Waitlist" }).click();
    await expect(page).toHaveURL(`${site.url}/?utm_source=fair#join`);
    await expect.poll(top).toBeGreaterThan(0);
    positions.push(await top());
  }
  expect(new Set(positions).size).toBe(1);
});

for (const [what, change] of [
  [
    "an extension put something into",
    (form: Element) => form.querySelector("input")?.after(document.createElement("i")),
  ],
  ["a translation changed", (form: Element) => form.querySelector("label")?.replaceChildren("Ihre Adresse")],
] as const) {
  test(`a form that ${what} still has the focus and what was typed, and works`, async ({ page, site }) => {
    const errors: string[] = [];
    page.on("pageerror", ({ message }) => errors.push(message));
    const release = await holdScripts(page);
    await page.goto(site.url);
    const form = formOn(page);
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
    // React says that it has made the page anew, and nothing else goes wrong.
    expect(errors.filter((message) => !/Minified React error #418/.test(message))).toEqual([]);
  });
}

test("what is pressed on a page that was changed counts all the same, each of two buttons", async ({
  page,
  context,
  site,
}) => {
  await page.clock.install();
  await page.addInitScript(() => {
    Object.assign(navigator, { share: async () => Object.assign(window, { isShared: true }) });
  });
  const release = await holdScripts(page);
  await page.goto(site.url);
  await page.evaluate(() => Object.assign(window, { isSameDocument: true }));
  await page.locator("#join .sign-up-label").evaluate((label) => label.replaceChildren("Ihre Adresse"));
  await page.clock.pauseAt(Date.now() + 60_000);
  await bannerOn(page).decline.click();
  await page.getByRole("button", { name: "Share" }).click();
  release();
  await expect(bannerOn(page).region).toBeHidden();
  await page.waitForFunction(() => "isShared" in window);
  await expect.poll(() => savedChoice(context)).toMatchObject({ analytics: false, marketing: false });
  expect(await page.evaluate(() => "isSameDocument" in window)).toBe(true);
});

test("a cookie choice is not lost with the page on which it was made", async ({ page, context, site }) => {
  await holdScripts(page);
  await page.goto(site.url);
  await bannerOn(page).decline.click();
  await page.getByRole("contentinfo").getByRole("link", { name: "Roadmap" }).click();
  await expect(page).toHaveURL(`${site.url}/roadmap`);
  await expect.poll(() => savedChoice(context)).toMatchObject({ analytics: false, marketing: false });
});

test("an address that was refused stays in its field when a link is followed", async ({ page, site }) => {
  const release = await holdScripts(page);
  await page.goto(site.url);
  const form = formOn(page);
  await form.email.fill("refused@example");
  await form.button.click();
  await expect(form.message).not.toHaveText("");
  release();
  await page.waitForLoadState();
  await page.mouse.move(10, 300);
  await untilHydrated(page);
  await page.getByRole("banner").getByRole("link", { name: "Join Waitlist" }).click();
  await page.waitForFunction(() => window.__reactRouterDataRouter.state.actionData === null);
  await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))));
  await expect(form.email).toHaveValue("refused@example");
});

test("a form that is pressed twice is sent once", async ({ page, site }) => {
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
  const pressedTwice = page.waitForEvent("console", (message) => message.text() === "pressed twice");
  await page.evaluate(() => {
    const button = document.querySelector<HTMLElement>("#join button");
    button?.click();
    // Later, for what is pressed twice at once the browser itself sends once.
    setTimeout(() => {
      button?.click();
      console.log("pressed twice");
    }, 100);
  });
  await pressedTwice;
  resolve();
  await expect(form.message).toHaveText("Thanks for joining! Please check your email.");
  expect(posts).toHaveLength(1);
});
