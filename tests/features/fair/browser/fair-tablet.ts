import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium, expect, type Page } from "@playwright/test";
import { CHROMIUM_FLAGS, requireChromium } from "#scripts/lib/chromium.ts";

/** A Chromium with a profile on the disk, which outlives it. */
export interface Tablet {
  page: Page;
  context: BrowserContext;
  profile: string;
  /** Kills the browser (SIGKILL) and starts it again without network. */
  killAndReopen(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export async function startTablet(): Promise<Tablet> {
  const profile = mkdtempSync(join(tmpdir(), "fair-tablet-"));
  const executablePath = await requireChromium();
  const launch = async () => {
    const options = { executablePath, args: CHROMIUM_FLAGS, serviceWorkers: "allow" } as const;
    const context = await chromium.launchPersistentContext(profile, options);
    // Playwright would wait for ever, and not say for what.
    context.setDefaultTimeout(60_000);
    return context;
  };
  const context = await launch();
  const tablet: Tablet = {
    context,
    page: await context.newPage(),
    profile,
    async killAndReopen() {
      const closed = tablet.context.waitForEvent("close");
      // A process that lives on would keep the profile locked.
      await expect
        .poll(() => {
          const pids = processesOf(profile);
          for (const pid of pids) kill(pid);
          return pids;
        })
        .toEqual([]);
      await closed;
      tablet.context = await launch();
      await tablet.context.setOffline(true);
      tablet.page = await tablet.context.newPage();
    },
    async [Symbol.asyncDispose]() {
      await tablet.context.close();
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  return tablet;
}

/** The browser's processes are those whose command line names its profile. */
function processesOf(profile: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => commandLine(pid).includes(profile))
    .map(Number);
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended with the one before.
  }
}

/** What the profile's files of IndexedDB contain, as text that finds ASCII and UTF-16. */
export function storedBytes(profile: string): string {
  const files = readdirSync(profile, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && /IndexedDB|Service Worker|Cache|Storage/.test(entry.parentPath),
  );
  const bytes = files.map((entry) => readFileSync(join(entry.parentPath, entry.name)).toString("latin1"));
  return bytes.join("\n").replaceAll("\0", "");
}
