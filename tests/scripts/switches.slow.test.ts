import { execFileSync, spawnSync } from "node:child_process";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type * as switches from "#app/switches.ts";
import { cleanClone } from "#tests/support/clean-clone.ts";

// Runs the checks and the tests of what is switched off in copies of the site.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

/** What only browsers' code, styles or texts of a part or feature have. */
const traces: Record<keyof typeof switches, RegExp> = {
  largeLogo: /large-logo-sign/,
  drawing: /M352 268c-40 2/,
  benefits: /Join Our Community/,
  product: /What is the product\?/,
  features: /But what will it do\?|group-tagline\{/,
  waysToHelp: /Ways you can help/,
  blog: /From the blog|How far along are we|\/blog\/pictures|post-words/,
  letters: /letters-list|All letters/,
  survey: /survey-frame|survey opens soon/,
  roadmap: /status-icon\{|Development commences/,
  visits: /We count visits/,
  share: /share-button|clipboard\.writeText/,
};

const names = Object.keys(traces) as (keyof typeof switches)[];

describe.each([
  ["with all parts and features switched off", names],
  ["with only the drawing switched off", ["drawing"]],
] as [string, (keyof typeof switches)[]][])("%s", (_, off) => {
  const clone = cleanClone();
  beforeAll(() => {
    const file = join(clone.folder, "app", "switches.ts");
    const text = readFileSync(file, "utf8");
    writeFileSync(
      file,
      text.replace(/export const (\w+) = true/g, (line, name) =>
        off.includes(name) ? line.replace("true", "false") : line,
      ),
    );
    // The checks look at what git would commit.
    execFileSync("git", ["init", "--quiet"], { cwd: clone.folder });
  });
  afterAll(() => clone.remove());

  test("the checks pass, and the site can be built", () => {
    expect(run("npm", "run", "check")).toBe("0 ");
    expect(run("npm", "run", "build")).toBe("0 ");
  });

  test("browsers download nothing of it, and all of the others", () => {
    const files = globSync("build/client/assets/*.{js,css}", { cwd: clone.folder });
    const text = files.map((file) => readFileSync(join(clone.folder, file), "utf8")).join("\n");
    expect(names.filter((name) => !traces[name].test(text))).toEqual(off);
  });

  test("its pages, links, texts and requests are gone", () => {
    const [command, ...args] = ["vitest", "run", "--project", "built", "tests/built/switched-off.test.ts"];
    expect(run(join("node_modules", ".bin", command as string), ...args)).toBe("0 ");
  });

  /** Runs a command in the copy: its status, and its output after a failure. */
  function run(command: string, ...args: string[]): string {
    const { status, stdout, stderr } = spawnSync(command, args, { cwd: clone.folder, encoding: "utf8" });
    return `${status} ${status === 0 ? "" : stdout + stderr}`;
  }
});
