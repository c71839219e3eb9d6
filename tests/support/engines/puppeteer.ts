import { chmodSync, createReadStream, createWriteStream, existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { createBrotliDecompress } from "node:zlib";
import puppeteer, {
  type Browser,
  type BrowserContext,
  type ElementHandle,
  type KeyInput,
  type LaunchOptions,
  type Page,
} from "puppeteer-core";
import { findProgram } from "#scripts/lib/chromium.ts";
import { type Engine, type EngineBrowser, type Scheme, until } from "#tests/support/engines/engine.ts";

export const firefox: Engine = {
  name: "Firefox",
  missing: () => (findFirefox() === null ? "Firefox is not installed. On Debian: apt-get install firefox-esr" : null),
  launch: (scheme) =>
    launch({
      browser: "firefox",
      executablePath: findFirefox() ?? "",
      extraPrefsFirefox: { "layout.css.prefers-color-scheme.content-override": scheme === "dark" ? 0 : 1 },
    }),
};

/** Has no `URL.parse`, as Safari 17 and Firefox 125. */
export const chromium123: Engine = {
  name: "Chromium 123",
  missing: () =>
    process.platform === "linux" && process.arch === "x64" ? null : "The old Chromium only runs on Linux on x64.",
  async launch(scheme) {
    const folder = await mkdtemp(join(tmpdir(), "stallwright-chromium-"));
    const executablePath = await unpackChromium(folder);
    const args = ["--no-sandbox", "--disable-gpu"];
    const browser = await launch({ executablePath, args, headless: "shell" }, scheme);
    return {
      ...browser,
      async close() {
        await browser.close();
        await rm(folder, { recursive: true, force: true });
      },
    };
  },
};

function findFirefox(): string | null {
  return findProgram(["firefox-esr", "firefox"]);
}

/** The package's own code would unpack into a shared folder and change the environment. */
async function unpackChromium(folder: string): Promise<string> {
  const build = dirname(fileURLToPath(import.meta.resolve("@sparticuz/chromium")));
  const path = join(folder, "chromium");
  const packed = join(dirname(build), "bin", "chromium.br");
  if (!existsSync(packed)) throw new Error(`${packed} is missing. Run npm install.`);
  await pipeline(createReadStream(packed), createBrotliDecompress(), createWriteStream(path));
  chmodSync(path, 0o755);
  return path;
}

/** @param emulated the scheme to emulate, where no preference sets it */
async function launch(options: LaunchOptions, emulated?: Scheme): Promise<EngineBrowser> {
  const browser = await puppeteer.launch(options);
  const visit = { context: null as BrowserContext | null, page: null as unknown as Page };
  const element = async (selector: string) => {
    const found = await visit.page.waitForSelector(selector, { visible: true, timeout: 10_000 });
    if (found === null) throw new Error(`No ${selector}`);
    return found;
  };
  return {
    async newVisit(size) {
      await visit.context?.close();
      Object.assign(visit, await openPage(browser, size, emulated));
    },
    open: async (url) => void (await visit.page.goto(url, { waitUntil: "load" })),
    // Puppeteer would wait for a load, which a page from Firefox's back/forward cache does not have.
    back: async () => void (await visit.page.evaluate(() => setTimeout(() => history.back()))),
    forward: async () => void (await visit.page.evaluate(() => setTimeout(() => history.forward()))),
    click: (selector) => clickWhenStill(() => element(selector)),
    type: async (selector, text) => (await element(selector)).type(text),
    press: (key) => press(visit.page, key),
    evaluate: (body, ...args) =>
      visit.page.evaluate(body as (...args: unknown[]) => unknown, ...args) as Promise<never>,
    close: () => browser.close(),
  };
}

async function openPage(browser: Browser, size: { width: number; height: number }, emulated?: Scheme) {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  await page.setViewport(size);
  if (emulated !== undefined) await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: emulated }]);
  return { context, page };
}

/** Clicks an element when scrolling and animations are over and rendering no longer replaces it. */
async function clickWhenStill(find: () => Promise<ElementHandle>): Promise<void> {
  let last = "";
  await until(
    async () => {
      const previous = last;
      const element = await find();
      await element.scrollIntoView();
      last = JSON.stringify(await element.boundingBox());
      if (last !== previous || !(await element.evaluate(isOnTop))) return false;
      // Fails without a press if rendering has just replaced the element.
      await element.click();
      return true;
    },
    (isClicked) => isClicked,
  );
}

/** Whether a press reaches the element. During a view transition it reaches only the document. */
function isOnTop(element: Element): boolean {
  const { x, y, width, height } = element.getBoundingClientRect();
  return element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}

async function press(page: Page, key: string): Promise<void> {
  if (key === "Shift+Tab") await page.keyboard.down("Shift");
  await page.keyboard.press(key.replace("Shift+", "") as KeyInput);
  if (key === "Shift+Tab") await page.keyboard.up("Shift");
}
