import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { cleanClone } from "#tests/support/clean-clone.ts";
import { recolour } from "#tests/support/fork/tasks.ts";

test("a palette with too little contrast is refused: by role, scheme, what was measured and what is needed", () => {
  const { folder, remove } = cleanClone();
  onTestFinished(remove);
  recolour(folder, { awning: ["#8fd0c0", "#5cc2a5"], paper: ["#fbf6ec", "#3a4256"] });
  const icon = readFileSync(join(folder, "public", "favicon.svg"), "utf8");
  for (const script of ["check-contrast", "generate-images"]) {
    const { status, stderr } = spawnSync(process.execPath, [`scripts/${script}.ts`], { cwd: folder, encoding: "utf8" });
    expect(status).toBe(1);
    expect(stderr).toContain("\nbuttonText on button, light scheme: 1.75:1, but text needs 4.5:1\n");
    expect(stderr).toContain("\nbutton on paper, light scheme: 1.63:1, but a control needs 3:1\n");
    expect(stderr).toMatch(/^error on paper, dark scheme: [\d.]+:1, but text needs 4\.5:1$/m);
    // The dark scheme's button is as before.
    expect(stderr).not.toContain("buttonText on button, dark");
  }
  expect(readFileSync(join(folder, "public", "favicon.svg"), "utf8")).toBe(icon);
});
