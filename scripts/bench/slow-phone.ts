import type { Page } from "@playwright/test";

/** Lighthouse's mid-range phone. */
export const PHONE = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true };

/** Lighthouse's slow mobile network. */
const SLOW_4G = { offline: false, latency: 150, downloadThroughput: 204_800, uploadThroughput: 92_160 };

const CPU_SLOWDOWN = 4;

/** Slows a page's CPU and network down to those of a mid-range phone on a slow mobile network. */
export async function emulatePhone(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", SLOW_4G);
  await session.send("Emulation.setCPUThrottlingRate", { rate: CPU_SLOWDOWN });
}
