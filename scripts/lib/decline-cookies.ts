import type { BrowserContext } from "@playwright/test";
import { preferenceCookieText } from "#app/consent/preference-cookie.ts";

/** Makes a browser one that has declined before, so that no page shows it the cookie banner. */
export async function declineCookies(context: BrowserContext, url: string): Promise<void> {
  const [pair = ""] = preferenceCookieText({ analytics: false, marketing: false }, false).split("; ");
  const [name = "", value = ""] = pair.split("=");
  await context.addCookies([{ name, value, url }]);
}
