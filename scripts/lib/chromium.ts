import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "@playwright/test";
import { run } from "#scripts/lib/commands.ts";

const NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
const MAC = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";

/** Pages of the address bar's own, which every window loads, at more than the cost of a page of ours. */
const ADDRESS_BAR_PAGES = ["WebUIOmniboxPopup", "WebUIOmniboxAimPopup"];

/** Of several lists of features that are off the last one counts, so that what Playwright has off is named again. */
const OFF_BY_PLAYWRIGHT = [
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsUpgrades",
  "HttpsFirstBalancedModeAutoEnable",
  "LensOverlay",
  "MediaRouter",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "TcpPortRandomizationWin",
  "OptimizationHints",
  "NetworkTimeServiceQuerying",
  "AimEnabled",
  "PreconnectToSearch",
  "msForceBrowserSignIn",
  "msEdgeUpdateLaunchServicesPreferredVersion",
];

/** Keeps Chromium from asking its maker for anything; `--no-sandbox` because root has no sandbox in a container. */
export const CHROMIUM_FLAGS = [
  `--disable-features=${[...OFF_BY_PLAYWRIGHT, ...ADDRESS_BAR_PAGES].join(",")}`,
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** The Chromium that `CHROMIUM_PATH` names, else the system's, else Playwright's own. */
export function findChromium(): string | null {
  const named = process.env["CHROMIUM_PATH"];
  if (named) {
    if (!existsSync(named)) throw new Error(`CHROMIUM_PATH names ${named}, which is not there.`);
    return named;
  }
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const candidates = [...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))), MAC];
  return [...candidates, chromium.executablePath()].find((path) => existsSync(path)) ?? null;
}

/**
 * Finds a Chromium, or installs one: Debian's package as root, else Playwright's download.
 *
 * @throws with what to do, when there is none to be had
 */
export async function requireChromium(): Promise<string> {
  const found = findChromium();
  if (found !== null) return found;
  console.log("No Chromium found; installing one...");
  const isRoot = process.getuid?.() === 0;
  const installed =
    (isRoot && (await installDebianPackage())) || (await run("playwright", ["install", "chromium"])) === 0;
  const path = installed ? findChromium() : null;
  if (path === null) throw new Error("The browser tests need Chromium. Install it, or name one in CHROMIUM_PATH.");
  return path;
}

async function installDebianPackage(): Promise<boolean> {
  if (!existsSync("/usr/bin/apt-get")) return false;
  if ((await run("apt-get", ["update"])) !== 0) return false;
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  return (
    (await run("apt-get", ["install", "-y", "--no-install-recommends", "chromium", "fonts-liberation"], { env })) === 0
  );
}
