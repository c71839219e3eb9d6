import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import {
  Builder,
  By,
  Capabilities,
  until as condition,
  Key,
  type WebDriver,
  type WebElement,
} from "selenium-webdriver";
import { findProgram } from "#scripts/lib/chromium.ts";
import { freePort, isPortTaken } from "#scripts/lib/ports.ts";
import { type Engine, type EngineBrowser, type Scheme, until } from "#tests/support/engines/engine.ts";

/** WebKitGTK's test browser, driven by WebKitWebDriver on a virtual screen. */
export const webkit: Engine = {
  name: "WebKit",
  missing: () =>
    miniBrowser() !== null && findProgram(["WebKitWebDriver"]) !== null && findProgram(["xvfb-run"]) !== null
      ? null
      : "WebKit is not installed. On Debian: apt-get install webkit2gtk-driver xvfb xauth",
  launch,
};

const FOLDERS = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/libexec"];

function miniBrowser(): string | null {
  const paths = FOLDERS.map((folder) => `${folder}/webkit2gtk-4.1/MiniBrowser`);
  return paths.find((path) => existsSync(path)) ?? null;
}

const keys = { Tab: [Key.TAB], "Shift+Tab": [Key.SHIFT, Key.TAB], Enter: [Key.ENTER], Escape: [Key.ESCAPE] };

async function launch(scheme: Scheme): Promise<EngineBrowser> {
  const port = await freePort();
  const process = startDriver(port, scheme);
  await until(
    () => isPortTaken(port),
    (isTaken) => isTaken,
  );
  const driver = await openBrowser(port);
  await driver.manage().setTimeouts({ script: 15_000, pageLoad: 30_000 });
  const element = async (selector: string) => {
    const found = await driver.wait(condition.elementLocated(By.css(selector)), 10_000);
    return driver.wait(condition.elementIsVisible(found), 10_000);
  };
  return {
    async newVisit(size) {
      await driver.manage().deleteAllCookies();
      // Fails while the last page is still loading.
      await until(
        () => driver.get("about:blank").then(() => true),
        (isOpen) => isOpen,
      );
      await driver
        .manage()
        .window()
        .setRect({ x: 0, y: 0, ...size });
      await until(
        () => driver.executeScript<number>("return innerWidth"),
        (width) => width === size.width,
      );
    },
    open: (url) => driver.get(url),
    back: () => driver.navigate().back(),
    forward: () => driver.navigate().forward(),
    click: (selector) => clickWhenStill(driver, () => element(selector)),
    type: async (selector, text) => (await element(selector)).sendKeys(text),
    press: (key) => press(driver, keys[key]),
    evaluate: (body, ...args) => driver.executeScript(`return (${body})(...arguments)`, ...args) as Promise<never>,
    async close() {
      await driver.quit();
      endDriver(process);
    },
  };
}

function startDriver(port: number, scheme: Scheme): ChildProcess {
  const screen = "-screen 0 1400x1000x24";
  return spawn("xvfb-run", ["--auto-servernum", "--server-args", screen, "WebKitWebDriver", `--port=${port}`], {
    stdio: "ignore",
    // A separate process group, so that one signal reaches the virtual screen too.
    detached: true,
    env: { ...process.env, GTK_THEME: scheme === "dark" ? "Adwaita:dark" : "Adwaita" },
  });
}

function endDriver({ pid }: ChildProcess): void {
  if (pid !== undefined) process.kill(-pid, "SIGTERM");
}

function openBrowser(port: number): Promise<WebDriver> {
  // Without its toolbar, which is wider than a phone.
  const options = { binary: miniBrowser(), args: ["--automation", "--full-screen"] };
  const capabilities = new Capabilities({ browserName: "MiniBrowser", "webkitgtk:browserOptions": options });
  return new Builder().usingServer(`http://127.0.0.1:${port}`).withCapabilities(capabilities).build();
}

/** Clicks an element when scrolling and animations are over and rendering no longer replaces it. */
async function clickWhenStill(driver: WebDriver, find: () => Promise<WebElement>): Promise<void> {
  let last = "";
  await until(
    async () => {
      const previous = last;
      const element = await find();
      await driver.executeScript("arguments[0].scrollIntoView({ block: 'center', behavior: 'instant' })", element);
      last = JSON.stringify(await element.getRect());
      if (last !== previous) return false;
      // Fails without a press if rendering has just replaced the element.
      await element.click();
      return true;
    },
    (isClicked) => isClicked,
  );
}

async function press(driver: WebDriver, [first = "", second]: string[]): Promise<void> {
  const actions = driver.actions();
  if (second === undefined) await actions.sendKeys(first).perform();
  else await actions.keyDown(first).sendKeys(second).keyUp(first).perform();
}
