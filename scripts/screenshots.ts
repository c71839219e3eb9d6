// Saves screenshots of every page to docs/screenshots, for phone and desktop, in the light and the dark scheme.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chromium, type Page } from "@playwright/test";
import { CHROMIUM_FLAGS, requireChromium } from "#scripts/lib/chromium.ts";
import { root } from "#scripts/lib/commands.ts";
import { declineCookies } from "#scripts/lib/decline-cookies.ts";
import { build } from "#scripts/lib/local-site.ts";
import { signIn, startOwnerSite } from "#scripts/lib/owner-site.ts";
import { startSite } from "#scripts/lib/running-site.ts";
import { paths, schemes } from "#scripts/lib/site-paths.ts";

const target = join(root, "docs", "screenshots");
const devices = { phone: { width: 360, height: 800 }, desktop: { width: 1280, height: 800 } };
const ownerPages = {
  overview: "/owner?days=90",
  entries: "/owner/entries",
  entry: "/owner/entries/2203",
  export: "/owner/export",
  import: "/owner/import",
  links: "/owner/links?page=%2F&utm_source=fair&utm_medium=print&utm_campaign=autumn_fair_2026",
  referrals: "/owner/referrals",
  log: "/owner/log",
};
const looks = Object.entries(devices).flatMap(([device, viewport]) =>
  schemes.map((colorScheme) => ({ viewport, colorScheme, suffix: `${device}-${colorScheme}` })),
);
const names: Record<string, string> = { "/": "home", "/no-such-page": "not-found" };

/** Written at the end: taking them takes minutes, and an interrupted run must leave the old ones. */
const pictures = new Map<string, Buffer>();

const executablePath = await requireChromium();
await build();
const site = await startSite();
const browser = await chromium.launch({ executablePath, args: CHROMIUM_FLAGS });
for (const { suffix, ...look } of looks) {
  const page = await browser.newPage({ ...look, reducedMotion: "reduce" });
  await saveScreenshot(page, site.url, `cookie-banner-${suffix}`, false);
  await declineCookies(page.context(), site.url);
  for (const path of paths) await saveScreenshot(page, site.url + path, `${names[path] ?? path.slice(1)}-${suffix}`);
  await page.close();
}
await site.stop();
await screenshotOwnerPages();
await browser.close();
rmSync(target, { recursive: true, force: true });
mkdirSync(target);
for (const [name, picture] of pictures) writeFileSync(join(target, `${name}.png`), picture);

/** The owner's pages, with sample entries. */
async function screenshotOwnerPages(): Promise<void> {
  await using ownerSite = await startOwnerSite(2_400);
  const page = await browser.newPage({ viewport: devices.desktop, reducedMotion: "reduce" });
  await saveScreenshot(page, `${ownerSite.url}/owner`, "owner-sign-in-desktop-light", false);
  await signIn(page, ownerSite);
  for (const { suffix, viewport, colorScheme } of looks) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    for (const [name, path] of Object.entries(ownerPages)) {
      await saveScreenshot(page, ownerSite.url + path, `owner-${name}-${suffix}`);
    }
  }
}

async function saveScreenshot(page: Page, url: string, name: string, fullPage = true): Promise<void> {
  await page.goto(url);
  await page.evaluate(async () => {
    await document.fonts.ready;
    // Lazy pictures load only near the viewport, and a full-page screenshot does not scroll.
    for (const image of document.images) image.loading = "eager";
    await Promise.all([...document.images].map((image) => image.decode()));
  });
  pictures.set(name, await page.screenshot({ fullPage }));
  console.log(`${name}.png`);
}
