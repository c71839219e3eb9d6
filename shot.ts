import { writeFileSync } from "node:fs";
import { chromium } from "@playwright/test";
import { startSite } from "#scripts/lib/running-site.ts";

const site = await startSite({});

import { CHROMIUM_FLAGS, requireChromium } from "#scripts/lib/chromium.ts";

const browser = await chromium.launch({ executablePath: await requireChromium(), args: CHROMIUM_FLAGS });
writeFileSync("/dev/shm/api-page.html", await (await fetch(`${site.url}/api/v1`)).text());
for (const colorScheme of ["light", "dark"] as const)
  for (const width of [360, 1280, 1920]) {
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
    await page.goto(`${site.url}/api/v1`);
    await page.screenshot({ path: `/dev/shm/api-${colorScheme}-${width}-top.png` });
    await page.goto(`${site.url}/api/v1#addEntry`);
    await page.waitForTimeout(100);
    await page.screenshot({ path: `/dev/shm/api-${colorScheme}-${width}-add.png` });
    console.log(
      width,
      await page.evaluate(() => [document.documentElement.scrollHeight, document.documentElement.scrollWidth]),
    );
    await page.close();
  }
await browser.close();
await site.stop();
