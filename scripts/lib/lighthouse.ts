import { launch } from "chrome-launcher";
import lighthouse from "lighthouse";
import { CHROMIUM_FLAGS, findChromium } from "#scripts/lib/chromium.ts";

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
}

/**
 * Audits a page as Lighthouse does for mobile. On a busy machine Chromium's trace can lack the navigation's start, and an
 * audit then says that it could not measure (`NO_NAVSTART`), which is no result: only then is the page audited anew. A bad
 * score is a result.
 */
export async function measure(url: string, categories: string[]): Promise<Audited> {
  for (let left = 3; ; left -= 1) {
    const result = await audit(url, categories);
    const unmeasured = Object.values(result.audits).some(({ errorMessage }) => errorMessage?.includes("NO_NAVSTART"));
    if (!unmeasured || left === 1) return result;
  }
}

async function audit(url: string, onlyCategories: string[]): Promise<Audited> {
  const chrome = await launch({
    chromePath: findChromium() ?? undefined,
    chromeFlags: [...CHROMIUM_FLAGS, "--headless", "--enable-features=WebMCP,WebMCPTesting"],
  });
  try {
    const result = await lighthouse(url, { port: chrome.port, onlyCategories, logLevel: "error" });
    if (result === undefined) throw new Error("Lighthouse gave no result");
    const scores = Object.values(result.lhr.categories).map(({ id, score }) => [id, Math.round((score ?? 0) * 100)]);
    return { scores: Object.fromEntries(scores), audits: result.lhr.audits };
  } finally {
    chrome.kill();
  }
}
