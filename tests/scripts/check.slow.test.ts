import { spawnSync } from "node:child_process";
import { expect, test, vi } from "vitest";
import { root } from "#scripts/lib/commands.ts";

// Every tool runs on the whole project.
vi.setConfig({ testTimeout: 300_000 });

test("npm run check prints no colour codes into a file", () => {
  // Playwright sets FORCE_COLOR.
  const { FORCE_COLOR: _, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync("npm", ["run", "check"], { cwd: root, env, encoding: "utf8" });
  expect({ status, codes: (stdout + stderr).split("\n").filter((line) => line.includes("\u001b")) }).toEqual({
    status: 0,
    codes: [],
  });
  expect(stdout).toMatch(/^Checked \d+ files/m);
});
