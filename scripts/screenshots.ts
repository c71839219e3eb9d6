// Saves screenshots of every page to docs/screenshots, for phone and desktop, in the light and the dark scheme.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chromium, type Page } from "@playwright/test";
import { fair, letters, series } from "#app/switches.ts";
import { CHROMIUM_FLAGS, requireChromium } from "#scripts/lib/chromium.ts";
import { root } from "#scripts/lib/commands.ts";
import { declineCookies } from "#scripts/lib/decline-cookies.ts";
import { build } from "#scripts/lib/local-site.ts";
import { signIn, startOwnerSite } from "#scripts/lib/owner-site.ts";
import { startSite } from "#scripts/lib/running-site.ts";
import { paths, schemes } from "#scripts/lib/site-paths.ts";

const target = join(root, "docs", "screenshots");
const devices = { phone: { width: 360, height: 800 }, desktop: { width: 1280, height: 800 } };
const names: Record<string, string> = { "/": "home", "/no-such-page": "not-found" };
const publicPages = Object.fromEntries(paths.map((path) => [names[path] ?? path.slice(1), path]));
const ownerPages = {
  "owner-overview": "/owner?days=90",
  "owner-entries": "/owner/entries",
  "owner-entry": "/owner/entries/2203",
  "owner-export": "/owner/export",
  "owner-import": "/owner/import",
  "owner-links": "/owner/links",
  "owner-link": "/owner/links/1",
  "owner-referrals": "/owner/referrals",
  ...(letters && series ? { "owner-series": "/owner/series" } : {}),
  "owner-api-keys": "/owner/api-keys",
  "owner-webhooks": "/owner/webhooks",
  "owner-embed": "/owner/embed",
  ...(fair ? { "owner-fair": "/owner/fair", fair: "/fair" } : {}),
  "owner-log": "/owner/log",
};

/** Written at the end: taking them takes minutes, and an interrupted run must leave the old ones. */
const pictures = new Map<string, Buffer>();

const executablePath = await requireChromium();
await build();
const browser = await chromium.launch({ executablePath, args: CHROMIUM_FLAGS });
const site = await startSite();
const page = await browser.newPage({ reducedMotion: "reduce" });
await saveScreenshots(page, site.url, { "cookie-banner": "/" }, false);
await declineCookies(page.context(), site.url);
await saveScreenshots(page, site.url, publicPages);
await site.stop();
const ownerSite = await startOwnerSite(2_400);
const ownerPage = await browser.newPage({ viewport: devices.desktop, reducedMotion: "reduce" });
await saveScreenshot(ownerPage, `${ownerSite.url}/owner`, "owner-sign-in-desktop-light", false);
await signIn(ownerPage, ownerSite);
await makeLinks(ownerPage, ownerSite.url);
if (letters && series) await writeFollowUps(ownerPage, ownerSite.url);
if (fair) await setUpTablet(ownerPage, ownerSite.url);
await saveScreenshots(ownerPage, ownerSite.url, ownerPages);
await ownerSite.stop();
await browser.close();
rmSync(target, { recursive: true, force: true });
mkdirSync(target);
for (const [name, picture] of pictures) writeFileSync(join(target, `${name}.png`), picture);

async function saveScreenshots(page: Page, url: string, paths: Record<string, string>, fullPage = true): Promise<void> {
  for (const [device, viewport] of Object.entries(devices)) {
    for (const colorScheme of schemes) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      for (const [name, path] of Object.entries(paths)) {
        await saveScreenshot(page, url + path, `${name}-${device}-${colorScheme}`, fullPage);
      }
    }
  }
}

/** Links by which some of the sample entries came. */
async function makeLinks(page: Page, url: string): Promise<void> {
  for (const [utm_source = "", utm_medium = "", utm_campaign = ""] of [
    ["fair", "print", "autumn_fair"],
    ["facebook", "social", "fb_hosts"],
    ["newsletter", "email", "makers_post"],
  ]) {
    await page.goto(`${url}/owner/links`);
    const fields = { utm_source, utm_medium, utm_campaign };
    for (const [name, text] of Object.entries(fields)) await page.locator(`#${name}`).fill(text);
    await page.locator("form.link-form button").click();
    await page.waitForURL(/links\/\d+$/);
  }
}

/** The page of follow-ups has little to show without any. */
async function writeFollowUps(page: Page, url: string): Promise<void> {
  const subjects = { 2: "What a good pitch looks like", 7: "How hosts choose", 21: "A fair near you" };
  for (const [days, subject] of Object.entries(subjects)) {
    await page.goto(`${url}/owner/series/new`);
    const fields = { days, subject, body: "Hello." };
    for (const [name, text] of Object.entries(fields)) await page.locator(`#${name}`).fill(text);
    await page.locator("button[value=save]").click();
    if (days !== "21") await page.locator("button[value=switch-on]").click();
  }
}

/** The form at fairs needs a code, which this browser exchanges, and keeps the key. */
async function setUpTablet(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/owner/fair`);
  await page.locator("#event").fill("Autumn Fair");
  await page.locator("form.form button").click();
  await page.goto(await page.locator("code.code-block").innerText());
  await page.locator("#email").waitFor();
}

async function saveScreenshot(page: Page, url: string, name: string, fullPage: boolean): Promise<void> {
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
