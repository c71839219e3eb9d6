import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "@playwright/test";
import { run } from "#scripts/lib/commands.ts";

const NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
const HEADLESS_SHELL = "chromium-headless-shell";
const MAC = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";

/** The address bar's pages: every window loads them, and they cost more than a page of the site. */
const ADDRESS_BAR_PAGES = ["WebUIOmniboxPopup", "WebUIOmniboxAimPopup"];

/** Chromium only honours the last `--disable-features`, so the features that Playwright disables are repeated here. */
const DISABLED_BY_PLAYWRIGHT = `AvoidUnnecessaryBeforeUnloadCheckSync DestroyProfileOnBrowserClose HttpsUpgrades
  HttpsFirstBalancedModeAutoEnable LensOverlay MediaRouter PaintHolding ThirdPartyStoragePartitioning
  AvoidCorsURLLoaderRestartOnRedirect TcpPortRandomizationWin OptimizationHints NetworkTimeServiceQuerying AimEnabled
  PreconnectToSearch msForceBrowserSignIn msEdgeUpdateLaunchServicesPreferredVersion`.split(/\s+/);

/** Stops Chromium's requests to Google. `--no-sandbox`, because root has no sandbox in a container. */
export const CHROMIUM_FLAGS = [
  `--disable-features=${[...DISABLED_BY_PLAYWRIGHT, ...ADDRESS_BAR_PAGES].join(",")}`,
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
];

/** Chromium without its windows, which takes less CPU time; null if it is not installed or `CHROMIUM_PATH` is set. */
export function findHeadlessShell(): string | null {
  return process.env["CHROMIUM_PATH"] ? null : findProgram([HEADLESS_SHELL]);
}

/** The Chromium named by `CHROMIUM_PATH`, else the system's, else Playwright's. */
export function findChromium(): string | null {
  const named = process.env["CHROMIUM_PATH"];
  if (named) {
    if (!existsSync(named)) throw new Error(`CHROMIUM_PATH is ${named}, which does not exist.`);
    return named;
  }
  return findProgram(NAMES) ?? [MAC, chromium.executablePath()].find((path) => existsSync(path)) ?? null;
}

/** The path of the first of these programs that is installed. */
export function findProgram(names: string[]): string | null {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const candidates = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return candidates.find((path) => existsSync(path)) ?? null;
}

/**
 * Finds Chromium, or installs it: as root from Debian's package, else from Playwright.
 *
 * @throws {Error} with instructions when the installation fails
 */
export async function requireChromium(): Promise<string> {
  const found = findChromium();
  if (found !== null) return found;
  console.log("No Chromium found; installing one...");
  const isDebian = process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  if (!isDebian || (await run("sh", ["-c", DEBIAN_PACKAGES], { env })) !== 0) {
    await run("playwright", ["install", "chromium"]);
  }
  const installed = findChromium();
  if (installed === null) throw new Error("The browser tests need Chromium. Install it, or set CHROMIUM_PATH.");
  return installed;
}

/** Older releases do not have the headless shell; the tests only take longer without it. */
const DEBIAN_PACKAGES = `
  apt-get update && apt-get install -y --no-install-recommends chromium fonts-liberation || exit
  apt-get install -y --no-install-recommends ${HEADLESS_SHELL} || true`;
