import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "@playwright/test";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { CHROMIUM_FLAGS, requireChromium } from "#scripts/lib/chromium.ts";
import { recordHydration, untilHydrated } from "#scripts/lib/hydrated.ts";
import { freePort } from "#scripts/lib/ports.ts";
import { cleanClone } from "#tests/support/clean-clone.ts";
import { edit } from "#tests/support/fork/edit.ts";
import { startScript } from "#tests/support/running-script.ts";

// The server's first response takes some seconds, and it restarts.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const clone = cleanClone();
let server: ReturnType<typeof startScript>;
let url: string;
let browser: Browser;
let page: Page;
/** Errors in the browser's console. */
const complaints: string[] = [];

beforeAll(async () => {
  const port = await freePort();
  url = `http://localhost:${port}`;
  writeFileSync(join(clone.folder, ".dev.vars"), `SITE_URL=${url}\nCONTROLLER_NAME="Name from the $file"\n`);
  server = startScript("dev", ["--port", String(port)], clone.folder);
  await server.printed(/Local: /);
  browser = await chromium.launch({ executablePath: await requireChromium(), args: CHROMIUM_FLAGS });
  page = await browser.newPage({ colorScheme: "light" });
  await recordHydration(page.context());
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  page.on("pageerror", ({ message }) => complaints.push(message));
});
afterAll(async () => {
  await browser?.close();
  await server?.end("SIGTERM");
  clone.remove();
});

test("pages hydrate without a complaint in the console, and .dev.vars overrides the local values", async () => {
  for (const path of ["/", "/privacy"]) {
    const connected = page.waitForEvent("console", (message) => message.text() === "[vite] connected.");
    await page.goto(url + path, { timeout: 60_000 });
    await connected;
    await untilHydrated(page);
  }
  expect(complaints).toEqual([]);
  expect(await page.textContent("main")).toContain("Name from the $file");
});

test("an edit of the theme shows after a reload", async () => {
  edit(join(clone.folder, "app", "ui", "theme.ts"), (text) => text.replace(/(?<=const awning = \[")#\w+/, "#4b3fa0"));
  const primary = () => page.locator("html").evaluate((root) => getComputedStyle(root).getPropertyValue("--primary"));
  // Less than the minute that a cached page would last.
  await vi.waitFor(
    async () => {
      await page.reload();
      expect(await primary()).toBe("#4b3fa0");
    },
    { timeout: 45_000, interval: 200 },
  );
});
