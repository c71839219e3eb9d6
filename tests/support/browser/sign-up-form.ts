import type { Page } from "@playwright/test";
import { hydrate } from "#scripts/lib/hydrated.ts";

/** The browser accepts it, the server does not: the last label is a number. */
export const REFUSED_BY_SERVER = "refused@example.0x1";

/** The first sign-up form on the page, by its labels and roles. */
export function formOn(page: Page) {
  const form = page.locator("form#join");
  return {
    form,
    /** What opens the form once it has stepped back. */
    again: page.locator(".sign-up-place", { has: form }).getByText("Add another address"),
    email: form.getByPlaceholder("Enter your email"),
    button: form.getByRole("button"),
    message: form.getByRole("status"),
    /** After an earlier sign-up, behind which the form has stepped back. */
    async submitAnother(address: string) {
      await this.again.click();
      await this.submit(address);
    },
    async submit(address: string) {
      await this.email.fill(address);
      await this.button.click();
    },
  };
}

/** Opens a page and waits until it is hydrated; before that, the browser submits the form itself. */
export async function openHydrated(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await hydrate(page);
}
