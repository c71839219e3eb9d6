import { chromium } from "@playwright/test";
import type { Result } from "lighthouse";
import { CHROMIUM_FLAGS, requireChromium } from "#scripts/lib/chromium.ts";
import { freePort } from "#scripts/lib/ports.ts";

/**
 * Audits a page with Lighthouse's own settings for mobile. On a busy machine Chromium's trace can lack the navigation's
 * start (`NO_NAVSTART`), and Lighthouse gives no score: only then is the audit repeated, up to three runs. A bad score is
 * a valid result.
 *
 * @param onlyCategories all of Lighthouse's if left out
 */
export async function audit(url: string, onlyCategories: string[] | null = null): Promise<Result> {
  // Lighthouse takes long to load, so only where it is needed.
  const { default: lighthouse } = await import("lighthouse");
  const port = await freePort();
  const args = [...CHROMIUM_FLAGS, `--remote-debugging-port=${port}`, "--enable-features=WebMCP,WebMCPTesting"];
  await using _browser = await chromium.launch({ executablePath: await requireChromium(), args });
  for (let runsLeft = 3; ; runsLeft -= 1) {
    const { lhr } = (await lighthouse(url, { port, logLevel: "error", onlyCategories })) ?? {};
    if (lhr === undefined) throw new Error("Lighthouse returned no result");
    if (runsLeft === 1 || Object.values(lhr.categories).every(({ score }) => score !== null)) return lhr;
  }
}

/** The scores of an audit, from 0 to 100, by category. */
export function scoresOf({ categories }: Result): Record<string, number> {
  return Object.fromEntries(Object.values(categories).map(({ id, score }) => [id, Math.round((score ?? 0) * 100)]));
}
