import type { Page } from "@playwright/test";
import { untilHydrated } from "#scripts/lib/hydrated.ts";

/** The first form of the page, as a visitor finds it. */
export function formOn(page: Page) {
  const form = page.locator("form#join");
  return {
    email: form.getByLabel("Your e-mail address"),
    button: form.getByRole("button"),
    message: form.getByRole("status"),
    async submit(address: string) {
      await this.email.fill(address);
      await this.button.click();
    },
  };
}

/** Until React has taken over, the form is the plain one. */
export async function openHydrated(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await untilHydrated(page);
}
