import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { type Colour, contrast, lightened, mixed, turned } from "#app/ui/colour.ts";
import { palette } from "#app/ui/theme.ts";
import { root } from "#scripts/lib/commands.ts";
import { cleanClone } from "#tests/support/clean-clone.ts";

const original = readFileSync(join(root, "app", "ui", "theme.ts"), "utf8");
const clone = cleanClone();
afterAll(clone.remove);

type MainColours = Record<string, readonly [light: Colour, dark: Colour]>;

const coffee: MainColours = {
  awning: ["#6f4e37", "#c9a27e"],
  marigold: ["#c98b3c", "#e3b36a"],
  terracotta: ["#9c3d2e", "#e08a76"],
  paper: ["#f8f3ec", "#1e1611"],
  ink: ["#2e211a", "#f1e7db"],
  line: ["#dfd0bf", "#3f3027"],
};
const violet: MainColours = {
  awning: ["#4b3fa0", "#a79bf0"],
  marigold: ["#3f8fd6", "#7cc0f5"],
  terracotta: ["#b5305f", "#f08bab"],
  paper: ["#f6f5fc", "#14132a"],
  ink: ["#23213c", "#ecebf8"],
  line: ["#d8d6ea", "#312f55"],
};
const grey: MainColours = {
  awning: ["#333333", "#cccccc"],
  marigold: ["#999999", "#dddddd"],
  terracotta: ["#a02020", "#ff8a8a"],
  paper: ["#fefefe", "#111111"],
  ink: ["#111111", "#eeeeee"],
  line: ["#dddddd", "#333333"],
};

/** Replaces main colours in the clone's theme, and nothing else. */
function paint(colours: MainColours): void {
  let theme = original;
  for (const [name, [light, dark]] of Object.entries(colours)) {
    const before = theme;
    theme = theme.replace(new RegExp(`(?<=const ${name} = ).*(?= as const)`), `["${light}", "${dark}"]`);
    expect(theme).not.toBe(before);
  }
  writeFileSync(join(clone.folder, "app", "ui", "theme.ts"), theme);
}

function run(script: string) {
  return spawnSync(process.execPath, [script], { cwd: clone.folder, encoding: "utf8" });
}

test.each([
  ["coffee", coffee],
  ["violet", violet],
  ["grey", grey],
])("six other main colours, %s: text and controls have enough contrast", (_name, colours) => {
  paint(colours);
  expect(run("scripts/check-contrast.ts")).toMatchObject({ status: 0, stderr: "" });
});

test("the six main colours change every colour but white, black, and those of wood, skin and hair", () => {
  paint(violet);
  const print = 'import { palette } from "#app/ui/theme.ts"; console.log(JSON.stringify(palette))';
  const args = ["--input-type=module", "--eval", print];
  const painted = execFileSync(process.execPath, args, { cwd: clone.folder, encoding: "utf8" });
  const roles = (text: string) =>
    Object.values(JSON.parse(text) as typeof palette).flatMap((group) =>
      Object.entries(group).flatMap(([role, shades]) => [shades].flat().map((shade) => [role, shade])),
    );
  const before = roles(JSON.stringify(palette));
  const unchanged = roles(painted).filter(([, shade], index) => shade === before[index]?.[1]);
  const constants = new Set(
    unchanged.filter(([, shade]) => !/^#(?:f{6}|0{6})/.test(shade ?? "")).map(([role]) => role),
  );
  expect([...constants].toSorted()).toEqual(["boardFrame", "hair", "signpost", "skin", "skin2", "skin3", "wood"]);
});

test.each(["check-contrast", "generate-images"])(
  "%s names the pairs with too little contrast, the scheme, what it measured and what is needed",
  (script) => {
    paint({ awning: ["#8fd0c0", "#5cc2a5"], paper: ["#fbf6ec", "#3a4256"] });
    const icon = join(clone.folder, "public", "favicon.svg");
    const before = readFileSync(icon, "utf8");
    const { status, stderr } = run(`scripts/${script}.ts`);
    expect(status).toBe(1);
    expect(stderr).toContain("\nbuttonText on button, light scheme: 1.75:1, but text needs 4.5:1\n");
    expect(stderr).toContain("\nbutton on paper, light scheme: 1.63:1, but a control needs 3:1\n");
    expect(stderr).toMatch(/^error on paper, dark scheme: [\d.]+:1, but text needs 4\.5:1$/m);
    // The dark scheme's button is as before.
    expect(stderr).not.toContain("buttonText on button, dark");
    expect(readFileSync(icon, "utf8")).toBe(before);
  },
);

test("colours mix as color-mix(in oklab) does, and a full turn changes nothing", () => {
  expect(mixed("#ffffff", "#000000", 0.5)).toBe("#636363");
  expect(mixed("#ff0000", "#0000ff", 0.5)).toBe("#8c53a2");
  expect(mixed("#1f6f5c", "#23302b", 1)).toBe("#1f6f5c");
  expect(turned("#1f6f5c", 360)).toBe("#1f6f5c");
  expect(lightened("#000000", 1)).toBe("#ffffff");
  expect(contrast("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
});
