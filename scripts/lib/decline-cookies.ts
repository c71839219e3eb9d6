import type { BrowserContext } from "@playwright/test";
import { preferenceCookieText } from "#app/consent/preference-cookie.ts";

/** Sets the cookie of a visitor who has declined, so that no page shows the cookie banner. */
export async function declineCookies(context: BrowserContext, url: string): Promise<void> {
  const [pair = ""] = preferenceCookieText({ analytics: false, marketing: false }, false).split("; ");
  const [name = "", value = ""] = pair.split("=");
  await context.addCookies([{ name, value, url }]);
}
