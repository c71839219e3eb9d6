import type { Page } from "@playwright/test";
import type { RunningSite } from "#scripts/lib/running-site.ts";

/** Adds an address to the waitlist as a form's script does, without opening a page. */
export async function joinByRequest(page: Page, site: RunningSite, email: string): Promise<void> {
  for (const path of ["/api/signup", "/api/send-welcome"])
    await page.request.post(site.url + path, { data: { email } });
}

/** The link of a kind in the newest email to an address. */
export async function emailedLink(
  site: RunningSite,
  address: string,
  path: "your-data" | "unsubscribe" | "confirm",
): Promise<string> {
  return new RegExp(`\\S+/${path}/\\S+`).exec((await site.emailTo(address)).text)?.[0] ?? "no link";
}
