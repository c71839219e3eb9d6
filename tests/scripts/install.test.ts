import { expect, test } from "vitest";
import { isInstalled } from "#scripts/lib/install.mjs";

const wanted = {
  packages: {
    "": { version: "1.0.0" },
    "node_modules/a": { version: "1.0.0", integrity: "sha512-a" },
    "node_modules/other-platform": { version: "1.0.0", integrity: "sha512-o", optional: true },
  },
};
const a = { version: "1.0.0", integrity: "sha512-a" };

test("packages for other platforms may be missing", () => {
  expect(isInstalled(wanted, { packages: { "node_modules/a": a } })).toBe(true);
});

test.each([
  ["a package is missing", {}],
  ["a version differs", { "node_modules/a": { ...a, version: "1.0.1" } }],
  ["a hash differs", { "node_modules/a": { ...a, integrity: "sha512-b" } }],
  ["there is an extra package", { "node_modules/a": a, "node_modules/b": a }],
])("%s: not installed", (_what, packages) => expect(isInstalled(wanted, { packages })).toBe(false));
