import type { Locator, Page } from "@playwright/test";
import { site } from "#app/site.ts";

export const JOINED = "Thanks for joining! Please check your email.";

/** The fringe hangs 12 px below the header (CSS pixels). */
export const HEADER_WITH_FRINGE = 72;

/** The ticket of someone who has joined. */
export function ticketOn(page: Page): Locator {
  return page.getByRole("region", { name: `You’re ${site.pioneer.one}` });
}
