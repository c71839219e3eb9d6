// Pictures of every page, phone and desktop, by day and in the evening, into docs/screenshots.
import { mkdirSync, rmSync } from "node:fs";
import { chromium, type Page } from "@playwright/test";
import { sitePages } from "#app/seo/site-pages.ts";
import { CHROMIUM_FLAGS, requireChromium } from "#scripts/lib/chromium.ts";
import { root } from "#scripts/lib/commands.ts";
import { build } from "#scripts/lib/local-site.ts";
import { answerBefore } from "#tests/browser/support/answered.ts";
import { signIn, startOwnersSite } from "#tests/browser/support/owner-site.ts";
import { startSite } from "#tests/browser/support/running-site.ts";

const folder = `${root}/docs/screenshots`;
const devices = { phone: { width: 360, height: 800 }, desktop: { width: 1280, height: 800 } };
const schemes = { day: "light", evening: "dark" } as const;
const paths = [...Object.values(sitePages).map(({ path }) => path), "/no-such-page"];
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
    await answerBefore(page.context(), site.url);
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
  const owners = await startOwnersSite(2_400);
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
