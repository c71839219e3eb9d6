import { chromium } from "@playwright/test";
import { atMost, type Outcome } from "#scripts/bench/measurement.ts";
import { CHROMIUM_FLAGS, requireChromium } from "#scripts/lib/chromium.ts";
import { firstViewBytes } from "#scripts/lib/first-view.ts";
import { weigh } from "#scripts/lib/page-weight.ts";
import { startSite } from "#scripts/lib/running-site.ts";
import { paths } from "#scripts/lib/site-paths.ts";

const KB = 1024;

/** Weighs every page in Chromium. */
export async function measure(): Promise<Outcome> {
  await using site = await startSite();
  await using browser = await chromium.launch({ executablePath: await requireChromium(), args: CHROMIUM_FLAGS });
  const weights = [];
  for (const path of paths) {
    await using context = await browser.newContext();
    weights.push({ path, ...(await weigh(await context.newPage(), site.url + path)) });
  }
  const rows = weights.map(({ path, html, blockingCss, earlyScript, allScript, fonts }) => ({
    page: path,
    "HTML and critical CSS": html + blockingCss,
    "script before hydration": earlyScript,
    "all script": allScript,
    fonts,
  }));
  const firstFlight = rows[0]?.["HTML and critical CSS"] ?? Number.NaN;
  const firstView = firstViewBytes(await (await fetch(site.url)).text());
  const worstScript = Math.max(...weights.map(({ allScript }) => allScript));
  return {
    figures: [
      atMost("landing page, HTML and critical CSS, brotli quality 5", firstFlight, 18 * KB, "KB"),
      atMost("landing page, first view complete within", firstView, 14 * KB, "KB"),
      atMost("all script, gzip, worst route", worstScript, 125 * KB, "KB"),
    ],
    tables: { "Weight of each page, in bytes": rows },
  };
}
