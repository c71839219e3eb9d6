import type { Page } from "@playwright/test";
import { formOn } from "#tests/support/browser/sign-up-form.ts";

/** Delays requests until the returned function is called. */
export async function holdRequests(page: Page, urls: string | RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(urls, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

/** Delays the application's scripts until the returned function is called. */
export const holdScripts = (page: Page) => holdRequests(page, "**/assets/*.js");

/** Opens a page whose scripts are delayed until `release` is called. @returns also its first sign-up form */
export async function openHeld(page: Page, url: string) {
  const release = await holdScripts(page);
  await page.goto(url);
  return { release, form: formOn(page) };
}
