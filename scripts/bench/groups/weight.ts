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
  const pages: { path: string; firstFlight: number; early: number; script: number; fonts: number }[] = [];
  for (const path of paths) {
    await using context = await browser.newContext();
    const { html, blockingCss, earlyScript, allScript, fonts } = await weigh(
      await context.newPage(),
      `${site.url}${path}`,
    );
    pages.push({ path, firstFlight: html + blockingCss, early: earlyScript, script: allScript, fonts });
  }
  const firstView = firstViewBytes(await (await fetch(site.url)).text());
  const worstScript = Math.max(...pages.map(({ script }) => script));
  return {
    figures: [
      atMost("landing page, HTML and critical CSS, brotli quality 5", pages[0]?.firstFlight ?? NaN, 18 * KB, "KB"),
      atMost(
        "landing page, first view complete within",
        Math.max(...firstView.map(({ bytes }) => bytes)),
        14 * KB,
        "KB",
      ),
      atMost("all script, gzip, worst route", worstScript, 125 * KB, "KB"),
    ],
    tables: [
      {
        title: "Weight of each page, in bytes",
        head: ["page", "HTML and critical CSS", "script before hydration", "all script", "fonts"],
        rows: pages.map((page) => Object.values(page)),
      },
      {
        title: "First view of the landing page: bytes of the compressed document until each part is complete",
        head: ["part", "bytes"],
        rows: firstView.map((part) => Object.values(part)),
      },
    ],
  };
}
