import { type Browser, chromium } from "@playwright/test";
import { CHROMIUM_FLAGS, findChromium } from "#scripts/lib/chromium.ts";

/** Runs `work` in a Chromium that is closed afterwards. */
export async function withBrowser<T>(work: (browser: Browser) => Promise<T>): Promise<T> {
  const executablePath = findChromium();
  if (executablePath === null) throw new Error("Chromium is not installed; npm test installs it.");
  await using browser = await chromium.launch({ executablePath, args: CHROMIUM_FLAGS });
  return await work(browser);
}
