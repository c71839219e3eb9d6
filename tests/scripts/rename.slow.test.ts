import { execFileSync, spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium } from "@playwright/test";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { site } from "#app/site.ts";
import { palette } from "#app/ui/theme.ts";
import { CHROMIUM_FLAGS, requireChromium } from "#scripts/lib/chromium.ts";
import { root } from "#scripts/lib/commands.ts";
import { cleanClone } from "#tests/support/clean-clone.ts";
import { pixelColours } from "#tests/support/fork/pixels.ts";
import { NEW_NAME, rename } from "#tests/support/fork/rename.ts";

// Draws the pictures, runs the checks, builds, and starts the site.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

const clone = cleanClone();
const pictures = ["apple-touch-icon.png", "icon-192.png", "icon-512.png", "og.png", "posts/letter-light.webp"];
let browser: Browser;

/** The only commands after editing app/site.ts and app/ui/theme.ts. */
beforeAll(async () => {
  rename(clone.folder);
  // The checks look at what git would commit.
  execFileSync("git", ["init", "--quiet"], { cwd: clone.folder });
  for (const script of ["generate:images", "check", "build"]) {
    expect(run(script)).toBe(`${script}: 0 `);
  }
  browser = await chromium.launch({ executablePath: await requireChromium(), args: CHROMIUM_FLAGS });
});
afterAll(async () => {
  await browser?.close();
  clone.remove();
});

test("the search finds the name and the colours where they are", () => {
  const icon = readFileSync(join(root, "public", "favicon.svg"), "utf8");
  const { bar, logoHost } = palette.page;
  expect(leftovers("icon", icon)).toEqual(
    expect.arrayContaining([site.name, bar[0], logoHost].map((what) => `icon: ${what}`)),
  );
});

test("no old name and no old colour is left in the built site", () => {
  const files = globSync("build/**/*.{html,css,js,json,svg,webmanifest,txt}", { cwd: clone.folder });
  expect(files.filter((file) => file.endsWith(".css")).length).toBeGreaterThan(1);
  expect(files.filter((file) => /favicon\.svg|site\.webmanifest/.test(file))).toHaveLength(2);
  expect(files.flatMap((file) => leftovers(file, readFileSync(join(clone.folder, file), "utf8")))).toEqual([]);
});

test("no old name and no old colour is left in pages and emails", () => {
  const rendered = renderAll();
  expect(Object.keys(rendered)).toEqual(expect.arrayContaining(["/", "/roadmap", "/owner", "the welcome email"]));
  expect(Object.entries(rendered).flatMap(([name, text]) => leftovers(name, text))).toEqual([]);
  for (const name of ["/", "/owner", "/llms.txt", "the welcome email"]) expect(rendered[name]).toContain(NEW_NAME);
});

test.each(pictures)("%s has none of the old colours", async (name) => {
  const page = await browser.newPage();
  const before = await pixelColours(page, join(root, "public", name));
  const after = await pixelColours(page, join(clone.folder, "public", name));
  await page.close();
  // Mixtures at the edges of shapes may equal any colour.
  const isArea = (colours: Map<string, number>, colour: string) => {
    return (colours.get(colour) ?? 0) > 0.002 * [...colours.values()].reduce((sum, count) => sum + count);
  };
  const areas = oldColours().filter((colour) => isArea(before, colour));
  // Lossy compression leaves no colour exact in a .webp file.
  if (name.endsWith(".png")) expect(areas.length).toBeGreaterThan(0);
  expect(areas.filter((colour) => isArea(after, colour))).toEqual([]);
  expect([...after.keys()].toSorted()).not.toEqual([...before.keys()].toSorted());
});

/** What the clone's site sends, by name. */
function renderAll(): Record<string, string> {
  const program = "tests/support/fork/print-rendered.ts";
  return JSON.parse(
    execFileSync(process.execPath, [program], { cwd: clone.folder, encoding: "utf8", maxBuffer: 2 ** 26 }),
  );
}

/** Runs a script of package.json in the clone. */
function run(script: string): string {
  const { status, stdout, stderr } = spawnSync("npm", ["run", script], { cwd: clone.folder, encoding: "utf8" });
  return `${script}: ${status} ${status === 0 ? "" : stdout + stderr}`;
}

/** The old name and colours in a text, as `where: what`. */
function leftovers(where: string, text: string): string[] {
  const found = new Set(text.match(anyLeftover) ?? []);
  return [...found].map((what) => `${where}: ${what}`);
}

const anyLeftover = new RegExp(
  `${RegExp.escape(site.name)}|(?:${oldColours()
    .flatMap((colour) => [colour, shortForm(colour)])
    .join("|")})(?![0-9a-f])`,
  "gi",
);

/** Without greys, which have no hue to change. */
function oldColours(): string[] {
  const all = Object.values(palette).flatMap((group) => Object.values(group).flat()) as string[];
  const isGrey = (colour: string) =>
    colour.slice(1, 3) === colour.slice(3, 5) && colour.slice(3, 5) === colour.slice(5, 7);
  return [...new Set(all)].filter((colour) => !isGrey(colour));
}

/** As minifiers write it: `#aabbcc` becomes `#abc`. */
function shortForm(colour: string): string {
  return colour.replace(/^#(?:([0-9a-f])\1)+$/i, (hex) => `#${hex.slice(1).replace(/(.)\1/g, "$1")}`);
}
