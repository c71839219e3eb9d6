import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium } from "@playwright/test";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { site } from "#app/site.ts";
import { palette } from "#app/ui/theme.ts";
import { CHROMIUM_FLAGS, requireChromium } from "#scripts/lib/chromium.ts";
import { root } from "#scripts/lib/commands.ts";
import { cleanClone } from "#tests/support/clean-clone.ts";
import { failureOf, TIME_LIMIT } from "#tests/support/fork/failure-of.ts";
import { leftovers, oldColours } from "#tests/support/fork/leftovers.ts";
import { pixelColours } from "#tests/support/fork/pixels.ts";
import { NEW_NAME } from "#tests/support/fork/rename.ts";
import { renderAll } from "#tests/support/fork/render-all.ts";
import { tasks, unwanted } from "#tests/support/fork/tasks.ts";
import { missingInBuild } from "#tests/support/fork/traces.ts";

vi.setConfig({ testTimeout: TIME_LIMIT + 30_000, hookTimeout: 60_000 });

const generators = ["images", "config-docs", "disposable-domains"];
const pictures = ["apple-touch-icon.png", "icon-192.png", "icon-512.png", "og.png", "posts/letter-light.webp"];
const guide = readFileSync(join(root, "docs", "make-it-yours.md"), "utf8");

const { folder, remove } = cleanClone();
const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, encoding: "utf8" });
let browser: Browser;

beforeAll(async () => {
  git("init", "--quiet");
  git("add", ".");
  browser = await chromium.launch({ executablePath: await requireChromium(), args: CHROMIUM_FLAGS });
});
afterAll(async () => {
  await browser?.close();
  remove();
});

test.each(tasks)("$name: edited by hand are only the files that the guide names", ({ name, carryOut, files }) => {
  carryOut(folder);
  const byHand = changedFiles().filter((file) => !file.startsWith("migrations/"));
  expect(byHand).toEqual(files);
  expect(guide).toContain(`\n| ${name} | ${files.length} | ${files.map((file) => `\`${file}\``).join(", ")} |\n`);
  git("add", ".");
});

test("the generators run, and change nothing but pictures, icons and the manifest", async () => {
  for (const name of generators) expect(await failureOf(folder, "npm", "run", `generate:${name}`)).toBe("");
  expect(changedFiles().filter((file) => !file.startsWith("public/"))).toEqual([]);
  git("add", ".");
});

// `npm run test:nightly` runs its tests.
test.each(["check", "build"])("npm run %s passes", async (script) => {
  const failure = await failureOf(folder, "npm", "run", script);
  expect(failure, failure).toBe("");
});

test("browsers download nothing of what is switched off, and all of the others", () => {
  expect(missingInBuild(folder)).toEqual(unwanted);
});

describe("the old name and the old colours", () => {
  test("are found where they are", () => {
    const icon = readFileSync(join(root, "public", "favicon.svg"), "utf8");
    const { bar, logoHost } = palette.page;
    expect(leftovers(folder, "icon", icon)).toEqual(
      expect.arrayContaining([site.name, bar[0], logoHost].map((what) => `icon: ${what}`)),
    );
  });

  test("are not left in the built site", () => {
    const files = globSync("build/**/*.{html,css,js,json,svg,webmanifest,txt}", { cwd: folder });
    expect(files.filter((file) => file.endsWith(".css")).length).toBeGreaterThan(1);
    expect(files.filter((file) => /favicon\.svg|site\.webmanifest/.test(file))).toHaveLength(2);
    expect(files.flatMap((file) => leftovers(folder, file, readFileSync(join(folder, file), "utf8")))).toEqual([]);
  });

  test("are not left in pages and emails", () => {
    const rendered = renderAll(folder);
    expect(Object.keys(rendered)).toEqual(
      expect.arrayContaining(["/", "/roadmap", "/faq", "/owner", "the welcome email"]),
    );
    expect(Object.entries(rendered).flatMap(([name, text]) => leftovers(folder, name, text))).toEqual([]);
    for (const name of ["/", "/owner", "/llms.txt", "the welcome email"])
      expect(rendered[name]?.replaceAll("&amp;", "&")).toContain(NEW_NAME);
  });

  test.each(pictures)("are not left in %s", async (name) => {
    const page = await browser.newPage();
    const before = await pixelColours(page, join(root, "public", name));
    const after = await pixelColours(page, join(folder, "public", name));
    await page.close();
    // Mixtures at the edges of shapes may equal any colour.
    const isArea = (colours: Map<string, number>, colour: string) => {
      return (colours.get(colour) ?? 0) > 0.002 * [...colours.values()].reduce((sum, count) => sum + count);
    };
    const areas = oldColours(folder).filter((colour) => isArea(before, colour));
    // Lossy compression leaves no colour exact in a .webp file.
    if (name.endsWith(".png")) expect(areas.length).toBeGreaterThan(0);
    expect(areas.filter((colour) => isArea(after, colour))).toEqual([]);
    expect([...after.keys()].toSorted()).not.toEqual([...before.keys()].toSorted());
  });
});

/** Files that differ from what git has seen. */
function changedFiles(): string[] {
  const added = git("ls-files", "--others", "--exclude-standard");
  return (git("diff", "--name-only") + added).split("\n").filter(Boolean).toSorted();
}
