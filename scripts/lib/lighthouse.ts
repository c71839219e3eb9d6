import { launch } from "chrome-launcher";
import { CHROMIUM_FLAGS, findChromium } from "#scripts/lib/chromium.ts";
import { phoneSlowdown } from "#scripts/lib/phone-slowdown.ts";

interface Audit {
  id: string;
  title: string;
  errorMessage?: string;
  explanation?: string;
  displayValue?: string;
  score: number | null;
  scoreDisplayMode: string;
  numericValue?: number;
}

export interface Audited {
  /** From 0 to 100, by category. */
  scores: Record<string, number>;
  audits: Record<string, Audit>;
  /** How many times slower the phone was than this machine. */
  slowdown: number;
}

/**
 * Audits a page with Lighthouse's mobile settings, its phone's speed calibrated to this machine's. On a busy machine
 * Chromium's trace can lack the navigation's start (`NO_NAVSTART`): only then is the audit repeated, up to three runs. A
 * bad score is a valid result.
 */
export async function measure(url: string, categories: string[]): Promise<Audited> {
  for (let runsLeft = 3; ; runsLeft -= 1) {
    const result = await audit(url, categories);
    const unmeasured = Object.values(result.audits).some(({ errorMessage }) => errorMessage?.includes("NO_NAVSTART"));
    if (!unmeasured || runsLeft === 1) return result;
  }
}

async function audit(url: string, onlyCategories: string[]): Promise<Audited> {
  // Lighthouse takes long to load, so only where it is needed.
  const { default: lighthouse } = await import("lighthouse");
  const chrome = await launch({
    chromePath: findChromium() ?? undefined,
    chromeFlags: [...CHROMIUM_FLAGS, "--headless", "--enable-features=WebMCP,WebMCPTesting"],
  });
  try {
    const cpuSlowdownMultiplier = await phoneSlowdown(chrome.port);
    const throttling = { cpuSlowdownMultiplier };
    const result = await lighthouse(url, { port: chrome.port, onlyCategories, logLevel: "error", throttling });
    if (result === undefined) throw new Error("Lighthouse returned no result");
    const scores = Object.values(result.lhr.categories).map(({ id, score }) => [id, Math.round((score ?? 0) * 100)]);
    return { scores: Object.fromEntries(scores), audits: result.lhr.audits, slowdown: cpuSlowdownMultiplier };
  } finally {
    chrome.kill();
  }
}
