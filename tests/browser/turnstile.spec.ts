import type { Page } from "@playwright/test";
import { hydrate } from "#scripts/lib/hydrated.ts";
import { type RunningSite, startSite } from "#scripts/lib/running-site.ts";
import { untilIdle } from "#tests/support/browser/settled.ts";
import { expect, test } from "#tests/support/browser/test.ts";
import { startVerifier, turnstileVars, WIDGET } from "#tests/support/browser/turnstile.ts";

let verifier: Awaited<ReturnType<typeof startVerifier>>;
let guarded: RunningSite;

test.beforeAll(async () => {
  verifier = await startVerifier();
  guarded = await startSite({ vars: turnstileVars(verifier.url) });
});

test.beforeEach(() => verifier.used.clear());

test.afterAll(async () => {
  await guarded.stop();
  await verifier.stop();
});

/** Opens the landing page, waits for hydration, and records requests to Cloudflare. */
async function open(page: Page, url: string, script: { body?: string; status?: number } = { body: WIDGET }) {
  const requests: string[] = [];
  await page.route("https://challenges.cloudflare.com/**", async (route) => {
    requests.push(route.request().url());
    await route.fulfill({ contentType: "text/javascript", ...script });
  });
  await page.goto(url);
  await hydrate(page);
  const form = page.locator("form#join");
  return { requests, email: form.getByPlaceholder("Enter your email"), form, message: form.getByRole("status") };
}

test("the widget script loads once, when a form first receives the focus", async ({ page }) => {
  const { requests, email } = await open(page, guarded.url);
  // After a turn of the wheel, headless Chromium sometimes holds idle callbacks until a next frame that never comes.
  await page.keyboard.press("PageDown");
  // Or the click could meet what scrolls by, such as a link.
  await page.waitForFunction(() => window.scrollY > 0);
  await untilIdle(page);
  await page.getByRole("heading", { level: 1 }).first().click();
  await untilIdle(page);
  expect(requests).toEqual([]);
  await email.focus();
  await expect.poll(() => requests.length).toBe(1);
  expect(requests[0]).toBe("https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit");
  await expect(page.locator("form#join input[name=cf-turnstile-response]")).toHaveCount(1);
  await page.locator("form.sign-up").last().getByPlaceholder("Enter your email").focus();
  await expect(page.locator("form.sign-up").last().locator("input[name=cf-turnstile-response]")).toHaveCount(1);
  expect(requests).toHaveLength(1);
});

test("a used token shows an error and keeps the address, and a second attempt succeeds", async ({ page }) => {
  const { email, form, message } = await open(page, guarded.url);
  verifier.used.add("sign-up-1");
  await email.fill("kay@example.com");
  await form.getByRole("button").click();
  await expect(message).toContainText("confirm that you’re human");
  await expect(email).toHaveValue("kay@example.com");
  verifier.used.clear();
  await form.getByRole("button").click();
  await expect(message).toHaveText("Thanks for joining! Please check your email.");
});

test("if the script does not load, visitors can join under the stricter limit", async ({ page }) => {
  const { email, form, message } = await open(page, guarded.url, { status: 503, body: "" });
  await email.fill("mary@example.com");
  await form.getByRole("button").click();
  await expect(message).toHaveText("Thanks for joining! Please check your email.");
});
