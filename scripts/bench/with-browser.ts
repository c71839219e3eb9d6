import { type Browser, chromium } from "@playwright/test";
import { CHROMIUM_FLAGS, findChromium } from "#scripts/lib/chromium.ts";

/** Does something in a Chromium that is gone afterwards. */
export async function withBrowser<T>(work: (browser: Browser) => Promise<T>): Promise<T> {
  const executablePath = findChromium();
  if (executablePath === null) throw new Error("There is no Chromium; npm test installs one.");
  await using browser = await chromium.launch({ executablePath, args: CHROMIUM_FLAGS });
  return await work(browser);
}
