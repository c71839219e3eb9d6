// Pictures of every page, phone and desktop, by day and in the evening, into docs/screenshots.
import { mkdirSync, rmSync } from "node:fs";
import { chromium, type Page } from "@playwright/test";
import { CHROMIUM_FLAGS, requireChromium } from "#scripts/lib/chromium.ts";
import { root } from "#scripts/lib/commands.ts";
import { declineCookies } from "#scripts/lib/decline-cookies.ts";
import { build } from "#scripts/lib/local-site.ts";
import { signIn, startOwnerSite } from "#scripts/lib/owner-site.ts";
import { startSite } from "#scripts/lib/running-site.ts";
import { paths } from "#scripts/lib/site-paths.ts";

const folder = `${root}/docs/screenshots`;
const devices = { phone: { width: 360, height: 800 }, desktop: { width: 1280, height: 800 } };
const schemes = { day: "light", evening: "dark" } as const;
const ownersPages = { overview: "/owner?days=90", entries: "/owner/entries", entry: "/owner/entries/2203" };
const names: Record<string, string> = { "/": "home", "/no-such-page": "not-found" };

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const executablePath = await requireChromium();
await build();
const site = await startSite();
const browser = await chromium.launch({ executablePath, args: CHROMIUM_FLAGS });
for (const [device, viewport] of Object.entries(devices)) {
  for (const [time, colorScheme] of Object.entries(schemes)) {
    const page = await browser.newPage({ viewport, colorScheme, reducedMotion: "reduce" });
    await takePicture(page, site.url, `cookie-banner-${device}-${time}`, false);
    await declineCookies(page.context(), site.url);
    for (const path of paths)
      await takePicture(page, site.url + path, `${names[path] ?? path.slice(1)}-${device}-${time}`);
    await page.close();
  }
}
await site.stop();
await takeOwnersPictures();
await browser.close();

/** What the owner sees, of a list that is made up. */
async function takeOwnersPictures(): Promise<void> {
  const owners = await startOwnerSite(2_400);
  const page = await browser.newPage({ viewport: devices.desktop, reducedMotion: "reduce" });
  await takePicture(page, `${owners.url}/owner`, "owner-door-desktop-day", false);
  await signIn(page, owners);
  for (const [device, viewport] of Object.entries(devices)) {
    for (const [time, colorScheme] of Object.entries(schemes)) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      for (const [name, path] of Object.entries(ownersPages)) {
        await takePicture(page, owners.url + path, `owner-${name}-${device}-${time}`);
      }
    }
  }
  await owners.stop();
}

async function takePicture(page: Page, url: string, name: string, fullPage = true): Promise<void> {
  await page.goto(url);
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage });
  console.log(`docs/screenshots/${name}.png`);
}
